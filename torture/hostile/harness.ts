import { spawn, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finishedOf } from '../../test/helpers/finished.ts';
import type { Attack, AttackResult } from './attack.ts';

/**
 * Returns the command that plays an attack in a box: the machine read-only, no network but its own loopback, its own
 * processes, an ordinary user.
 */
function boxed(site: string, root: string, command: readonly string[]): string[] {
  return [
    'bwrap',
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...['--ro-bind', root, root, '--bind', site, site, '--chdir', site],
    ...[
      '--unshare-user',
      '--uid',
      '1000',
      '--gid',
      '1000',
      '--unshare-pid',
      '--unshare-net',
      '--unshare-ipc',
    ],
    ...['--die-with-parent', '--new-session', '--clearenv'],
    ...['--setenv', 'PATH', process.env.PATH ?? '/usr/bin:/bin', '--setenv', 'TMPDIR', site],
    ...command,
  ];
}

/** Returns why no box can be made here; `null`: one can be made. */
export function boxProblem(): string | null {
  const probe = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', 'true']);
  if (probe.error) return 'it needs bubblewrap: apt install bubblewrap';
  return probe.status === 0 ? null : `bubblewrap makes no box here: ${probe.stderr.toString().trim()}`;
}

type BoxMode = 'off' | 'require';

export type Lab = {
  /** Absolute path of the program of the complete ralph. */
  readonly whole: string;
  /** Builds the program of a ralph without these modules, at the first call, and returns its path. */
  readonly lacking: (without: Attack['without']) => Promise<string>;
  /** Plays an attack. `box`: the value of `[box] mode` for that ralph. */
  readonly play: (attack: Attack, bin: string, box: BoxMode) => Promise<AttackResult>;
};

/**
 * Opens a place for attacks. @param programs A folder below node_modules for built programs, with `hostile-worker.mjs`
 * in it.
 */
export function openLab(root: string, programs: string): Lab {
  const builds = new Map<string, Promise<string>>();
  const lacking = (without: Attack['without']): Promise<string> => {
    const key = JSON.stringify(Object.entries(without).toSorted());
    const bin = builds.get(key) ?? buildWithout(root, join(programs, `without-${builds.size + 1}`), without);
    builds.set(key, bin);
    return bin;
  };
  return {
    whole: join(root, 'bin', 'ralph.js'),
    lacking,
    play: (attack, bin, box) => play(root, programs, attack, bin, box),
  };
}

async function buildWithout(root: string, folder: string, without: Attack['without']): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const replaced = join(folder, 'replaced.json');
  const paths = Object.entries(without).map(([module, standIn]) => [
    join(root, module),
    join(root, 'torture', 'hostile', 'without', standIn),
  ]);
  writeFileSync(replaced, JSON.stringify(Object.fromEntries(paths)));
  const build = [join(root, 'scripts', 'build.mjs'), join(folder, 'dist'), replaced];
  const built = await finishedOf(spawn(process.execPath, build, { stdio: ['ignore', 'pipe', 'pipe'] }));
  if (built.code !== 0) throw new Error(`ralph without ${Object.keys(without)}: ${built.stderr}`);
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  return join(folder, 'bin', 'ralph.js');
}

/** Inside bubblewrap root can't mount `/proc` for another bubblewrap, so an ordinary user starts that one. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function play(
  root: string,
  programs: string,
  attack: Attack,
  bin: string,
  mode: BoxMode,
): Promise<AttackResult> {
  const site = mkdtempSync(join(tmpdir(), 'hostile-'));
  try {
    if (ORDINARY.uid !== undefined) chownSync(site, ORDINARY.uid, ORDINARY.gid);
    const worker = join(programs, 'hostile-worker.mjs');
    const [box = '', ...args] = boxed(site, root, [process.execPath, worker, attack.name, bin, mode]);
    const child = spawn(box, args, {
      ...{ cwd: dirname(site), stdio: ['ignore', 'pipe', 'pipe'], ...ORDINARY },
    });
    const { code, stdout, stderr } = await finishedOf(child);
    const line = stdout.split('\n').findLast((one) => one.startsWith('RESULT '));
    if (line === undefined) throw new Error(`${attack.name} broke (exit ${code}): ${stderr.slice(-2000)}`);
    return JSON.parse(line.slice('RESULT '.length));
  } finally {
    rmSync(site, { recursive: true, force: true, maxRetries: 5 });
  }
}
