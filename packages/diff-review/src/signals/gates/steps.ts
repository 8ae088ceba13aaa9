import { CHECKERS } from 'ralph-ecosystems';
import type { Change } from '../../change.ts';
import type { Side } from '../../lex/side.ts';
import { blockEnd, indentOf } from '../../tests/find-tests.ts';
import type { Sign } from '../sign.ts';

/** Names of checks that don't depend on a tool. */
const WORDS = 'test tests lint typecheck type-check types check verify coverage codecov audit semgrep'.split(
  ' ',
);

/** Matches a command that checks something. The longer of two names with the same beginning comes first. */
export const CHECK = new RegExp(
  String.raw`\b(?:${[...WORDS, ...CHECKERS].toSorted((one, other) => other.length - one.length).join('|')})\b`,
);

export const REMOVED: Sign = {
  category: 'gate_weakening',
  kind: 'check_removed',
  confidence: 0.9,
  reason: 'A check is no longer run',
};
function stepAround(side: Side, line: number): readonly [from: number, to: number] {
  const own = indentOf(side.lines[line]?.text ?? '');
  const isHead = (text: string): boolean => indentOf(text) < own && /\S/.test(text);
  const above = side.lines.slice(0, line).findLastIndex(({ text }) => isHead(text));
  const head = /^\s*-/.test(side.lines[line]?.text ?? '') ? line : Math.max(above, 0);
  return [head, blockEnd(side, head)];
}

/** Returns whether a step or job with a new condition existed before and checks something. */
export function wasUnconditional({ before, after: { side } }: Change, line: number): boolean {
  const [from, to] = stepAround(side, line);
  const gone = new Set(removedCommands(before.side));
  return side.lines
    .slice(from, to + 1)
    .some(({ changed, text }) => CHECK.test(text) && (!changed || gone.has(commandIn(text))));
}

/** Returns whether the step or job is new, and no removed line ran the same commands. */
export function isOfNewStep({ before, after }: Change, line: number): boolean {
  const { side } = after;
  const [from, to] = stepAround(side, line);
  const step = side.lines.slice(from, to + 1);
  const gone = new Set(removedCommands(before.side));
  return step.every(({ changed }) => changed) && !step.some(({ text }) => gone.has(commandIn(text)));
}

function commandIn(text: string): string {
  return text
    .trim()
    .replace(/^(?:-\s+)?(?:[\w-]+:\s+)?/, '')
    .replace(/^[-@]+/, '');
}

function removedCommands({ lines }: Side): readonly string[] {
  return lines.flatMap(({ changed, text }) => (changed && CHECK.test(text) ? [commandIn(text)] : []));
}
