import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';
import type { InnerRepository } from '../../../domain/change-set.ts';
import type { KeptElsewhere } from '../../../domain/ports.ts';
import { isAtOrBelow } from '../../../lib/paths.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { plainText } from '../../files/plain-file.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { type BytePath, bytePath, foldersAbove, isWithin, parsePath, printPath } from '../call/git-path.ts';
import { absolute, dotGitOf, gitFileTarget, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { encoded } from '../line/results.ts';

/** What is known of the git folder of each repository in the work of a task, by its path. */
const Kept = z.record(
  z.string(),
  z.object({ kept: z.nullable(z.string()), leadsTo: z.nullable(z.string()) }),
);

/** What a git would run, or read its settings from, in a git folder that an agent wrote. */
const NOT_BELIEVED = ['config', 'config.worktree', 'hooks', 'commondir'];
/** The formats without which git can't read what is in there. */
const FORMAT = /^\s*(objectformat|refstorage)\s*=\s*(sha256|reftable)\s*$/gim;

type Task = {
  /** The top of the checkout. */
  readonly root: string;
  readonly taskId: string;
  /** Plain already, by another machine. */
  readonly elsewhere: readonly KeptElsewhere[];
  /** Absolute: where git folders found now go. */
  readonly into: string;
  /** The git folder of the copy. */
  readonly agentGit: string;
  /** Whether what the work began with has something there. */
  readonly isOfBase: (path: string) => Promise<boolean>;
};

/**
 * Takes the git folders of repositories that lie in the work out of it, so that they are plain folders for git, and keeps each.
 *
 * @param tree Of the copy.
 * @param changed What the work holds, by its paths.
 * @returns All repositories that attempts at the task left in what is there now.
 */
export async function keepInnerRepositories(
  tree: WorkTree,
  changed: readonly BytePath[],
  task: Task,
): Promise<InnerRepository[]> {
  const { root, taskId, into, elsewhere } = task;
  const note = join(tree.gitDir, 'ralph', 'inner', `${encoded(taskId)}.json`);
  const known = tryOr({} as z.infer<typeof Kept>, () => Kept.parse(JSON.parse(readFileSync(note, 'utf8'))));
  const folders = new Set(changed.flatMap(foldersAbove));
  // The innermost first: the git folder of one around it is none of its files.
  const found = [...folders]
    .filter((path) => dotGitOf(tree, path) !== null)
    .toSorted((one, other) => other.length - one.length);
  const [files, repositories] = [
    found.filter((path) => dotGitOf(tree, path)?.isFile() === true),
    found.filter((path) => dotGitOf(tree, path)?.isFile() !== true),
  ];
  const to = (path: BytePath) => join(into, 'git', `${printPath(path)}.git`);
  // Before the folders that they may lead into are moved.
  for (const path of files) {
    const target = gitFileTarget(tree, path);
    const kept = await keepWhereItLeads(tree, path, to, task);
    const dotGit = `${absolute(tree, path).toString('utf8')}/.git`;
    if (kept === to(path)) removeTree(dotGit);
    else moveTo(dotGit, join(into, 'git', `${printPath(path)}.git-file`));
    if (kept !== null) known[path] = { kept: relative(root, kept), leadsTo: null };
    else known[path] ??= { kept: null, leadsTo: target };
  }
  for (const path of repositories) {
    moveTo(`${absolute(tree, path).toString('utf8')}/.git`, to(path));
    disarm(to(path));
    known[path] = { kept: relative(root, to(path)), leadsTo: null };
  }
  for (const { path, ...place } of elsewhere) known[parsePath(path)] = place;
  if (found.length + elsewhere.length > 0) {
    mkdirSync(dirname(note), { recursive: true, mode: 0o700 });
    writeFileAtomic(note, JSON.stringify(known));
  }
  const named = Object.entries(known).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return named.flatMap(([path, place]) => {
    const inside = changed.filter((one) => one !== path && isWithin(one, path as BytePath));
    const bytes = inside.reduce((sum, one) => sum + Number(lstatQuietly(absolute(tree, one))?.size ?? 0n), 0);
    return inside.length === 0
      ? []
      : [{ path: printPath(path as BytePath), ...place, files: inside.length, bytes }];
  });
}

/**
 * Keeps the git folder to which a `.git` file leads, where that lies in the work or in the git folder of the copy; where it is then. `null`: it
 * leads elsewhere.
 */
async function keepWhereItLeads(
  tree: WorkTree,
  path: BytePath,
  to: (path: BytePath) => string,
  { agentGit, isOfBase }: Task,
): Promise<string | null> {
  const target = gitFileTarget(tree, path);
  if (target === null) return null;
  const inside = relative(tree.shownAt ?? tree.top, target);
  if (inside === '' || inside.startsWith('..')) return null;
  // A work tree of another repository in the work goes with that.
  const [, around, rest] = /^(.+?)\/\.git\/(.+)$/.exec(inside) ?? [];
  if (around !== undefined && rest !== undefined) return join(to(bytePath(Buffer.from(around))), rest);
  const ofCopy = /^\.git\/(.+)$/.exec(inside)?.[1];
  const [top, name] = ofCopy === undefined ? [tree.top, inside] : [agentGit, ofCopy];
  const from = join(top, name);
  // By a link, a folder that isn't the agent's would be moved.
  const isOwn = tryOr(false, () => realpathSync(from) === join(realpathSync(top), name));
  const holds = (one: string) => existsSync(join(from, one));
  if (!isOwn || !['HEAD', 'objects', 'refs'].every(holds)) return null;
  if (isAtOrBelow(absolute(tree, path).toString('utf8'), from)) return null;
  if (ofCopy === undefined && (await isOfBase(inside))) copyTo(from, to(path));
  else moveTo(from, to(path));
  disarm(to(path));
  return to(path);
}

/** In the place of what an attempt before left there. */
function moveTo(from: string, to: string): void {
  makeRoom(to);
  try {
    renameSync(from, to);
  } catch (error) {
    // The records may lie on another disk than the copy.
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
