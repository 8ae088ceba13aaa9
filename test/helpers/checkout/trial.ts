import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeRepository, type TestRepository, temporaryFolder } from '../repository.ts';
import { ACTS } from './acts.ts';

export type CheckoutTrial = {
  /** A line for each broken promise. */
  readonly wrong: readonly string[];
};

/** Milliseconds that a process which is left behind needs to write. */
const LATE_MS = 700;
const LATE = 'a program that writes later';
const CONFIG =
  '[loop]\nagent = "mine"\nmax_iterations = 1\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n';

/**
 * Plays an act by an agent in ralph's box, where the checkout must stay unchanged, and then on the checkout itself,
 * which it must change.
 */
export async function checkoutTrial(bin: string, name: string): Promise<CheckoutTrial> {
  const act = ACTS[name] ?? '';
  const [boxed, bare] = [site(act), site(act)];
  const before = look(boxed);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'run', '--trust'], {
    cwd: boxed.repo.root,
    encoding: 'utf8',
    env: { ...process.env, RALPH_BOX_MODE: 'require' },
    timeout: 60_000,
  });
  if (name === LATE) await wait(LATE_MS);
  const wrong: string[] = [];
  // The agent claims nothing, so the run ends by its limit of one iteration, with work left.
  if (status !== 3) wrong.push(`ralph ended with ${status}: ${stdout}${stderr}`);
  const changed = differences(before, look(boxed));
  if (changed.length > 0) wrong.push(`in the box it changed ${changed.join(', ')}`);
  const fsck = spawnSync('git', ['fsck', '--no-dangling'], { cwd: boxed.repo.root, encoding: 'utf8' });
  if (fsck.status !== 0) wrong.push(`fsck: ${fsck.stderr}`);
  if (await hurts(bare, name)) return { wrong: wrong.map((line) => `${name}: ${line}`) };
  wrong.push('it hurts nothing where it is played on the checkout, and shows nothing');
  return { wrong: wrong.map((line) => `${name}: ${line}`) };
}

type Site = { readonly repo: TestRepository; readonly alias: string; readonly linked: string };

/** Makes a busy checkout: edits, staged files, stashes, ignored files with a second name, another work tree. */
function site(act: string): Site {
  const outside = temporaryFolder();
  const [alias, linked] = [join(outside, 'alias'), join(outside, 'linked')];
  const repo = makeRepository({
    '.gitignore': 'node_modules/\n.env\ndata.sqlite\n',
    'src/a.txt': 'a\n',
    'src/edited.txt': 'committed\n',
    'src/staged.txt': 'committed\n',
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n',
    '.ralph/ralph.toml': CONFIG,
    '.ralph/.gitignore': '*\n!.gitignore\n!PRD.md\n!ralph.toml\n',
  });
  repo.write(
    'agent.sh',
    `cat > /dev/null\nTOP='${repo.root}' ALIAS='${alias}' LINKED='${linked}'\ncd "$TOP"\n${act}\nexit 0\n`,
  );
  repo.commitAll('agent');
  repo.git('tag', 'v1', 'HEAD~1');
  repo.git('branch', 'dev', 'HEAD');
  repo.git('branch', 'side', 'HEAD');
  repo.git('worktree', 'add', '-q', linked, 'dev');
  repo.git('commit', '-q', '--allow-empty', '-m', 'third');
  for (const text of ['first', 'second']) {
    repo.write('src/edited.txt', `${text}\n`);
    repo.git('stash', 'push', '-q', '-m', text);
  }
  repo.write('src/edited.txt', 'edited\n');
  repo.write('src/staged.txt', 'staged\n');
  repo.git('add', 'src/staged.txt');
  repo.write('notes/untracked.txt', 'untracked\n');
  repo.write('.env', 'KEY=value\n');
  repo.write('data.sqlite', Buffer.from([0, 1, 2, 3]));
  repo.write('node_modules/lib/index.js', 'module.exports = "lib";\n');
  symlinkSync(repo.root, alias);
  return { repo, alias, linked };
}

/** Returns content and kind of every file, except those that ralph writes. */
function look({ repo, linked }: Site): Map<string, string> {
  const seen = new Map<string, string>();
  walk(repo.root, '', seen);
  walk(linked, '', seen, 'linked ');
  return seen;
}

/** Matches ralph's own files: its records, its refs, the folder of its index. */
const OWN =
  /^(?:\.ralph\/(?!PRD\.md$|ralph\.toml$)|\.git\/(?:ralph|refs\/ralph|logs\/refs\/ralph)(?:\/|$)|\.git\/objects\/)/;

function walk(top: string, path: string, seen: Map<string, string>, prefix = ''): void {
  const at = join(top, path);
  const found = lstatSync(at, { throwIfNoEntry: false });
  if (found === undefined) return void seen.set(`${prefix}${path}`, 'nothing');
  if (found.isDirectory()) {
    for (const name of readdirSync(at)) {
      const below = path === '' ? name : `${path}/${name}`;
      if (!OWN.test(below)) walk(top, below, seen, prefix);
    }
    return;
  }
  const content = found.isSymbolicLink() ? readlinkSync(at) : found.isFile() ? readFileSync(at) : '';
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  seen.set(`${prefix}${path}`, `${found.mode.toString(8)} ${hash}`);
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/**
 * Returns whether the same act changes the checkout when it is played on it directly, in a box that can write only to
 * this site.
 */
async function hurts(one: Site, name: string): Promise<boolean> {
  const before = look(one);
  const sound = objectsOf(one);
  const { root } = one.repo;
  const outside = join(one.linked, '..');
  const above = join(root, '..');
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  const writable = ['--bind', above, above, '--bind', outside, outside];
  spawnSync(
    'bwrap',
    [
      ...mounts,
      ...writable,
      '--unshare-net',
      '--unshare-pid',
      'sh',
      '-c',
      `sh "$1" < /dev/null; ${name === LATE ? 'sleep 0.6' : ':'}`,
      'sh',
      join(root, 'agent.sh'),
    ],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 30_000,
    },
  );
  return differences(before, look(one)).length > 0 || objectsOf(one) !== sound;
}

/** Returns the names and sizes of all objects. */
function objectsOf({ repo }: Site): string {
  const seen = new Map<string, string>();
  const folder = join(repo.root, '.git/objects');
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) walk(folder, '', seen);
  return JSON.stringify([...seen].sort());
}
