import type { AgentEvent } from '../domain/agent.ts';
import { shortened } from '../lib/text.ts';

const WIDTH = 100;

/** What tells most about a call, in this order; the names differ between the agents. */
const TELLING = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'command',
  'query',
  'pattern',
  'url',
  'description',
];

/** One short line for the live display, such as `Write src/x.ts` or `Bash npm test`: no control characters. */
export function describeToolCall(call: Extract<AgentEvent, { kind: 'tool_call' }>): string {
  return shortened(printable(`${call.tool || 'tool'} ${detail(call.input)}`), WIDTH);
}

function detail(input: Record<string, unknown>): string {
  for (const name of TELLING) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return withoutShell(value.slice(0, 2000));
  }
  return changedPaths(input.changes);
}

/** `/bin/bash -lc 'npm test'` says no more than `npm test`. */
export function withoutShell(command: string): string {
  return /^\S*\b(?:ba|z)?sh -l?c (['"])(.*)\1$/s.exec(command)?.[2] ?? command;
}

/** The files of a patch: `src/a.ts (+2)`. */
function changedPaths(changes: unknown): string {
  if (!Array.isArray(changes)) return '';
  const paths = changes.map((change: unknown) =>
    typeof change === 'object' && change !== null && 'path' in change ? String(change.path) : '',
  );
  const more = paths.length > 1 ? ` (+${paths.length - 1})` : '';
  return `${paths[0] ?? ''}${more}`;
}

/** Control and format characters (escape sequences, text direction) become spaces; runs of space become one. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim();
}
