import { parseSettings, type Setting } from 'ralph-kit/formats/git-config';
import { GitError } from '../../domain/ports.ts';
import { gitCall } from './environment.ts';
import { objectGit } from './git.ts';
import { runGit } from './run-git.ts';
import type { WorkTree } from './work-tree.ts';

/** Settings by view folder; pinned settings don't change. */
const listed = new Map<string, Promise<readonly Setting[]>>();
const typed = new Map<string, Promise<string | null>>();
const identities = new Map<string, Promise<Identities>>();

/** Returns all settings of a work tree's git. @throws GitError */
export function settingsOf(tree: WorkTree): Promise<readonly Setting[]> {
  return once(listed, tree, [], async () =>
    parseSettings((await objectGit(tree, ['config', '--list', '-z', '--show-scope'])).stdout),
  );
}

/** Returns the settings in a repository's own file; empty when git can't read it. */
export async function localSettings(tree: WorkTree): Promise<readonly Setting[]> {
  const args = ['config', '--local', '--list', '-z', '--show-scope'];
  return parseSettings((await objectGit(tree, args, { answers: [1, 128] })).stdout);
}

/** Git's names of truth values; numbers are possible too. */
const TRUTH: Readonly<Record<string, string>> = {
  true: 'true',
  yes: 'true',
  on: 'true',
  false: 'false',
  no: 'false',
  off: 'false',
};

/** Returns a git setting in the canonical form of its type; `null` when unset. */
export async function setting(
  tree: WorkTree,
  type: 'bool' | 'int' | 'path',
  key: string,
): Promise<string | null> {
  if (tree.view !== null) {
    const found = (await settingsOf(tree)).findLast((one) => one.key === key.toLowerCase());
    if (found === undefined) return null;
    // The list of settings also contains the flags (`-c`) of ralph's own calls, which aren't the user's.
    const isFlag = found.scope === 'command';
    const truth = type === 'bool' && !isFlag ? TRUTH[(found.value ?? 'true').toLowerCase()] : undefined;
    if (truth !== undefined) return truth;
  }
  return once(typed, tree, [type, key], async () => {
    // Without flags, ralph's own settings don't hide the user's.
    const call = { ...gitCall({ kind: 'objects', tree }), flags: [] };
    const found = await runGit(call, ['config', `--type=${type}`, '--get', key], { answers: [1] });
    return found.code === 0 ? found.stdout.toString('utf8').replace(/\n$/, '') : null;
  });
}

export type Identity = {
  /** Name and address, one character per byte. */
  readonly name: string;
  /** Seconds since 1970 and time zone, set by an environment variable; `null`: the time of each commit. */
  readonly date: string | null;
};

type Identities = { readonly author: Identity; readonly committer: Identity };

/** Returns author and committer as git knows them. @throws GitError when git doesn't know the user. */
export function identityOf(tree: WorkTree): Promise<Identities> {
  const { GIT_AUTHOR_DATE, GIT_COMMITTER_DATE } = process.env;
  return once(identities, tree, [JSON.stringify([GIT_AUTHOR_DATE, GIT_COMMITTER_DATE])], async () => ({
    author: await asked(tree, 'AUTHOR'),
    committer: await asked(tree, 'COMMITTER'),
  }));
}

async function asked(tree: WorkTree, which: 'AUTHOR' | 'COMMITTER'): Promise<Identity> {
  const args = ['var', `GIT_${which}_IDENT`];
  const { code, stdout, stderr } = await objectGit(tree, args, { answers: [128] });
  const [, name, date = null] = /^(.* <.*>) (\d+ [+-]\d+)\n$/.exec(stdout.toString('latin1')) ?? [];
  if (code === 0 && name !== undefined)
    return { name, date: process.env[`GIT_${which}_DATE`] === undefined ? null : date };
  const why = stderr.split('\n').findLast((line) => line.startsWith('fatal:')) ?? stderr;
  throw new GitError(
    `git doesn't know who commits (${why}). Run: git config user.name "…" && git config user.email "…"`,
  );
}

/** Remembers answers per view; without a pinned view, settings may change, so every call asks. */
function once<T>(
  known: Map<string, Promise<T>>,
  { view, gitDir }: WorkTree,
  about: readonly string[],
  ask: () => Promise<T>,
): Promise<T> {
  if (view === null) return ask();
  const key = [view.folder, gitDir, ...about].join('\0');
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  answer.catch(() => known.delete(key));
  return answer;
}
