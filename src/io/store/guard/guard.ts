import { chmodSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Orders, StoreGuard } from '../../../domain/ports.ts';
import type { EditedFile } from '../../../domain/records/edits.ts';
import type { Restored } from '../../../domain/records/iteration.ts';
import { iterationPath } from '../../../domain/records/iteration-path.ts';
import { sha256 } from '../../ids.ts';
import { changeOf, contentsOf, type Keeper, KeptFile, putBack } from '../../protect/kept-file.ts';
import { keepCopy, moveAway, shortName } from '../../protect/set-aside.ts';
import type { Vault } from '../../protect/vault.ts';
import { lstatOrNull, readPlainFile } from '../files/plain-file.ts';
import {
  type ForeignView,
  foreignViews,
  type ViewContext,
  viewPaths,
  writeViewFiles,
} from '../files/view-files.ts';
import type { Journal } from '../journal/journal.ts';
import { readJournalLines } from '../journal/journal-lines.ts';
import { readSegment } from '../journal/segments.ts';
import type { StoreOptions } from '../open-options.ts';
import { pathInside, type StorePaths } from '../store-paths.ts';
import { configPaths, otherPaths, ownFolders, ownPaths } from './own-files.ts';

export type GuardContext = {
  readonly options: StoreOptions;
  readonly paths: StorePaths;
  readonly journal: Journal;
  readonly exclusively: <T>(work: () => T) => T;
  readonly viewFiles: ViewContext;
  readonly vault: Vault;
  readonly keep: Keeper;
};

/** How a protected file of `.ralph` is treated; `other`: an agent may write it, not take it away. */
const Group = z.enum(['tracker', 'config', 'other', 'lock', 'own']);
type Group = z.infer<typeof Group>;
const Guarded = z.object({ ...KeptFile.shape, group: Group });
type Guarded = z.infer<typeof Guarded>;

/** What is written to the disk of it. The journal has its copy, the views follow from the journal. */
export const GuardManifest = z.object({
  /** Number of the journal's last record. */
  seq: z.number(),
  /** Ralph's own folders that exist: whether it is a folder. */
  folders: z.record(z.string(), z.boolean()),
  files: z.array(Guarded),
});
export type GuardManifest = z.infer<typeof GuardManifest>;

/**
 * Captures the tracker, the configuration, prompts wherever they lie, the journal and the views, and puts back what an agent
 * changed. What other ralph processes changed meanwhile stays: their records are in the journal's chain, and the state
 * vouches for views and tracker.
 */
export function createGuard(context: GuardContext, orders: Orders): StoreGuard {
  const before = capture(context, orders);
  context.journal.takeRepair();
  return guardOf(context, before);
}

/** The guard of a process that died: what is in the manifest is put back, but what is on record since. */
export function reopenGuard(context: GuardContext, manifest: GuardManifest): StoreGuard {
  return guardOf(context, manifest);
}

function guardOf(context: GuardContext, captured: GuardManifest): StoreGuard {
  const { paths, exclusively } = context;
  let before = captured;
  return {
    // Another process takes its own lock.
    manifest: () => ({ ...before, files: before.files.filter(({ group }) => group !== 'lock') }),
    restore: (run, iteration, yours) => {
      const replaced = [...clearWay(paths), ...makeWritable(paths, run)];
      if (replaced.length === 0 && isUntouched(context, before)) return { restored: [], edited: [] };
      return exclusively(() => {
        const folder = pathInside(paths.dir, join(iterationPath({ run, iteration }), 'set-aside'));
        const restored = [...replaced, ...restoreFolders(context, before, folder)];
        const taken = yours ? takeOver(context, before) : { edited: [], files: before.files };
        before = { ...before, files: taken.files };
        restored.push(...journalChange(context));
        restored.push(...restoreFiles(context, before, folder), ...restoreViews(context, folder));
        return { restored, edited: taken.edited };
      });
    },
  };
}

/** What you edited or made of your own files; `files`: what is protected from now on, with these as they are. */
function takeOver(
  context: GuardContext,
  before: GuardManifest,
): { readonly edited: EditedFile[]; readonly files: Guarded[] } {
  const { paths, keep } = context;
  const edited: EditedFile[] = [];
  const note = (path: string, kind: EditedFile['kind'], change: EditedFile['change']) =>
    edited.push({ kind, path: relative(dirname(paths.dir), path), change });
  const known = before.files.map((file): Guarded => {
    const { path, group } = file;
    if (group !== 'tracker' && group !== 'config') return file;
    const change = changeOf(file);
    if (change === null || change === 'deleted' || readPlainFile(path).kind !== 'file') return file;
    if (!isRightful(context, file, change)) note(path, group, change);
    return { ...keep(path, file.kind), group };
  });
  const made = planted(context, before)
    .filter(([path, kind]) => kind === 'config' && readPlainFile(path).kind === 'file')
    .map(([path, kind]): Guarded => {
      note(path, 'config', 'created');
      return { ...keep(path, kind), group: 'config' };
    });
  return { edited, files: [...known, ...made] };
}

/** As after most attempts: that is seen without the lock. */
function isUntouched(context: GuardContext, before: GuardManifest): boolean {
  const { paths, journal } = context;
  return (
    journal.isCurrent() &&
    !journal.isRepaired &&
    [...ownFolders(paths.dir).values()].every((isFolder) => isFolder) &&
    before.files.every((file) => changeOf(file) === null) &&
    planted(context, before).length === 0 &&
    foreign(context).length === 0
  );
}

/** Where `.ralph` itself isn't a folder any more, what stands there is kept outside of the repository. */
function clearWay(paths: StorePaths): Restored[] {
  const stat = lstatOrNull(paths.dir);
  if (stat === null || stat.isDirectory()) return [];
  moveAway(paths.dir, 'replaced-ralph-folder', paths.home);
  const path = relative(dirname(paths.dir), paths.dir);
  return [{ kind: 'own', path, change: 'modified', setAside: null }];
}

/** Folders that ralph can't write in any more, which an agent's `chmod` does; it is their owner, too. */
function makeWritable({ dir }: StorePaths, run: string): Restored[] {
  const runs = ['runs', join('runs', run), join('runs', run, 'iterations')];
  return ['', ...ownFolders(dir).keys(), ...runs].flatMap((name): Restored[] => {
    const path = join(dir, name);
    const stat = lstatOrNull(path);
    if (stat?.isDirectory() !== true || (stat.mode & OWNER_ALL) === OWNER_ALL) return [];
    chmodSync(path, Number(stat.mode | OWNER_ALL) & 0o7777);
    return [{ kind: 'own', path: relative(dirname(dir), path), change: 'modified', setAside: null }];
  });
}

/** Read, write and enter, for the owner. */
const OWNER_ALL = 0o700n;

function capture(
  { paths, journal, keep, vault }: GuardContext,
  { trackers, prompts }: Orders,
): GuardManifest {
  const { dir } = paths;
  const views = viewPaths(paths.viewHashes);
  const config = configPaths(dir);
  const inside = (name: string) => join(dir, name);
  const named = (path: string) => resolve(dirname(dir), path);
  const all = (group: Group, kind: Restored['kind'], found: readonly string[]): Guarded[] =>
    found.map((path) => ({ ...keep(path, kind), group }));
  const files = [
    ...all('tracker', 'tracker', trackers),
    ...all('config', 'config', [...new Set([...config.map(inside), ...prompts.map(named)])]),
    ...all('lock', 'own', [paths.runLock]),
    ...all('other', 'config', otherPaths(dir, new Set([...config, ...views])).map(inside)),
    ...all('own', 'own', ownPaths(dir, new Set(views)).map(inside)),
  ];
  vault.retain(new Set(contentsOf(files)));
  return {
    seq: journal.seq,
    files,
    folders: Object.fromEntries(ownFolders(dir)),
  };
}

/** Something else in the place of one of ralph's folders goes first: nothing is written through a planted link. */
function restoreFolders({ paths }: GuardContext, before: GuardManifest, folder: string): Restored[] {
  return [...ownFolders(paths.dir)].flatMap(([name, isFolder]) => {
    if (isFolder || before.folders[name] === false) return [];
    const path = join(paths.dir, name);
    const aside = moveAway(path, name, folder);
    return [
      tampering(
        paths,
        path,
        'own',
        Object.hasOwn(before.folders, name) ? 'modified' : 'created',
        folder,
        aside,
      ),
    ];
  });
}

/** The journal was put right when it was read for this. */
function journalChange({ paths, journal }: GuardContext): Restored[] {
  const repair = journal.takeRepair();
  if (repair === null) return [];
  const change = repair.wasMissing ? 'deleted' : 'modified';
  const path = relative(dirname(paths.dir), paths.journal);
  return [{ kind: 'own', path, change, setAside: repair.setAside }];
}

function restoreFiles(context: GuardContext, before: GuardManifest, folder: string): Restored[] {
  const { paths } = context;
  const found: Restored[] = planted(context, before).map(([path, kind]) => {
    const aside = moveAway(path, shortName(paths.dir, path), folder);
    return tampering(paths, path, kind, 'created', folder, aside);
  });
  for (const file of before.files) {
    const change = changeOf(file);
    if (change === null || isRightful(context, file, change)) continue;
    const aside = keepCopy(file.path, shortName(paths.dir, file.path), folder);
    putBack(file, context.vault);
    found.push(tampering(paths, file.path, file.kind, change, folder, aside));
  }
  return found;
}

function foreign({ paths, options, journal, viewFiles }: GuardContext): ForeignView[] {
  return foreignViews(viewFiles, viewPaths(paths.viewHashes), () => options.views(journal.state));
}

/** The views follow from the journal. */
function restoreViews(context: GuardContext, folder: string): Restored[] {
  const { paths, options, journal, viewFiles } = context;
  const found = foreign(context).map(({ path, file }) => {
    const aside = file.kind === 'absent' ? null : moveAway(join(paths.dir, path), path, folder);
    const change = file.kind === 'absent' ? 'deleted' : 'modified';
    return tampering(paths, join(paths.dir, path), 'own', change, folder, aside);
  });
  if (found.length > 0) writeViewFiles(viewFiles, options.views(journal.state));
  return found;
}

/** Whether another ralph process, or the user, may have made this change. */
function isRightful(
  { journal }: GuardContext,
  { path, group }: Guarded,
  change: Restored['change'],
): boolean {
  if (group === 'other') return change !== 'deleted';
  if (group !== 'tracker') return false;
  const now = readPlainFile(path);
  return now.kind === 'file' && sha256(now.bytes) === journal.state.trackerSha256;
}

/** Prompts and files in ralph's own folders that weren't there. */
function planted(context: GuardContext, before: GuardManifest): (readonly [string, Restored['kind']])[] {
  const { dir, viewHashes } = context.paths;
  const known = new Set(before.files.map(({ path }) => path));
  const isNew = (name: string) => !known.has(join(dir, name));
  const config = configPaths(dir).filter(isNew);
  const own = ownPaths(dir, new Set(viewPaths(viewHashes))).filter(isNew);
  return [
    ...config.map((name) => [join(dir, name), 'config'] as const),
    ...own
      .filter((name) => !isExpected(context, before, name))
      .map((name) => [join(dir, name), 'own'] as const),
  ];
}

/** Made by ralph: a sealed segment, a file set aside, an archive of events, the report of an incident. */
function isExpected({ paths, journal }: GuardContext, before: GuardManifest, path: string): boolean {
  if (/^journal\/\d+\.jsonl\.gz$/.test(path)) {
    const sealed = journal.isOwn(readSegment(join(paths.dir, path)) ?? Buffer.alloc(0));
    return sealed !== null && sealed.seq >= before.seq;
  }
  if (journal.state.incidents.some(({ id }) => path === `incidents/${id}.json`)) return true;
  const file = readPlainFile(paths.journal);
  const { records } = readJournalLines(file.kind === 'file' ? file.bytes : Buffer.alloc(0));
  return records.some((record) => {
    if (record.seq <= before.seq) return false;
    if (record.type === 'document_repaired') return record.setAside === path;
    if (record.type === 'events_archived') return record.archive === path;
    return record.type === 'events_reset' && path.startsWith('interventions/archive/');
  });
}

function tampering(
  paths: StorePaths,
  path: string,
  kind: Restored['kind'],
  change: Restored['change'],
  folder: string,
  aside: string | null,
): Restored {
  const setAside = aside === null ? null : relative(paths.dir, join(folder, aside));
  return { kind, path: relative(dirname(paths.dir), path), change, setAside };
}
