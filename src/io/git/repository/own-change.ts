import { sha256 } from '../../ids.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { usersEntries } from '../objects/users-index.ts';
import { readRefs } from './refs.ts';

/** What your editor or a timer fetches meanwhile. */
const FETCHED = 'refs/remotes/';

type Values = ReadonlyMap<string, string>;

/** By git folder: what ends last of what this process does there, and what the watches that aren't read yet began with. */
const lasts = new Map<string, Promise<unknown>>();
const watches = new Map<string, Set<Map<string, string>>>();

/** One after the other: else a look at the line would take a landing that is under way for one that was cut off. */
export function inLandingTurn<T>({ gitDir }: WorkTree, task: () => Promise<T>): Promise<T> {
  const next = (lasts.get(gitDir) ?? Promise.resolve()).then(task);
  lasts.set(
    gitDir,
    next.catch(() => undefined),
  );
  return next;
}

/** The same for what changes the user's branch or index: no watch of this process names that. */
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
export async function watchGit(tree: WorkTree): Promise<() => Promise<readonly string[]>> {
  const before = await inLandingTurn(tree, async () => {
    const values = new Map(await valuesOf(tree));
    watches.set(tree.gitDir, (watches.get(tree.gitDir) ?? new Set()).add(values));
    return values;
  });
  return () =>
    inLandingTurn(tree, async () => {
      watches.get(tree.gitDir)?.delete(before);
      return changedNames(before, await valuesOf(tree));
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
