import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor, formatOf } from '../../agent/index.ts';
import type { OutputFormat } from '../../domain/agent.ts';
import type { Config } from '../../domain/config.ts';
import { type IterationRecord, together } from '../../domain/records/iteration.ts';
import { namesIn } from '../../io/files/plain-file.ts';
import { openPlainFile, readFileBytes } from '../../io/store/index.ts';
import { AGENTS } from '../../lib/agents.ts';

export type IterationFolder = { readonly run: string; readonly iteration: number; readonly path: string };

/**
 * The iterations that have a folder, oldest first; 0 holds a run's baseline and is none. A run that was killed may have
 * made a folder for what the next run then recorded: the later one counts.
 */
export function iterationFolders(root: string): readonly IterationFolder[] {
  const runs = join(root, '.ralph', 'runs');
  const folders = namesIn(runs)
    .toSorted()
    .map((run) => ({ run, folder: join(runs, run, 'iterations') }))
    .flatMap(({ run, folder }) =>
      namesIn(folder).map((name) => ({ run, iteration: Number(name), path: join(folder, name) })),
    )
    .filter(({ iteration }) => iteration > 0);
  return [...new Map(folders.map((folder) => [folder.iteration, folder])).values()].sort(
    (a, b) => a.iteration - b.iteration,
  );
}

/** Of a damaged record, anything may be missing: it is shown as far as it goes. */
export type LooseRecord = {
  readonly facts?: Partial<IterationRecord['facts']>;
  readonly decisions?: Partial<IterationRecord['decisions']>;
};

/** `iteration.json` of a folder; `null`: there is none, as the attempt isn't over or was cut off. */
export function readRecord({ path }: IterationFolder): LooseRecord | null {
  const bytes = bytesOf(join(path, 'iteration.json'));
  if (bytes === null) return null;
  try {
    const { facts, decisions } = Object(JSON.parse(bytes.toString('utf8')));
    return { facts: together(Object(facts)), decisions: together(Object(decisions)) };
  } catch {
    return {};
  }
}

/** A file of a folder as text; empty where it can't be read. */
export function textOf({ path }: IterationFolder, name: string): string {
  return bytesOf(join(path, name))?.toString('utf8') ?? '';
}

/**
 * What a file holds from an offset on, at most so many bytes of its end; from its beginning where it is shorter than
 * that. `null`: it can't be read.
 */
export function readFrom(
  path: string,
  offset: number,
  most: number,
): { readonly begin: number; readonly bytes: Buffer; readonly inode: number } | null {
  let file: number;
  try {
    file = openPlainFile(path);
  } catch {
    return null;
  }
  try {
    const { size, ino: inode } = fstatSync(file);
    const begin = Math.max(size < offset ? 0 : offset, size - most);
    const bytes = Buffer.alloc(size - begin);
    const read = readSync(file, bytes, 0, bytes.length, begin);
    return { begin, bytes: bytes.subarray(0, read), inode };
  } finally {
    closeSync(file);
  }
}

function bytesOf(path: string): Buffer | null {
  try {
    return readFileBytes(path);
  } catch {
    return null;
  }
}

/**
 * How the output of an attempt is read: as its record says, else as the agent's settings say now. What nothing is known
 * of is plain text.
 */
export function formatFor(
  record: LooseRecord | null,
  agent: string | null,
  runners: Config['runners'],
): OutputFormat {
  const output = record?.facts?.agentOutput;
  const none = { node: '', scriptedProgram: '', defaultScenario: '' };
  const chosen = agent === null ? null : adapterFor(agent, runners, none);
  if (chosen?.ok === true && (output === undefined || chosen.adapter.output === output))
    return chosen.adapter;
  if (output === 'acp') return formatOf(output);
  const known = Object.values(AGENTS).find((one) => one.output === output);
  return formatOf(known?.output ?? 'text');
}
