import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { temporaryFolder } from '../repository.ts';
import { setAsideFiles, tornDocuments } from './loop-documents.ts';
import { journalLines, makeLoopProject } from './loop-project.ts';

export const SMALL_PLACES = ['.ralph', '.git/objects', '.git', 'state home', 'checkout'] as const;

export type SmallDisk = {
  /** Name of the folder that lies on the small disk. */
  readonly place: (typeof SMALL_PLACES)[number];
  /** Free space in KiB; `null`: there is enough, but the disk is read-only. */
  readonly freeKib: number | null;
  /** Whether the agent itself takes the free space. */
  readonly agentFills?: boolean;
};

/**
 * Size of the disk in MiB: enough for a run, for copies on the same disk, and for the space that ralph wants free
 * before an agent starts.
 */
const DISK_MIB = 256;
const PAGE = 4096;

/** Returns whether this machine allows mounting a small disk. */
export function canMount(): boolean {
  const folder = temporaryFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status !== 0) return false;
  return spawnSync('umount', [folder]).status === 0;
}

/**
 * Runs the built program with one of its folders on a full or read-only disk, then again with space. Returns the
 * outcome, and a line for each broken promise.
 */
export function fullDiskTrial(bin: string, disk: SmallDisk): { outcome: string; wrong: string[] } {
  const { repository, tasks, personsLosses } = makeLoopProject('plain', 3);
  const { root, path } = repository;
  const outside = temporaryFolder();
  const ran = join(outside, 'agent-ran');
  const home = join(outside, 'state');
  const folder = disk.place === 'state home' ? home : disk.place === 'checkout' ? root : path(disk.place);
  const env = { ...process.env, RALPH_TRUST: '1', AGENT_RAN: ran, XDG_STATE_HOME: home };
  const filler = join(disk.place === 'checkout' ? path('.git') : folder, 'filler');
  const ralph = (argv: readonly string[], fills = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
      cwd: root,
      env: { ...env, AGENT_FILLS: fills },
      encoding: 'utf8',
    });
    return { status, printed: `${stdout}${stderr}` };
  };
  const wrong: string[] = [];
  mountOver(folder);
  try {
    if (disk.freeKib === null) remount(folder, 'ro');
    else if (!disk.agentFills) fill(filler, disk.freeKib);
    const first = ralph(['run', '--max-iterations', '1'], disk.agentFills ? filler : '');
    const agentRan = existsSync(ran);
    const failed = first.status !== 3;
    if (failed && agentRan && !disk.agentFills) wrong.push('the agent had run before it was refused');
    if (failed && !isClear(first.printed))
      wrong.push(`no clear message (exit ${first.status}): ${first.printed.slice(-400)}`);
    wrong.push(...halfWritten(root), ...personsLosses());
    if (disk.freeKib === null) remount(folder, 'rw');
    else rmSync(filler, { force: true });
    // In a box, the agent's file is in its copy, which may lie on the same disk.
    if (disk.agentFills) ralph(['work', 'clean']);
    const second = ralph(['run', '--quiet']);
    if (second.status !== 0)
      wrong.push(`with space again it ended with ${second.status}: ${second.printed.slice(-300)}`);
    wrong.push(...halfWritten(root), ...setAsideFiles(root).map((name) => `${name} was set aside`));
    const undone = tasks.filter((id) => !repository.read('.ralph/PRD.md').includes(`- [x] **${id}** `));
    if (undone.length > 0) wrong.push(`with space again ${undone.join(', ')} didn't get done`);
    const outcome = !failed
      ? 'went through'
      : agentRan
        ? 'stopped behind the agent'
        : 'refused before the agent';
    return { outcome, wrong };
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
}

function mountOver(folder: string): void {
  const copy = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  cpSync(folder, copy, { recursive: true });
  mustRun('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder]);
  cpSync(copy, folder, { recursive: true });
}

function remount(folder: string, mode: 'ro' | 'rw'): void {
  mustRun('mount', ['-o', `remount,${mode}`, folder]);
}

function mustRun(command: string, argv: readonly string[]): void {
  const { status, stderr } = spawnSync(command, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')}: ${stderr}`);
}

/** Takes all space of a disk except for some KiB. */
function fill(path: string, freeKib: number): void {
  const file = openSync(path, 'w');
  let written = 0;
  try {
    for (;;) written += writeSync(file, Buffer.alloc(PAGE));
  } catch {
    // The write fails once the disk is full.
  } finally {
    closeSync(file);
  }
  truncateSync(path, Math.max(0, written - freeKib * 1024));
}

/** Returns whether a message names the cause and doesn't look like a bug. */
function isClear(printed: string): boolean {
  const cause =
    /ENOSPC|EROFS|Mi?B are free|no space left|out of disk ?space|read-only|cannot be (written|made)|couldn't write/i;
  return cause.test(printed) && !/should not have happened|^\s+at /m.test(printed);
}

function halfWritten(root: string): string[] {
  const temporaries = ['.ralph', '.ralph/interventions'].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder)).filter((name) => name.endsWith('.tmp'))
      : [],
  );
  const bad = journalLines(root, gunzipSync).filter((line) => !isJson(line));
  return [
    ...tornDocuments(root),
    ...temporaries.map((name) => `${name} is left`),
    ...bad.map((line) => `the journal has ${line.slice(0, 60)}`),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
