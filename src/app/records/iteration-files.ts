import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor, formatOf } from 'ralph-agents';
import { AGENTS, type AgentOutput } from 'ralph-agents/known';
import type { OutputFormat } from 'ralph-agents/protocol';
import { namesIn, openPlainFile, readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import type * as z from 'zod/mini';
import type { Config } from '../../domain/config.ts';
import { DecisionSections, FactSections, type IterationRecord } from '../../domain/records/iteration.ts';
import { scriptedAgents } from '../demo/adapter.ts';

export type IterationFolder = { readonly run: string; readonly iteration: number; readonly path: string };

/**
 * Returns the iteration folders in ralph's folder, oldest first. A run's folder 0 is its baseline. A killed run may have left a folder for an
 * iteration that the next run recorded, so the later one counts.
 */
export function iterationFolders(ralphFolder: string): readonly IterationFolder[] {
  const runs = join(ralphFolder, 'runs');
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

/** `iteration.json` with any part missing, because of a damaged record the parts that have their form are shown. */
export type LooseRecord = {
  readonly facts?: Partial<IterationRecord['facts']>;
  readonly decisions?: Partial<IterationRecord['decisions']>;
};

/** Reads `iteration.json`; `null`: the attempt is running or was killed, so the file is missing. */
export function readRecord({ path }: IterationFolder): LooseRecord | null {
  const bytes = bytesOf(join(path, 'iteration.json'));
  if (bytes === null) return null;
  const { facts, decisions } = Object(tryOr(null, () => JSON.parse(bytes.toString('utf8'))));
  return { facts: wholeMembers(FactSections, facts), decisions: wholeMembers(DecisionSections, decisions) };
}

/** Returns the members that have the form of a record's. */
function wholeMembers({ shape }: typeof FactSections | typeof DecisionSections, value: unknown): object {
  const forms = new Map(
    Object.values(shape).flatMap((section) => Object.entries<z.ZodMiniType>(section.shape)),
  );
  const members = Object.entries(Object(value));
  return Object.fromEntries(members.filter(([name, member]) => forms.get(name)?.safeParse(member).success));
}

/** Returns whether an attempt has a record: it ended, and wasn't killed. */
export function isRecorded({ path }: IterationFolder): boolean {
  return bytesOf(join(path, 'iteration.json')) !== null;
}

/** Returns a file of an iteration as text; '': it can't be read. */
export function textOf({ path }: IterationFolder, name: string): string {
  return bytesOf(join(path, name))?.toString('utf8') ?? '';
}

/**
 * Reads a file from `offset` on; if the file is shorter, from its start. Returns at most the last `most` bytes; `null`:
 * unreadable.
 */
export function readFrom(
  path: string,
  offset: number,
  most: number,
): { readonly begin: number; readonly bytes: Buffer; readonly inode: number } | null {
  const file = tryOr(null, () => openPlainFile(path));
  if (file === null) return null;
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
  return tryOr(null, () => readFileBytes(path));
}

/**
 * Returns the format of the attempt's output: by its record, otherwise by the agent's current settings, otherwise plain
 * text.
 */
export function formatFor(
  record: LooseRecord | null,
  agent: string | null,
  runners: Config['runners'],
): OutputFormat {
  const output = record?.facts?.agentOutput;
  const scripted = scriptedAgents(runners, { node: '', program: '', defaultScenario: '' });
  const chosen = agent === null ? null : adapterFor(agent, runners, scripted);
  if (chosen?.ok === true && (output === undefined || chosen.adapter.output === output))
    return chosen.adapter;
  if (output === 'acp' || output?.startsWith('json:') === true) return formatOf(output as AgentOutput);
  const known = Object.values(AGENTS).find((one) => one.output === output);
  return formatOf(known?.output ?? 'text');
}
