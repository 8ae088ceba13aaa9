import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What `timeout` ends with where the time was up. */
export const ENDLESS = 124;
const LIMIT_SECONDS = '60';
/** The same commits get the same ids, whoever makes them. */
const SOMEONE = ['NAME', 'EMAIL', 'DATE'].flatMap((key) =>
  ['AUTHOR', 'COMMITTER'].map((who) => [
    `GIT_${who}_${key}`,
    key === 'DATE' ? '2026-01-01T00:00:00Z' : 'evaluation@localhost',
  ]),
);
/** Byte code isn't taken for that of a file of the same second and size; a mistake that fills the memory ends. */
const CALM = { CI: '1', PYTHONDONTWRITEBYTECODE: '1', NODE_OPTIONS: '--max-old-space-size=1024' };
const ENV = { ...process.env, ...Object.fromEntries(SOMEONE), ...CALM };

/**
 * A checkout of a library with what its tests need, made once.
 *
 * @param {object} library An entry of `libraries.json`.
 * @param {string} folder Where checkouts lie.
 * @param {string | undefined} clones A folder of git folders `OWNER+NAME/repo` or `OWNER+NAME`; else it comes from GitHub.
 */
export function openCheckout(library, folder, clones) {
  const root = join(folder, library.name);
  if (!existsSync(join(root, '.git', 'is-ready'))) make(library, root, clones);
  const git = (...args) => must('git', args, root);
  return {
    root,
    git,
    /** Exit code of a command in `sh`; `ENDLESS`: it was ended, with all that it had started. */
    run: (command) =>
      spawnSync('timeout', [LIMIT_SECONDS, 'sh', '-c', command], { cwd: root, env: ENV, stdio: 'ignore' })
        .status,
    /** Puts the work tree at a commit; what git ignores stays. */
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
    /** Commits these files alone, and says which commit that is. */
    commit(message, paths) {
      git('add', '--force', '--all', '--', ...paths);
      git('-c', 'commit.gpgSign=false', 'commit', '--quiet', '--no-verify', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD').trim();
    },
    /** The text of a file of a commit; `null`: it isn't there. */
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
