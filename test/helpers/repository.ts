import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type TestRepository = {
  /** Absolute top of the work tree, symlinks resolved. */
  readonly root: string;
  /** Runs git in the work tree and returns its output without the last newline; throws if git fails. */
  readonly git: (...args: string[]) => string;
  /** Absolute path of a file in the work tree. */
  readonly path: (name: string) => string;
  /** Writes a file, its folders made as needed. */
  readonly write: (name: string, content: string | Buffer, mode?: number) => void;
  readonly read: (name: string) => string;
  readonly exists: (name: string) => boolean;
  readonly remove: (name: string) => void;
  /** Returns the absolute path of an object's file, if the object isn't in a pack; by id or another name. */
  readonly object: (name: string) => string;
  /** Stages everything and commits; returns the commit's id. */
  readonly commitAll: (message: string) => string;
};

const made: string[] = [];

/** Removes the folders that `temporaryFolder` made so far, for a program that makes thousands. */
export function removeTemporaryFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Makes an empty folder and returns its path, symlinks resolved. It is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-test-')));
  made.push(folder);
  return folder;
}

/** Makes a repository on branch `main` with these files committed; `null`: no commit yet. */
export function makeRepository(
  files: Readonly<Record<string, string | Buffer>> | null = { 'README.md': 'hello\n' },
): TestRepository {
  const repository = repositoryAt(temporaryFolder());
  // The template's sample hooks are left out, because they only take time.
  repository.git('init', '-q', '-b', 'main', '--template=');
  repository.write('.git/info/exclude', '');
  if (files === null) return repository;
  for (const [name, content] of Object.entries(files)) repository.write(name, content);
  repository.commitAll('start');
  return repository;
}

/** Returns helpers for a folder that holds, or will hold, a work tree. */
export function repositoryAt(root: string): TestRepository {
  const path = (name: string) => join(root, name);
  const git = (...args: string[]) => runTestGit(root, args);
  return {
    root,
    git,
    path,
    write: (name, content, mode) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content, mode === undefined ? {} : { mode });
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    exists: (name) => lstatSync(path(name), { throwIfNoEntry: false }) !== undefined,
    remove: (name) => rmSync(path(name), { recursive: true, force: true }),
    object: (name) => {
      const id = git('rev-parse', name);
      return path(join('.git/objects', id.slice(0, 2), id.slice(2)));
    },
    commitAll: (message) => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
  };
}

/** Returns git's output without the last newline. */
export function runTestGit(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input?: string,
): string {
  const run = spawnSync('git', args, { cwd, env: { ...process.env, ...env }, input, maxBuffer: 2 ** 28 });
  if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr?.toString() ?? run.error}`);
  return run.stdout.toString('utf8').replace(/\n$/, '');
}

/** Returns the tree id of the work tree, hashed from nothing, without ignored files and `.ralph/`. */
export function coldTree(root: string): string {
  const folder = temporaryFolder();
  const excludes = join(folder, 'excludes');
  writeFileSync(excludes, '/.ralph/\n');
  const env = { GIT_INDEX_FILE: join(folder, 'index') };
  const settings = [`core.excludesFile=${excludes}`, 'core.safecrlf=false', 'core.sparseCheckout=false'];
  runTestGit(root, [...settings.flatMap((setting) => ['-c', setting]), 'add', '-A'], env);
  runTestGit(root, ['rm', '-r', '-q', '-f', '--cached', '--ignore-unmatch', '.ralph'], env);
  return runTestGit(root, ['write-tree'], env);
}
