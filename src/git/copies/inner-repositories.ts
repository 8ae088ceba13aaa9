import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { plainText, readJson } from 'ralph-kit/files/plain-file';
import { removeTree } from 'ralph-kit/files/remove-tree';
import { isAtOrBelow } from 'ralph-kit/paths';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import type { InnerRepository } from '../../domain/change-set.ts';
import type { KeptElsewhere } from '../../domain/ports.ts';
import { type BytePath, bytePath, foldersAbove, isWithin, parsePath, printPath } from '../call/git-path.ts';
import { absolute, dotGitOf, gitFileTargetIn, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { encoded } from '../line/results.ts';

/** Record of the git folders in a task's work, by path. */
const Kept = z.record(
  z.string(),
  z.object({ kept: z.nullable(z.string()), leadsTo: z.nullable(z.string()) }),
);

/** Files through which git would run programs or read settings written by an agent. */
const NOT_BELIEVED = ['config', 'config.worktree', 'hooks', 'commondir'];
/** Formats that git must know to read the objects. */
const FORMAT = /^\s*(objectformat|refstorage)\s*=\s*(sha256|reftable)\s*$/gim;

type Task = {
  readonly root: string;
  readonly taskId: string;
  /** Repositories already flattened by another machine. */
  readonly elsewhere: readonly KeptElsewhere[];
  /** Absolute folder for git folders found now. */
  readonly destination: string;
  readonly agentGit: string;
  readonly isOfBase: (path: string) => Promise<boolean>;
};

/**
 * Moves the git folders of nested repositories out of the work, so that git sees plain folders, and keeps them.
 * @param tree The copy.
 * @param changed Paths in the work.
 * @returns All repositories that attempts at the task left in the current work.
 */
export async function keepInnerRepositories(
  tree: WorkTree,
  changed: readonly BytePath[],
  task: Task,
): Promise<InnerRepository[]> {
  const { root, taskId, destination, elsewhere } = task;
  const note = join(tree.gitDir, 'ralph', 'inner', `${encoded(taskId)}.json`);
  const records = readJson(note, Kept) ?? {};
  const folders = new Set(changed.flatMap(foldersAbove));
  // Innermost first: an inner git folder isn't part of the outer repository's files.
  const found = [...folders]
    .filter((path) => dotGitOf(tree, path) !== null)
    .toSorted((one, other) => other.length - one.length);
  const [files, repositories] = [
    found.filter((path) => dotGitOf(tree, path)?.isFile() === true),
    found.filter((path) => dotGitOf(tree, path)?.isFile() !== true),
  ];
  const to = (path: BytePath) => join(destination, 'git', `${printPath(path)}.git`);
  // `.git` files are handled before the folders they may lead to are moved.
  for (const path of files) {
    const target = gitFileTargetIn(tree, path);
    const kept = await keepWhereItLeads(tree, path, to, task);
    const dotGit = `${absolute(tree, path).toString('utf8')}/.git`;
    if (kept === to(path)) removeTree(dotGit);
    else moveTo(dotGit, join(destination, 'git', `${printPath(path)}.git-file`));
    if (kept !== null) records[path] = { kept: relative(root, kept), leadsTo: null };
    else records[path] ??= { kept: null, leadsTo: target };
  }
  for (const path of repositories) {
    moveTo(`${absolute(tree, path).toString('utf8')}/.git`, to(path));
    disarm(to(path));
    records[path] = { kept: relative(root, to(path)), leadsTo: null };
  }
  for (const { path, ...place } of elsewhere) records[parsePath(path)] = place;
  if (found.length + elsewhere.length > 0) {
    mkdirSync(dirname(note), { recursive: true, mode: 0o700 });
    writeFileAtomic(note, JSON.stringify(records));
  }
  const named = Object.entries(records).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return named.flatMap(([path, place]) => {
    const inside = changed.filter((one) => one !== path && isWithin(one, path as BytePath));
    const bytes = inside.reduce((sum, one) => sum + Number(tryLstat(absolute(tree, one))?.size ?? 0n), 0);
    return inside.length === 0
      ? []
      : [{ path: printPath(path as BytePath), ...place, files: inside.length, bytes }];
  });
}

/** Keeps the git folder named in a `.git` file and returns its new path; `null` when it is outside work and copy. */
async function keepWhereItLeads(
  tree: WorkTree,
  path: BytePath,
  to: (path: BytePath) => string,
  { agentGit, isOfBase }: Task,
): Promise<string | null> {
  const target = gitFileTargetIn(tree, path);
  if (target === null) return null;
  const inside = relative(tree.shownAt ?? tree.top, target);
  if (inside === '' || inside.startsWith('..')) return null;
  // A linked work tree of another repository in the work moves with that repository.
  const [, around, rest] = /^(.+?)\/\.git\/(.+)$/.exec(inside) ?? [];
  if (around !== undefined && rest !== undefined) return join(to(bytePath(Buffer.from(around))), rest);
  const ofCopy = /^\.git\/(.+)$/.exec(inside)?.[1];
  const [top, name] = ofCopy === undefined ? [tree.top, inside] : [agentGit, ofCopy];
  const from = join(top, name);
  // A link could cause a folder outside the work to be moved.
  const isOwn = tryOr(false, () => realpathSync(from) === join(realpathSync(top), name));
  const holds = (one: string) => existsSync(join(from, one));
  if (!isOwn || !['HEAD', 'objects', 'refs'].every(holds)) return null;
  if (isAtOrBelow(absolute(tree, path).toString('utf8'), from)) return null;
  if (ofCopy === undefined && (await isOfBase(inside))) copyTo(from, to(path));
  else moveTo(from, to(path));
  disarm(to(path));
  return to(path);
}

/** Replaces what an earlier attempt left there. */
function moveTo(from: string, to: string): void {
  makeRoom(to);
  try {
    renameSync(from, to);
  } catch (error) {
    // Records may be on another disk than the copy.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyTo(from, to);
    removeTree(from);
  }
}

function makeRoom(place: string): void {
  if (existsSync(place)) removeTree(place);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
}

function copyTo(from: string, to: string): void {
  makeRoom(to);
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** You may inspect the folder with git, so settings and hooks of its author are disabled. */
function disarm(gitFolder: string): void {
  const text = plainText(join(gitFolder, 'config')) ?? '';
  const formats = [...text.matchAll(FORMAT)].map(([, key, value]) => `\t${key} = ${value}\n`);
  for (const name of NOT_BELIEVED) {
    const path = join(gitFolder, name);
    if (tryLstat(path) !== null) renameSync(path, `${path}.as-left`);
  }
  const version = formats.length === 0 ? 0 : 1;
  const extensions = version === 0 ? '' : `[extensions]\n${formats.join('')}`;
  writeFileSync(
    join(gitFolder, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${extensions}`,
  );
}
