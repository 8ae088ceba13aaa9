import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readJson } from 'ralph-kit/files/plain-file';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { onOneLine } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { StoreError, type Tracker } from '../../domain/ports.ts';
import type { FoundWorkTree } from '../../git/index.ts';
import { type Owner, type RalphFolder, ralphFolder } from './ralph-folder.ts';
import type { Gates } from './trust/with-gates.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The document of the task of `ralph do`: a task list of one in the form of prd.json, with the agent and gates that
 * were found for it.
 */
const DoDocument = z.object({
  agent: z.nullable(z.string()),
  gates: z.array(z.object({ name: z.string(), run: z.string() })),
  /** Whether the task's work is on your branch. */
  landed: z.boolean(),
  tasks: z.tuple([
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      checks: z.optional(z.array(z.string())),
      files: z.optional(z.array(z.string())),
      /** Seconds that an attempt may take. */
      timeout: z.optional(z.number()),
      status: z.string(),
    }),
  ]),
});

export type DoTask = z.infer<typeof DoDocument>['tasks'][0];

type Document = Omit<z.infer<typeof DoDocument>, 'tasks'> & { readonly task: DoTask };

/** Returns the task of `ralph do`; `null`: there is none. */
export function readDoTask({ folder }: Pick<RalphFolder, 'folder'>): Document | null {
  const read = readJson(listIn(folder), DoDocument, MAX_BYTES);
  if (read === null) return null;
  const { tasks, ...rest } = read;
  return { ...rest, task: tasks[0] };
}

/** Writes the document of the task of `ralph do`. @throws The Node error */
export function writeDoTask({ folder }: Pick<RalphFolder, 'folder'>, document: Document): void {
  proveFolder(dirname(folder), 0o700);
  const { task, ...rest } = document;
  const text = `${JSON.stringify({ ...rest, tasks: [task] }, null, 2)}\n`;
  replaceFile(listIn(folder), text, { mode: 0o600, folderMode: 0o700 });
}

/**
 * Returns the gates that were found for the task of `ralph do`. You configured none of them, so one whose program isn't
 * installed is left out and named.
 */
export function doGates(records: Pick<RalphFolder, 'folder'>): Gates {
  return (readDoTask(records)?.gates ?? []).map((gate) => ({ ...gate, on_missing: 'warn' }));
}

/** Adds a note about an unfinished task of `ralph do` to commands about the list, which don't show it otherwise. */
export function noteDoTask(
  {
    owner,
    root: top,
    gitDir,
    commonDir,
  }: Omit<FoundWorkTree, 'top'> & { readonly owner: Owner; readonly root: string },
  onNotice: ((notice: string) => void) | undefined,
): void {
  if (owner === 'do' || onNotice === undefined) return;
  const document = readDoTask(ralphFolder({ top, gitDir, commonDir }, 'do'));
  if (document === null || document.landed) return;
  const { task } = document;
  onNotice(`${task.id} of ralph do isn't finished: ${onOneLine(task.title)}. More: ralph explain ${task.id}`);
}

/** Settings that make the task of `ralph do` the task list. Those of a command line override them. */
export function flagsOf({ owner, folder }: RalphFolder, root: string): Readonly<Record<string, unknown>> {
  if (owner === 'list') return {};
  const feedback = existsSync(join(root, '.ralph')) ? {} : { 'files.feedback': join(folder, 'FEEDBACK.md') };
  return {
    'loop.agent': readDoTask({ folder })?.agent ?? undefined,
    'tracker.kind': 'json',
    'tracker.path': listIn(folder),
    ...feedback,
  };
}

/**
 * Returns a tracker for the task of `ralph do`: its document isn't a file of the repository, and no other list may
 * replace it.
 */
export function asDoTracker(tracker: Tracker): Tracker {
  return {
    ...tracker,
    load: async () => {
      const loaded = await tracker.load();
      return loaded.ok ? { ...loaded, name: 'ralph do' } : loaded;
    },
    edit: async (edits) => {
      if (edits.some(({ kind }) => kind !== 'retitle')) throw new StoreError(ONE_TASK);
      return tracker.edit(edits);
    },
    addPlan: async () => {
      throw new StoreError(ONE_TASK);
    },
    marks: async () => [],
    others: async () => [],
  };
}

const ONE_TASK = 'ralph do has one task, and there is no list here. For a list: ralph init';

function listIn(folder: string): string {
  return join(folder, 'do.json');
}
