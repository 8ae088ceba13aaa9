import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { StoreGuard } from '../../../domain/ports.ts';
import type { Tampering } from '../../../domain/records/iteration.ts';
import { sha256 } from '../../ids.ts';
import { fileSignature, lstatOrNull, readPlainFile } from '../files/plain-file.ts';
import {
  isLastWritten,
  type View,
  type ViewContext,
  viewPaths,
  writeViewFiles,
} from '../files/view-files.ts';
import type { Journal } from '../journal/journal.ts';
import { readJournalLines } from '../journal/journal-lines.ts';
import type { StoreOptions } from '../open-options.ts';
import { iterationPath, pathInside, type StorePaths } from '../store-paths.ts';
import { isUntouched, type JournalBefore, rightfulJournal, sealedSince } from './guard-journal.ts';
import { changeOf, type Guarded, guardFile, keepBytes, keepCopy, moveAway, putBack } from './guarded-file.ts';
import { type OwnFile, ownFiles, ownFolders, ownPaths } from './own-files.ts';

/** The user's files in `.ralph`; an agent may not change them or make them. */
const CONFIG_FILES = ['ralph.toml', 'FEEDBACK.md', '.gitignore'] as const;

type GuardContext = {
  readonly trackerPaths: readonly string[];
  readonly options: StoreOptions;
  readonly paths: StorePaths;
  readonly journal: Journal;
  readonly exclusively: <T>(work: () => T) => T;
  readonly viewFiles: ViewContext;
};

type Before = {
  readonly journal: JournalBefore;
  readonly folders: ReadonlyMap<string, boolean>;
  readonly trackers: readonly Guarded[];
  readonly config: readonly Guarded[];
  /** Other files of the user in `.ralph`: an agent may write them (AGENTS.md), not take them away. */
  readonly others: readonly Guarded[];
  readonly views: readonly Guarded[];
  readonly own: ReadonlyMap<string, OwnFile>;
};

/**
 * Remembers the bytes of the tracker, the configuration, the prompts, the journal and the views, and puts back what
 * an agent changed. What other ralph processes changed meanwhile stays: the journal's head vouches for records, the
 * state for views and tracker.
 */
export function createGuard(context: GuardContext): StoreGuard {
  const { paths, journal, exclusively } = context;
  const before = exclusively(() => capture(context));
  /** The journal as the agent left it, when a change of this process came before `restore`. */
  let tampered: Buffer | null = null;
  journal.protect(() => {
    const file = readPlainFile(paths.journal);
    tampered ??= file.kind === 'file' ? file.bytes : Buffer.from(`it was ${file.kind}\n`);
    if (file.kind !== 'file') clear(paths.journal);
    journal.replace(rightfulJournal(paths, before.journal));
  });
  return {
    restore: (run, iteration) => {
      const replaced = clearWay(paths);
      return exclusively(() => {
        const folder = pathInside(paths.dir, join(iterationPath(run, iteration), 'set-aside'));
        const found = [...replaced, ...restoreFolders(context, before, folder)];
        found.push(...restoreJournal(context, before, folder, tampered));
        found.push(...restoreFiles(context, before, folder));
        found.push(...restoreViews(context, before, folder));
        found.push(...restoreOwn(context, before, folder));
        tampered = null;
        journal.protect(null);
        return found;
      });
    },
  };
}

/** Where `.ralph` itself is no folder any more, what stands there is kept outside of the repository. */
function clearWay(paths: StorePaths): Tampering[] {
  const stat = lstatOrNull(paths.dir);
  if (stat === null || stat.isDirectory()) return [];
  moveAway(paths.dir, 'replaced-ralph-folder', paths.home);
  return [{ kind: 'own', path: relative(dirname(paths.dir), paths.dir), change: 'modified', setAside: null }];
}

function capture({ trackerPaths, paths, journal }: GuardContext): Before {
  const file = readPlainFile(paths.journal);
  const views = viewPaths(paths.viewHashes);
  const names = readdirSync(paths.dir);
  const config = [...new Set([...CONFIG_FILES, ...promptFiles(names)])];
  return {
    journal: {
      bytes: file.kind === 'file' ? file.bytes : Buffer.alloc(0),
      mark: journal.mark,
      seq: journal.seq,
    },
    folders: ownFolders(paths.dir),
    trackers: trackerPaths.map((path) => guardFile(path, 'tracker')),
    config: [
      ...config.map((name) => guardFile(join(paths.dir, name), 'config')),
      guardFile(paths.runLock, 'own'),
    ],
    others: otherFiles(paths.dir, names, new Set([...config, ...views])).map((name) =>
      guardFile(join(paths.dir, name), 'config'),
    ),
    views: views.map((path) => guardFile(join(paths.dir, path), 'own')),
    own: ownFiles(paths.dir, new Set(views)),
  };
}

/** Bytes up to which a file of the user is kept in memory while an agent runs. */
const OTHER_LIMIT = 1024 * 1024;

function otherFiles(dir: string, names: readonly string[], known: ReadonlySet<string>): string[] {
  return names.filter((name) => {
    if (known.has(name) || /^\.|\.lock$|^journal\.jsonl|\.(?:edited|damaged)-/.test(name)) return false;
    const stat = lstatOrNull(join(dir, name));
    return stat?.isFile() === true && stat.size <= OTHER_LIMIT;
  });
}

function promptFiles(names: readonly string[]): string[] {
  return names.filter((name) => /^PROMPT_.*\.md$/.test(name));
}

/** Something else in the place of one of ralph's folders goes first: nothing is written through a planted link. */
function restoreFolders({ paths }: GuardContext, before: Before, folder: string): Tampering[] {
  return [...ownFolders(paths.dir)].flatMap(([name, isFolder]) => {
    if (isFolder || before.folders.get(name) === false) return [];
    const path = join(paths.dir, name);
    const aside = moveAway(path, name, folder);
    return [tampering(paths, path, 'own', before.folders.has(name) ? 'modified' : 'created', folder, aside)];
  });
}

function restoreJournal(
  { paths, journal }: GuardContext,
  before: Before,
  folder: string,
  earlier: Buffer | null,
): Tampering[] {
  const found: Tampering[] = [];
  if (earlier !== null) {
    const aside = keepBytes(earlier, 'journal.jsonl', folder);
    found.push(tampering(paths, paths.journal, 'own', 'modified', folder, aside));
  }
  if (isUntouched(paths, before.journal)) return found;
  const rightful = rightfulJournal(paths, before.journal);
  const now = readPlainFile(paths.journal);
  if (now.kind === 'file' ? now.bytes.equals(rightful) : rightful.length === 0 && now.kind === 'absent')
    return found;
  const change = now.kind === 'absent' ? 'deleted' : rightful.length === 0 ? 'created' : 'modified';
  const aside = keepCopy(paths.journal, 'journal.jsonl', folder);
  if (now.kind !== 'file') clear(paths.journal);
  journal.replace(rightful);
  return [...found, tampering(paths, paths.journal, 'own', change, folder, aside)];
}

function clear(path: string): void {
  putBack({ path, kind: 'own', was: { kind: 'absent' }, linked: null });
}

function restoreFiles(context: GuardContext, before: Before, folder: string): Tampering[] {
  const { paths, journal } = context;
  const accepted = journal.state.trackerSha256;
  const known = new Set(before.config.map(({ path }) => path));
  const planted = promptFiles(readdirSync(paths.dir)).filter((name) => !known.has(join(paths.dir, name)));
  const isAccepted = ({ path, kind }: Guarded): boolean => {
    const now = readPlainFile(path);
    return kind === 'tracker' && now.kind === 'file' && sha256(now.bytes) === accepted;
  };
  return [
    ...[...before.trackers, ...before.config].flatMap((file) => undo(paths, file, folder, isAccepted)),
    ...before.others.flatMap((file) => undo(paths, file, folder, () => changeOf(file) !== 'deleted')),
    ...planted.map((name) => {
      const path = join(paths.dir, name);
      return tampering(paths, path, 'config', 'created', folder, moveAway(path, name, folder));
    }),
  ];
}

function restoreViews(context: GuardContext, before: Before, folder: string): Tampering[] {
  const { paths, options, journal } = context;
  let rendered: readonly View[] | null = null;
  const views = () => {
    rendered ??= options.views(journal.state);
    return rendered;
  };
  const isOurs = ({ path }: Guarded): boolean => {
    const name = relative(paths.dir, path);
    const now = readPlainFile(path);
    if (now.kind !== 'file') return false;
    if (isLastWritten(paths.viewHashes, name, now.bytes)) return true;
    return views().some((view) => view.path === name && now.bytes.equals(Buffer.from(view.content)));
  };
  const found = before.views.flatMap((view) => undo(paths, view, folder, isOurs));
  if (found.length > 0) writeViewFiles(context.viewFiles, views());
  return found;
}

function restoreOwn(context: GuardContext, before: Before, folder: string): Tampering[] {
  const { paths } = context;
  const now = ownPaths(paths.dir, new Set(viewPaths(paths.viewHashes)));
  const here = new Set(now);
  const created = now.filter((path) => !before.own.has(path) && !isExpectedFile(context, before, path));
  const found = created.map((name) => {
    const path = join(paths.dir, name);
    return tampering(paths, path, 'own', 'created', folder, moveAway(path, name, folder));
  });
  for (const [name, was] of before.own) {
    const path = join(paths.dir, name);
    const stat = lstatOrNull(path);
    if (was.content !== null) found.push(...undo(paths, was.content, folder, () => false));
    else if (stat === null || !here.has(name) || fileSignature(stat) !== was.signature) {
      const aside = stat?.isFile() === false ? moveAway(path, name, folder) : null;
      found.push(tampering(paths, path, 'own', stat === null ? 'deleted' : 'modified', folder, aside));
    }
  }
  return found;
}

/** Made by another ralph process: a sealed segment, a file set aside, an archive of events. */
function isExpectedFile({ paths }: GuardContext, before: Before, path: string): boolean {
  if (/^journal\/\d+\.jsonl\.gz$/.test(path)) {
    return sealedSince(paths, before.journal).includes(join(paths.dir, path));
  }
  const file = readPlainFile(paths.journal);
  const { records } = readJournalLines(file.kind === 'file' ? file.bytes : Buffer.alloc(0));
  return records.some((record) => {
    if (record.seq <= before.journal.seq) return false;
    if (record.type === 'document_repaired') return record.setAside === path;
    if (record.type === 'events_archived') return record.archive === path;
    return record.type === 'events_reset' && path.startsWith('interventions/archive/');
  });
}

function undo(
  paths: StorePaths,
  file: Guarded,
  folder: string,
  isRightful: (file: Guarded) => boolean,
): Tampering[] {
  const change = changeOf(file);
  if (change === null || isRightful(file)) return [];
  const aside = keepCopy(file.path, shortName(paths, file.path), folder);
  putBack(file);
  return [tampering(paths, file.path, file.kind, change, folder, aside)];
}

/** Relative to `.ralph` for what is in it, else to the repository. */
function shortName(paths: StorePaths, path: string): string {
  const inside = relative(paths.dir, path);
  return inside.startsWith('..') ? relative(dirname(paths.dir), path).replaceAll('../', '') : inside;
}

function tampering(
  paths: StorePaths,
  path: string,
  kind: Tampering['kind'],
  change: Tampering['change'],
  folder: string,
  aside: string | null,
): Tampering {
  const setAside = aside === null ? null : relative(paths.dir, join(folder, aside));
  return { kind, path: relative(dirname(paths.dir), path), change, setAside };
}
