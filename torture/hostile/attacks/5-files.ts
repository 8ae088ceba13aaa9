import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { finishedOf } from '../../../test/helpers/finished.ts';
import { SHELL_CLAIM } from '../../../test/helpers/project-files.ts';
import type { TestRepository } from '../../../test/helpers/repository.ts';
import { type Attack, type AttackResult, brokenIf, type Site } from '../attack.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write made.txt\n';
const CONFIG =
  '[loop]\nagent = "mine"\nmax_iterations = 1\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n[gates]\ncommands = ["sh ./gate.sh"]\n';

/**
 * Returns the files of a repository. @param commands Lines of shell that the agent runs before it claims to be done.
 */
const files = (commands = '') => ({
  '.ralph/PRD.md': LIST,
  '.ralph/ralph.toml': CONFIG,
  'agent.sh': `cat > /dev/null\necho made > made.txt\n${commands}${SHELL_CLAIM}`,
  'gate.sh': 'echo from the gate\n',
});

/** Shell text that sends a signal to those of the agent's ancestors that are ralph. */
const signalRalph = (signal: string) => `up=$PPID
for _ in 1 2 3; do
  grep -qa ralph.js "/proc/$up/cmdline" && ! grep -qa hostile-worker "/proc/$up/cmdline" && kill -${signal} "$up"
  up=$(sed 's/.*) . //; s/ .*//' "/proc/$up/stat")
done
sleep 1
`;

const PLAIN_FLAGS = { 'packages/kit/src/files/plain-flags.ts': 'plain-flags.ts' };
const PROVEN_FOLDER = { 'packages/kit/src/files/proven-folder.ts': 'proven-folder.ts' };
const STOP_SIGNAL = { 'src/io/stop-signal.ts': 'stop-signal.ts' };

/** Removes what is at a path of the repository, and returns the absolute path. */
function cleared(repository: TestRepository, path: string): string {
  const absolute = repository.path(path);
  rmSync(absolute, { recursive: true, force: true });
  mkdirSync(dirname(absolute), { recursive: true });
  return absolute;
}

/**
 * Returns an attack that replaces a file that ralph reads by a pipe. It wins if ralph had to be killed, or didn't name
 * the pipe.
 */
function pipe(name: string, path: string): Attack {
  const play = async (site: Site) => {
    const { root, ...repository } = site.repository(files());
    spawnSync('mkfifo', [cleared({ root, ...repository }, path)]);
    const { code, stdout, stderr } = await site.ralph(root, 'status');
    const text = `${stdout}${stderr}`;
    return brokenIf(code === null || !text.includes(path), `exit ${code}: ${text.slice(-400)}`);
  };
  return { point: 5, name, without: PLAIN_FLAGS, play };
}

/**
 * Returns an attack that replaces a folder of ralph's by a link to a folder of yours. It wins if something was written
 * there.
 */
function linkedFolder(name: string, path: string): Attack {
  const play = async (site: Site) => {
    const repository = site.repository(files());
    const userPath = join(site.outside, 'yours');
    mkdirSync(userPath);
    symlinkSync(userPath, cleared(repository, path));
    const { code } = await site.ralph(repository.root, 'run');
    const written = readdirSync(userPath);
    return brokenIf(written.length > 0, `exit ${code}, written: ${written.join(', ')}`);
  };
  return { point: 5, name, without: PROVEN_FOLDER, play };
}

async function pipeNamedGitignore(site: Site): Promise<AttackResult> {
  const { root } = site.repository(files('rm -f .gitignore; mkfifo .gitignore\n'));
  const { code, stdout, stderr } = await site.ralph(root, 'run');
  const text = `${stdout}${stderr}`;
  return brokenIf(code === null || !text.includes('.gitignore'), `exit ${code}: ${text.slice(-400)}`);
}

async function linkedLog(site: Site): Promise<AttackResult> {
  const userPath = join(site.outside, 'yours.txt');
  writeFileSync(userPath, 'yours\n');
  const commands = `for d in "$TOP"/.ralph/runs/*/iterations/*; do rm -f "$d/gate-1.log"; ln -s '${userPath}' "$d/gate-1.log"; done\n`;
  const { root } = site.repository(files(commands));
  const { code } = await site.ralph(root, 'run');
  const now = readFileSync(userPath, 'utf8');
  return brokenIf(now !== 'yours\n', `exit ${code}, your file holds: ${now.slice(0, 200)}`);
}

async function linkedRecord(site: Site): Promise<AttackResult> {
  const userPath = join(site.outside, 'planted');
  const commands = `for d in "$TOP"/.ralph/runs/*/iterations/*; do ln -s '${userPath}' "$d/iteration.json"; done\n`;
  const { root } = site.repository(files(commands));
  const { code } = await site.ralph(root, 'run');
  return brokenIf(existsSync(userPath), `exit ${code}, written outside: ${existsSync(userPath)}`);
}

async function lockFolder(site: Site): Promise<AttackResult> {
  const repository = site.repository(files());
  mkdirSync(cleared(repository, '.ralph/run.lock'));
  const { code, stdout, stderr } = await site.ralph(repository.root, 'run');
  return brokenIf(code !== 0, `exit ${code}: ${`${stdout}${stderr}`.slice(-400)}`);
}

/** Moves the repository away and puts in its place a link to a folder of yours that looks like it. */
async function linkedRepository(site: Site): Promise<AttackResult> {
  const [userPath, moved] = [join(site.outside, 'yours'), join(site.outside, 'moved')];
  const commands = `mv "$TOP" '${moved}' && cp -r '${moved}' '${userPath}' && ln -s '${userPath}' "$TOP"\n`;
  const { root } = site.repository(files(commands));
  const { code, stdout, stderr } = await site.ralph(root, 'run');
  // With a box, the agent could make neither folder, so both may be missing.
  const namesIn = (folder: string) =>
    existsSync(folder) ? readdirSync(join(folder, '.ralph'), { recursive: true }).map(String) : [];
  const before = new Set(namesIn(moved));
  const written = namesIn(userPath).filter((name) => !before.has(name));
  return brokenIf(
    written.length > 0,
    `exit ${code}, written: ${written.join(', ')}; ${`${stdout}${stderr}`.slice(-400)}`,
  );
}

async function debuggerOpened(site: Site): Promise<AttackResult> {
  const { root } = site.repository(files(signalRalph('USR1')));
  const { code, stderr } = await site.ralph(root, 'run');
  return brokenIf(stderr.includes('Debugger listening'), `exit ${code}: ${stderr.slice(0, 200)}`);
}

/** The attack wins if ralph dies of the signal and the attempt isn't recorded as interrupted. */
async function endedBySignal(site: Site): Promise<AttackResult> {
  const { root } = site.repository(files(signalRalph('USR2')));
  const { code, stdout } = await site.ralph(root, 'run');
  return brokenIf(code !== 140, `exit ${code}: ${stdout.slice(-300)}`);
}

/** A commit hook that ignores signals stands for everything that ralph may wait for. */
async function deafToCtrlC(site: Site): Promise<AttackResult> {
  const repository = site.repository({
    ...files(),
    '.ralph/ralph.toml': `${CONFIG}[git]\ncommit = "on_done"\n`,
  });
  repository.git('config', 'user.name', 'you');
  repository.git('config', 'user.email', 'you@localhost');
  const waiting = join(site.outside, 'waiting');
  const hook = `#!/bin/sh\ntrap '' INT TERM\ntouch '${waiting}'\nwhile :; do sleep 1; done\n`;
  repository.write('.git/hooks/pre-commit', hook, 0o755);
  const child = spawn(process.execPath, [site.bin, 'run'], {
    cwd: repository.root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = finishedOf(child);
  while (!existsSync(waiting) && child.exitCode === null) await delay(50);
  child.kill('SIGINT');
  await delay(500);
  child.kill('SIGINT');
  const end = await Promise.race([ended, delay(20_000, null)]);
  child.kill('SIGKILL');
  return brokenIf(
    end === null,
    end === null ? "it didn't stop" : `exit ${end.code}: ${end.stdout.slice(-300)}`,
  );
}

export const OF_FILES: readonly Attack[] = [
  {
    point: 5,
    name: 'fifo-gitignore',
    without: { 'src/git/call/blocker.ts': 'blocker.ts' },
    play: pipeNamedGitignore,
  },
  pipe('fifo-tracker', '.ralph/PRD.md'),
  pipe('fifo-config', '.ralph/ralph.toml'),
  linkedFolder('link-runs', '.ralph/runs'),
  linkedFolder('link-views', '.ralph/interventions'),
  {
    point: 5,
    name: 'link-log',
    without: { 'packages/kit/src/files/open-log.ts': 'open-log.ts' },
    play: linkedLog,
  },
  {
    point: 5,
    name: 'link-file',
    without: { 'packages/kit/src/files/atomic-file.ts': 'atomic-file.ts' },
    play: linkedRecord,
  },
  {
    point: 5,
    name: 'link-repository',
    without: { 'packages/kit/src/files/same-folder.ts': 'same-folder.ts' },
    play: linkedRepository,
  },
  {
    point: 5,
    name: 'lock-folder',
    without: { 'src/store/lock/folder-in-place.ts': 'folder-in-place.ts' },
    play: lockFolder,
  },
  {
    point: 5,
    name: 'debugger',
    without: { 'src/cli/no-debugger.ts': 'no-debugger.ts' },
    play: debuggerOpened,
  },
  { point: 5, name: 'ended-by-signal', without: STOP_SIGNAL, play: endedBySignal },
  { point: 5, name: 'deaf-to-ctrl-c', without: STOP_SIGNAL, play: deafToCtrlC },
];
