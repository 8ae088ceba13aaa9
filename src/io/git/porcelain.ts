import { simpleGit } from 'simple-git';
import { gitCall } from './call/environment.ts';

/** Questions about the repository around a folder; where git can't answer, the answer is the empty one. */
export type Porcelain = {
  /** Output of `git --version`; `null` when git can't be started. */
  readonly version: () => Promise<string | null>;
  /** Id of the commit at HEAD; `null` before the first one. */
  readonly head: () => Promise<string | null>;
  /** Short name; `null` on a detached HEAD. */
  readonly branch: () => Promise<string | null>;
  readonly isSparse: () => Promise<boolean>;
  /** Whether git knows who commits. */
  readonly hasIdentity: () => Promise<boolean>;
  /** Names of the refs below a folder of refs. */
  readonly refs: (folder: string) => Promise<readonly string[]>;
  /** The paths among these, and below them, that git tracks. */
  readonly tracked: (paths: readonly string[]) => Promise<readonly string[]>;
  /** Whether ignore rules cover a path, tracked or not. */
  readonly isIgnored: (path: string) => Promise<boolean>;
};

/** What is never passed on: a question starts no editor, pager or prompt. */
const GUARDED = /^(?:GIT_.*|EDITOR|VISUAL|PAGER|PREFIX|SSH_ASKPASS)$/;
/** Except where the user's settings are, who commits, and what `gitCall` pins. */
const ALLOWED =
  /^GIT_(?:CONFIG_.*|AUTHOR_.*|COMMITTER_.*|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|TERMINAL_PROMPT|OPTIONAL_LOCKS|LITERAL_PATHSPECS|NO_REPLACE_OBJECTS)$/;

/**
 * Asks through simple-git what isn't on the measured path and changes nothing. Its checks of options, settings and
 * variables stay on; two of them are open for the variables that name the user's own configuration.
 */
export function openPorcelain(folder: string): Porcelain {
  const { env } = gitCall({ kind: 'question', folder }, { GIT_LITERAL_PATHSPECS: '0' });
  const passed = Object.entries(env).filter(([name]) => !GUARDED.test(name) || ALLOWED.test(name));
  const git = simpleGit({
    baseDir: folder,
    allowEnvironment: passed.map(([name]) => name).filter((name) => ALLOWED.test(name)),
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeConfigEnvCount: true },
  }).env(Object.fromEntries(passed));

  /** One line or more; `null` when git fails or prints nothing. */
  const ask = async (...args: readonly string[]): Promise<string | null> => {
    try {
      return (await git.raw([...args])).trim() || null;
    } catch {
      return null;
    }
  };
  const lines = async (...args: readonly string[]) => (await ask(...args))?.split('\n') ?? [];
  return {
    version: () => ask('--version'),
    head: () => ask('rev-parse', '--verify', '--quiet', 'HEAD'),
    branch: () => ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    isSparse: async () => (await ask('config', '--type=bool', 'core.sparseCheckout')) === 'true',
    hasIdentity: async () => (await ask('var', 'GIT_COMMITTER_IDENT')) !== null,
    refs: (below) => lines('for-each-ref', '--format=%(refname)', below),
    tracked: (paths) => lines('ls-files', '--', ...paths),
    isIgnored: async (path) => (await ask('check-ignore', '--no-index', path)) !== null,
  };
}
