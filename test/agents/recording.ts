import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inject } from 'vitest';
import { IterationRecord } from '../../src/domain/records/iteration.ts';
import type { Agent } from './given.ts';
import { iterationFolders } from './iterations.ts';

/** What is longer was made to be long, and teaches nothing that a short one does not. */
const LENGTH_LIMIT = 400_000;

export type Recorded = {
  readonly agent: Agent;
  readonly name: string;
  readonly scratch: string;
  readonly root: string;
  readonly url: string;
};

/**
 * Keeps what the agent printed, and what ralph made of it, in `$RALPH_RECORD/AGENT/NAME/`, one folder for each
 * iteration, without anything of this machine in it.
 */
export function keepRecording(recorded: Recorded): void {
  const { agent, name, root } = recorded;
  if (inject('record') === '') return;
  for (const folder of iterationFolders(root)) {
    const output = impersonal(readFileSync(join(folder, 'output.log'), 'utf8'), recorded);
    if (output.length > LENGTH_LIMIT) continue;
    const target = join(inject('record'), agent.name, name, basename(folder));
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'output.jsonl'), output);
    writeFileSync(join(target, 'meta.json'), impersonal(metaOf(agent, folder), recorded));
  }
}

/** Keeps what came over the gate of an agent, a message each line. */
export function recordGate(recorded: Recorded, messages: readonly string[]): void {
  if (inject('record') === '' || messages.length === 0) return;
  const folder = join(inject('record'), recorded.agent.name, recorded.name);
  mkdirSync(folder, { recursive: true });
  const lines = messages.map((message) => impersonal(message.trim().replaceAll('\n', ' '), recorded));
  writeFileSync(join(folder, 'gate.jsonl'), `${lines.join('\n')}\n`);
}

/** The result that the replay of the output must have. */
function metaOf(agent: Agent, folder: string): string {
  const text = readFileSync(join(folder, 'iteration.json'), 'utf8');
  const { facts, decisions } = IterationRecord.parse(JSON.parse(text));
  const { end, report, review } = facts;
  const { verdict, claim } = decisions;
  const meta = {
    agent: agent.name,
    version: agent.installed.version,
    ...{ end, report, ...(review === undefined ? {} : { review }) },
    ...{ verdict, claim },
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

function impersonal(text: string, { agent, scratch, root, url }: Recorded): string {
  const cache = join(agent.installed.path[0] ?? '', '..', '..', '..');
  const slug = (path: string) => path.replace(/[^a-zA-Z0-9]/g, '-');
  const names: readonly (readonly [found: string, instead: string])[] = [
    [url, 'http://127.0.0.1:1'],
    [url.slice('http://'.length), '127.0.0.1:1'],
    [root, '/scratch/project'],
    [slug(root), '-scratch-project'],
    [scratch, '/scratch'],
    [slug(scratch), '-scratch'],
    [cache, '/agents'],
    [tmpdir(), '/temporary'],
  ];
  // In JSON a path may have escapes in it.
  const escaped = names.map(([found, instead]) => [JSON.stringify(found).slice(1, -1), instead] as const);
  const placed = [...names, ...escaped].reduce(
    (left, [found, instead]) => left.replaceAll(found, instead),
    text,
  );
  // Claude names a socket for its process.
  return placed.replaceAll(/\/tmp\/cc-socks\/\d+/g, '/temporary/cc-socks/1');
}
