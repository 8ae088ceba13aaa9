import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';
import type { InnerRepository } from '../../../domain/change-set.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { plainText } from '../../files/plain-file.ts';
import { type BytePath, foldersAbove, isWithin, printPath } from '../call/git-path.ts';
import { absolute, dotGitOf, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { encoded } from '../line/results.ts';
import { removeTree } from './seed.ts';

/** Where the git folder of each repository in the work of a task is kept, by its path. */
const Kept = z.record(z.string(), z.nullable(z.string()));

/** What a git would run, or read its settings from, in a git folder that an agent wrote. */
const NOT_BELIEVED = ['config', 'config.worktree', 'hooks', 'commondir'];
/** The formats without which git can't read what is in there. */
const FORMAT = /^\s*(objectformat|refstorage)\s*=\s*(sha256|reftable)\s*$/gim;

type Task = {
  /** The top of the checkout. */
  readonly root: string;
  readonly taskId: string;
  /** Absolute: where git folders found now go. */
  readonly into: string;
};

/**
 * Takes the git folders of repositories that lie in the work out of it, so that they are plain folders for git, and keeps each.
 *
 * @param tree Of the copy.
 * @param changed What the work holds, by its paths.
 * @returns All repositories that attempts at the task left in what is there now.
 */
export function keepInnerRepositories(
  tree: WorkTree,
  changed: readonly BytePath[],
  { root, taskId, into }: Task,
): InnerRepository[] {
  const note = join(tree.gitDir, 'ralph', 'inner', `${encoded(taskId)}.json`);
  const known = tryOr({} as z.infer<typeof Kept>, () => Kept.parse(JSON.parse(readFileSync(note, 'utf8'))));
  const folders = new Set(changed.flatMap(foldersAbove));
  // The innermost first: the git folder of one around it is none of its files.
  const found = [...folders]
    .filter((path) => dotGitOf(tree, path) !== null)
    .toSorted((one, other) => other.length - one.length);
  for (const path of found) {
    const to = join(into, 'git', `${printPath(path)}.git`);
    known[path] = keepGitFolder(absolute(tree, path).toString('utf8'), to)
      ? relative(root, to)
      : (known[path] ?? null);
  }
  if (found.length > 0) {
    mkdirSync(dirname(note), { recursive: true, mode: 0o700 });
    writeFileAtomic(note, JSON.stringify(known));
  }
  const named = Object.entries(known).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return named.flatMap(([path, kept]) => {
    const inside = changed.filter((one) => one !== path && isWithin(one, path as BytePath));
    const bytes = inside.reduce((sum, one) => sum + Number(lstatQuietly(absolute(tree, one))?.size ?? 0n), 0);
    return inside.length === 0
      ? []
      : [{ path: printPath(path as BytePath), kept, files: inside.length, bytes }];
  });
}

/** Moves what makes a folder a repository; false where that is a file, which leads to what the copy doesn't keep. */
function keepGitFolder(folder: string, to: string): boolean {
  const from = join(folder, '.git');
  if (lstatSync(from).isDirectory()) {
    if (existsSync(to)) removeTree(Buffer.from(to));
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    try {
      renameSync(from, to);
    } catch (error) {
      // The records may lie on another disk than the copy.
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
      removeTree(Buffer.from(from));
    }
    disarm(to);
    return true;
  }
  removeTree(Buffer.from(from));
  return false;
}

/** You may look into it with git: nothing of what its author set is in force then. */
function disarm(gitFolder: string): void {
  const text = plainText(join(gitFolder, 'config')) ?? '';
  const formats = [...text.matchAll(FORMAT)].map(([, key, value]) => `\t${key} = ${value}\n`);
  for (const name of NOT_BELIEVED) {
    const path = join(gitFolder, name);
    if (lstatQuietly(path) !== null) renameSync(path, `${path}.as-left`);
  }
  const version = formats.length === 0 ? 0 : 1;
  const extensions = version === 0 ? '' : `[extensions]\n${formats.join('')}`;
  writeFileSync(
    join(gitFolder, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${extensions}`,
  );
}
