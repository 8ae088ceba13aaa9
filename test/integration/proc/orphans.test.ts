import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrphans, reapOrphans } from 'ralph-kit/programs/table/orphans';
import { readProcess } from 'ralph-kit/programs/table/process-table';
import { MARKER, ownerMark } from 'ralph-kit/programs/table/tracked-tree';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { carriersOf, killCarriersOf, uniqueToken, waitUntil } from '../../helpers/adversaries/token.ts';
import { AGENT_DRIVER, agentRequest } from '../../helpers/adversaries/trial.ts';
import { bundle } from '../../helpers/bundle.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let driver = '';
let reaper = '';
beforeAll(async () => {
  driver = await bundle(AGENT_DRIVER);
  reaper = await bundle(new URL('../../helpers/adversaries/reap-driver.ts', import.meta.url));
});

let folder = '';
let token = '';
beforeEach(() => {
  folder = temporaryFolder();
  token = uniqueToken();
});
afterEach(() => killCarriersOf(token));

/** A ralph in `folder` with an agent of this shell script, whose processes carry the token. */
async function startRalph(supervision: 'auto' | 'group-scan', script: string): Promise<ChildProcess> {
  const request = join(folder, 'request.json');
  const ready = join(folder, 'ready');
  const argv = ['sh', '-c', `${script}; echo $$ > ${ready}; sleep 60; :`, token] as const;
  writeFileSync(request, JSON.stringify({ supervision, request: agentRequest(folder, argv) }));
  const ralph = spawn(process.execPath, [driver, request], { stdio: 'ignore', cwd: folder });
  await waitUntil(() => existsSync(ready) && readFileSync(ready, 'utf8').endsWith('\n'), 'the agent runs');
  return ralph;
}

async function killed(ralph: ChildProcess): Promise<void> {
  const over = new Promise((resolve) => ralph.once('exit', resolve));
  ralph.kill('SIGKILL');
  await over;
}

/** A shell that forks carries its token twice until the child runs its own program. */
const allStarted = (count: number) =>
  waitUntil(() => carriersOf(token).length === count, `${count} processes carry the token`);

const child = (start = '') => `${start} sh -c 'sleep 60; :' ${'$0'} &`;
const THREE = `${child()} ${child('setsid')} true`;

describe.runIf(process.platform === 'linux')('what a killed ralph left', () => {
  it('is found and ended, in all sessions', async () => {
    const ralph = await startRalph('group-scan', THREE);
    expect(findOrphans(folder), 'while its ralph is alive').toEqual([]);
    await killed(ralph);
    expect(findOrphans(join(folder, 'other')), 'of another repository').toEqual([]);
    await allStarted(3);
    const carriers = carriersOf(token);
    const orphans = findOrphans(folder);
    expect(orphans.map(({ pid }) => pid)).toEqual(expect.arrayContaining(carriers));
    expect(orphans.some(({ command }) => command.startsWith('sh -c sleep 60'))).toBe(true);
    expect(carriersOf(token), 'finding changes nothing').toHaveLength(3);

    const reaped = await reapOrphans(folder, systemClock());
    expect(reaped.survivors).toEqual([]);
    expect(reaped.orphans.map(({ pid }) => pid)).toEqual(expect.arrayContaining(carriers));
    expect(carriersOf(token)).toEqual([]);
    expect(findOrphans(folder)).toEqual([]);
  });

  it('is ended also where it clears its environment or is stopped', async () => {
    const script = `${child('env -i')} ${child()} kill -STOP $!`;
    await killed(await startRalph('group-scan', script));
    expect((await reapOrphans(folder, systemClock())).survivors).toEqual([]);
    expect(carriersOf(token)).toEqual([]);
  });

  it('is killed where it does not heed SIGTERM', async () => {
    const script = `trap '' TERM; ${child()} true`;
    await killed(await startRalph('group-scan', script));
    // The grace passes between two looks, and then there is all the time that the kernel takes.
    const clock = systemClock();
    const from = clock.monotonicMs();
    const fast = { ...clock, monotonicMs: () => from + Math.min((clock.monotonicMs() - from) * 10, 6000) };
    expect((await reapOrphans(folder, fast)).survivors).toEqual([]);
    expect(carriersOf(token)).toEqual([]);
  });

  it('is found when the supervisor was killed with it', async () => {
    const ralph = await startRalph('auto', THREE);
    const agent = Number(readFileSync(join(folder, 'ready'), 'utf8'));
    const supervisor = readProcess(agent)?.parent ?? 0;
    expect(readFileSync(`/proc/${supervisor}/cmdline`, 'utf8')).toContain('ralph-supervisor');
    ralph.kill('SIGSTOP');
    process.kill(supervisor, 'SIGKILL');
    await killed(ralph);
    await allStarted(3);
    expect((await reapOrphans(folder, systemClock())).survivors).toEqual([]);
    expect(carriersOf(token)).toEqual([]);
  });

  it('is left alone as far as a new ralph was started from it', () => {
    const [repository, space] = ownerMark(folder).split('.');
    const env = { ...process.env, [MARKER]: `${repository}.${space}.4194305.00.random` };
    // The shell and the reaper are marked themselves, and so is a child that does not lead to it.
    const script = `sh -c 'sleep 60; :' "$0" & "$1" "$2" "$3"; echo "still here"`;
    const argv = ['-c', script, token, process.execPath, reaper, folder];
    const { stdout } = spawnSync('sh', argv, { env, encoding: 'utf8' });
    expect(stdout).toMatch(/^found [12] survivors 0\nstill here\n$/);
    expect(carriersOf(token)).toEqual([]);
  });

  it('is not judged when it belongs to another world of process numbers', () => {
    const [repository] = ownerMark(folder).split('.');
    const env = { ...process.env, [MARKER]: `${repository}.1.4194305.00.random` };
    const stranger = spawn('sh', ['-c', 'sleep 60; :', token], { env, stdio: 'ignore' });
    expect(stranger.pid).toBeDefined();
    expect(findOrphans(folder)).toEqual([]);
  });
});
