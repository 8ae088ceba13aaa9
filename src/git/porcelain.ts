import { lateText } from 'ralph-kit/programs/start/patience';
import { endAt } from 'ralph-kit/programs/start/started-meanwhile';
import { trimBlanks } from 'ralph-kit/text';
import { simpleGit } from 'simple-git';
import { gitCall } from './call/environment.ts';
import { GitStopped, runGit } from './call/run-git.ts';

/** Questions about a repository; the answer is empty when git can't answer. */
export type Porcelain = ReturnType<typeof openPorcelain>;

/** Variables never passed on, so that questions start no editor, pager or prompt. */
const GUARDED = /^(?:GIT_.*|EDITOR|VISUAL|PAGER|PREFIX|SSH_ASKPASS)$/;
/** Exceptions: the user's settings and identity, and the variables of `gitCall`. */
const ALLOWED =
  /^GIT_(?:CONFIG_.*|AUTHOR_.*|COMMITTER_.*|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|TERMINAL_PROMPT|OPTIONAL_LOCKS|LITERAL_PATHSPECS|NO_REPLACE_OBJECTS)$/;

/** simple-git rejects these by default: your own configuration and what `gitCall` turns off. */
const PERMITTED = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeCustomBinary: true,
  allowUnsafeEditor: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
};

/** Opens questions through simple-git, used where speed doesn't matter and nothing is changed. */
export function openPorcelain(folder: string) {
  const { program, env, flags, limitMs } = gitCall(
    { kind: 'question', folder },
    { GIT_LITERAL_PATHSPECS: '0' },
  );
  const passed = Object.entries({ ...env, ...asVariables(flags, env) }).filter(
    ([name]) => !GUARDED.test(name) || ALLOWED.test(name),
  );
  const git = simpleGit({
    baseDir: folder,
    allowEnvironment: passed.map(([name]) => name).filter((name) => ALLOWED.test(name)),
    ...(program.kind === 'found' ? { binary: program.path } : {}),
    unsafe: PERMITTED,
  }).env(Object.fromEntries(passed));

  /** Returns git's output; `null` when git fails or prints nothing. @throws GitStopped at the time limit. */
  const ask = async (...args: readonly string[]): Promise<string | null> => {
    if (program.kind === 'missing') return null;
    const deadline = endAt(limitMs, (child) => args.every((arg) => child.spawnargs.includes(arg)));
    const answer = await git.raw([...args]).catch(() => '');
    // A missing answer isn't an empty one, and the next question would wait as long.
    if (deadline.isOver()) throw new GitStopped(`git ${args[0]} ${lateText(limitMs)}`);
    return trimBlanks(answer) || null;
  };
  const lines = async (...args: readonly string[]) => (await ask(...args))?.split('\n') ?? [];
  const commitOf = (name: string) =>
    ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  return {
    /** Returns the commit that a name stands for; `null` when there is none. */
    commitOf,
    treeOf: (commit: string) => ask('rev-parse', '--verify', '--quiet', `${commit}^{tree}`),
    /** Returns a file's bytes; `null` when it isn't a plain file in the tree. */
    fileIn: async (tree: string, path: string): Promise<Buffer | null> => {
      const call = gitCall({ kind: 'question', folder });
      const [entry = ''] = await lines('ls-tree', '--full-tree', tree, '--', path);
      const [, id] = /^100\d{3} blob ([0-9a-f]+)\t/.exec(entry) ?? [];
      return id === undefined ? null : (await runGit(call, ['cat-file', 'blob', id])).stdout;
    },
    emptyTree: () => ask('hash-object', '-t', 'tree', '/dev/null'),
    mergeBase: (one: string, other: string) => ask('merge-base', one, other),
    differs: async (one: string, other: string, path: string) =>
      (await ask('diff-tree', '--name-only', one, other, '--', path)) !== null,
    /** Whether all objects of the commits' trees exist and match their ids. */
    isWhole: async (commits: readonly string[]) => {
      const call = gitCall({ kind: 'question', folder });
      const args = ['rev-list', '--verify-objects', '--no-walk', '--no-object-names', ...commits];
      const { code, stderr } = await runGit(call, args, { answers: [1, 128] });
      // Git reports a mismatching object but exits with 0.
      return code === 0 && !/^(?:error|fatal):/m.test(stderr);
    },
    /** Returns the base of new branches: the remote's default or a usual name. */
    mainBranch: async (): Promise<string | null> => {
      const known = await ask('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
      const usual = ['main', 'master', 'trunk'];
      const names = [
        known,
        ...usual.map((name) => `refs/heads/${name}`),
        ...usual.map((name) => `refs/remotes/origin/${name}`),
      ];
      for (const name of names) if (name !== null && (await commitOf(name)) !== null) return name;
      return null;
    },
    /** Returns commits that no known remote has, newest first; empty without a remote. */
    unpushed: async (tip: string): Promise<readonly string[]> =>
      (await ask('remote')) === null ? [] : lines('rev-list', '--first-parent', tip, '--not', '--remotes'),
    /** Returns the newest first-parent commit with another subject; `null` when there is none. */
    newestWithout: (tip: string, subject: string) =>
      ask('rev-list', '--max-count=1', '--first-parent', '--invert-grep', `--grep=^${subject}$`, tip),
    remotes: async () =>
      (await lines('config', '--get-regexp', '^remote\\..*\\.url$')).flatMap((line) => {
        const [, name, url] = /^remote\.(.*)\.url (.*)$/.exec(line) ?? [];
        return name === undefined || url === undefined ? [] : [{ name, url }];
      }),
    /** Returns git's version; `null` when git can't be started. */
    version: () => ask('--version'),
    /** Returns the commit at HEAD; `null` before the first commit. */
    head: () => ask('rev-parse', '--verify', '--quiet', 'HEAD'),
    /** Returns the short name of the current branch; `null` when HEAD is detached. */
    branch: () => ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    isShallow: async () => (await ask('rev-parse', '--is-shallow-repository')) === 'true',
    isSparse: async () => (await ask('config', '--type=bool', 'core.sparseCheckout')) === 'true',
    /** Returns the user's mail address; `null` when git knows none. */
    email: () => ask('config', 'user.email'),
    /** Returns a setting; `path` resolves `~`. `null` when unset. */
    setting: (name: string, type?: 'path') =>
      ask('config', ...(type === undefined ? [] : [`--type=${type}`]), name),
    refs: (below: string) => lines('for-each-ref', '--format=%(refname)', below),
    tracked: (paths: readonly string[]) => lines('ls-files', '--', ...paths),
    untracked: (path: string) => lines('ls-files', '--others', '--exclude-standard', '--', path),
    /** Returns commits of refs and reflogs that changed a path, newest first. */
    commitsOf: (path: string) =>
      lines('log', '--all', '--reflog', '--full-history', '-m', '--format=%H', '--', path),
    /** Whether ignore rules match a path, tracked or not. */
    isIgnored: async (path: string) => (await ask('check-ignore', '--no-index', path)) !== null,
  };
}

/** Converts `-c NAME=VALUE` flags to variables, after those in the user's environment. */
function asVariables(flags: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = flags.filter((flag) => flag !== '-c').map((flag) => flag.split(/=(.*)/s));
  const first = Number(env.GIT_CONFIG_COUNT ?? 0);
  const entries = settings.flatMap(([name = '', value = ''], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, name],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(first + settings.length) };
}
