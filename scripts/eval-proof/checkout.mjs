import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Exit code of `timeout` when the time was over. */
export const ENDLESS = 124;
const LIMIT_SECONDS = '60';
/** A fixed author and date, so that the same commits get the same ids. */
const SOMEONE = ['NAME', 'EMAIL', 'DATE'].flatMap((key) =>
  ['AUTHOR', 'COMMITTER'].map((who) => [
    `GIT_${who}_${key}`,
    key === 'DATE' ? '2026-01-01T00:00:00Z' : 'evaluation@localhost',
  ]),
);
/**
 * Environment of tests: Python can't use byte code of another file with the same second and size, and a mistake that
 * fills the memory ends.
 */
const CALM = { CI: '1', PYTHONDONTWRITEBYTECODE: '1', NODE_OPTIONS: '--max-old-space-size=1024' };
const ENV = { ...process.env, ...Object.fromEntries(SOMEONE), ...CALM };

/**
 * Opens a checkout of a library with everything that its tests need, which is made once.
 * @param {object} library An entry of `libraries.json`.
 * @param {string} folder Folder of all checkouts.
 * @param {string | undefined} clones Folder of git folders `OWNER+NAME/repo` or `OWNER+NAME`; without it, the library
 * is cloned from GitHub.
 */
export function openCheckout(library, folder, clones) {
  const root = join(folder, library.name);
  if (!existsSync(join(root, '.git', 'is-ready'))) make(library, root, clones);
  const git = (...args) => must('git', args, root);
  return {
    root,
    git,
    /** Returns the exit code of a command in `sh`; `ENDLESS`: it was ended, with all its processes. */
    run: (command) =>
      spawnSync('timeout', [LIMIT_SECONDS, 'sh', '-c', command], { cwd: root, env: ENV, stdio: 'ignore' })
        .status,
    /** Checks out a commit; files that git ignores stay. */
    checkout(commit) {
      git('checkout', '--quiet', '--force', '--detach', commit);
      git('clean', '-fdq');
    },
    /** Writes files, by path; `null` removes one. */
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        if (text === null) rmSync(join(root, path), { force: true });
        else writeIn(root, path, text);
      }
    },
    /** Commits these files alone, and returns the commit's id. */
    commit(message, paths) {
      git('add', '--force', '--all', '--', ...paths);
      git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--no-verify', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD').trim();
    },
    /** Returns the text of a file in a commit; `null`: it has no such file. */
    textAt(commit, path) {
      const shown = spawnSync('git', ['show', `${commit}:${path}`], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      return shown.status === 0 ? shown.stdout : null;
    },
  };
}

/** Writes a file below a folder. */
export function writeIn(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function make({ github, commit, setup }, root, clones) {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dirname(root), { recursive: true });
  const clone = clones === undefined ? null : join(clones, github.replace('/', '+'));
  const from =
    clone === null
      ? `https://github.com/${github}.git`
      : existsSync(join(clone, 'repo'))
        ? join(clone, 'repo')
        : clone;
  must('git', ['clone', '--quiet', '--no-checkout', from, root], dirname(root));
  must('git', ['checkout', '--quiet', '--detach', commit], root);
  if (setup !== null) must('sh', ['-c', setup], root);
  writeFileSync(join(root, '.git', 'info', 'exclude'), '/node_modules\n');
  writeFileSync(join(root, '.git', 'is-ready'), '');
}

function must(program, args, cwd) {
  const run = spawnSync(program, args, { cwd, env: ENV, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (run.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${run.stderr}`);
  return run.stdout;
}
