import { sha256 } from 'ralph-kit/files/sha256';
import { oneByOne } from 'ralph-kit/one-by-one';
import { remembered } from 'ralph-kit/remembered';
import type { ChangedInGit } from '../../domain/ports.ts';
import { objectText } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { usersEntries } from '../objects/users-index.ts';
import { readRefs } from './refs.ts';

/** Editors and timers fetch in the background, so these refs aren't watched. */
const FETCHED = 'refs/remotes/';

type Values = ReadonlyMap<string, string>;

/** State by git folder: whose turn it is in this process, and the initial values of open watches. */
const turns = remembered(() => oneByOne());
const watches = new Map<string, Set<Map<string, string>>>();

/** Runs tasks one at a time: another look would take a running landing for an interrupted one. */
export function inLandingTurn<T>({ gitDir }: WorkTree, task: () => Promise<T>): Promise<T> {
  return turns(gitDir)(task);
}

/** Runs a change to the user's branch or index that no watch of this process reports. */
export function ownChange<T>(tree: WorkTree, task: () => Promise<T>): Promise<T> {
  return inLandingTurn(tree, async () => {
    const open = watches.get(tree.gitDir) ?? new Set();
    if (open.size === 0) return task();
    const was = await valuesOf(tree);
    try {
      return await task();
    } finally {
      const is = await valuesOf(tree);
      for (const before of open)
        for (const name of changedNames(was, is))
          if (before.get(name) === was.get(name)) follow(before, name, is);
    }
  });
}

/** Names what others than this process change from now on of HEAD, branches, tags, stashes and the index. */
export async function watchGit(tree: WorkTree): Promise<() => Promise<ChangedInGit>> {
  const before = await inLandingTurn(tree, async () => {
    const values = new Map(await valuesOf(tree));
    watches.set(tree.gitDir, (watches.get(tree.gitDir) ?? new Set()).add(values));
    return values;
  });
  return () =>
    inLandingTurn(tree, async () => {
      watches.get(tree.gitDir)?.delete(before);
      const now = await valuesOf(tree);
      const git = changedNames(before, now);
      return { git, commits: git.includes('HEAD') ? await commitsSince(tree, before, now) : [] };
    });
}

/** Maximum number of commits that are named. */
const MOST_COMMITS = 3;

async function commitsSince(tree: WorkTree, before: Values, now: Values): Promise<ChangedInGit['commits']> {
  const [was = '', is = ''] = [before.get('HEAD'), now.get('HEAD')];
  if (was === '' || is === '') return [];
  const listed = await objectText(tree, [
    // `rev-list` is used, because the settings of the repository change the output of `log`.
    ...['rev-list', '--ancestry-path', `--max-count=${MOST_COMMITS}`, '--format=%H%x00%an%x00%s'],
    ...[is, '--not', was],
  ]);
  return listed.split('\n').flatMap((line) => {
    const [commit = '', author, subject] = line.split('\0');
    return author === undefined || subject === undefined ? [] : [{ commit, author, subject }];
  });
}

async function valuesOf(tree: WorkTree): Promise<Values> {
  const { head, refs } = await readRefs(tree);
  const staged = (await usersEntries(tree)).map(
    ({ mode, oid, stage, path }) => `${mode} ${oid} ${stage} ${path}\0`,
  );
  const own = [...refs].filter(([name]) => !name.startsWith(FETCHED));
  return new Map([['HEAD', head ?? ''], ...own, ['the index', sha256(staged.join(''))]]);
}

function changedNames(before: Values, now: Values): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name));
}

function follow(values: Map<string, string>, name: string, now: Values): void {
  const value = now.get(name);
  if (value === undefined) values.delete(name);
  else values.set(name, value);
}
