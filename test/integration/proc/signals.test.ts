import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendants, readProcess, readProcessTable } from 'ralph-kit/programs/table/process-table';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentProcessResult } from '../../../src/domain/ports.ts';
import { carriersOf, killCarriersOf, uniqueToken, waitUntil } from '../../helpers/adversaries/token.ts';
import { AGENT_DRIVER, agentRequest } from '../../helpers/adversaries/trial.ts';
import { isWholeBox } from '../../helpers/boxed.ts';
import { bundle } from '../../helpers/bundle.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let driver = '';
beforeAll(async () => {
  driver = await bundle(AGENT_DRIVER);
});

let folder = '';
let token = '';
beforeEach(() => {
  folder = temporaryFolder();
  token = uniqueToken();
});
afterEach(() => killCarriersOf(token));

const MINUTE = 60_000;

type StartOptions = {
  readonly wallMs: number;
  readonly before: readonly string[];
  readonly isBoxed: boolean;
};

/** Starts its arguments as a shell with job control does: in a process group that it could continue. */
const AS_A_JOB = ['perl', '-e', 'my $job = fork; if (!$job) { setpgrp(0, 0); exec @ARGV } waitpid($job, 0);'];

/**
 * A ralph as a process of its own that runs this shell script; resolves when the script has made the file `ready`.
 * @param before Words before its command line.
 */
async function startRalph(
  script: string,
  { wallMs = MINUTE, before = [], isBoxed = false }: Partial<StartOptions> = {},
) {
  const base = agentRequest(folder, ['sh', '-c', script, token]);
  const request = { ...base, limits: { wallMs, idleMs: 0, graceMs: MINUTE } };
  writeFileSync(join(folder, 'request.json'), JSON.stringify({ request, isBoxed }));
  const [program = '', ...args] = [...before, process.execPath, driver, join(folder, 'request.json')];
  const ralph = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  let output = '';
  ralph.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const result = new Promise<AgentProcessResult>((resolve) =>
    ralph.once('close', () => resolve(JSON.parse(output) as AgentProcessResult)),
  );
  await waitUntil(() => existsSync(join(folder, 'ready')), 'the agent runs');
  return { ralph, result };
}

const WAIT_FOR_GO = 'until [ -e go ]; do sleep 0.01; done';
const SAVES = `trap 'echo saved; exit 0' TERM; touch ready; for i in $(seq 3000); do sleep 0.02; done`;

describe.runIf(process.platform === 'linux')('a signal to ralph while an agent runs', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGHUP'],
    ['SIGUSR2', 'SIGUSR2'],
  ] as const)('%s lets the agent save', async (signal, reason) => {
    const { ralph, result } = await startRalph(SAVES);
    ralph.kill(signal);
    expect((await result).end).toEqual({ kind: 'interrupted', signal: reason, forced: false });
    expect(readFileSync(join(folder, 'output.log'), 'utf8')).toBe('saved\n');
    expect(carriersOf(token)).toEqual([]);
  });

  it('the second one ends an agent that does not heed the first', async () => {
    const { ralph, result } = await startRalph(`trap 'touch asked' TERM; touch ready; ${WAIT_FOR_GO}`);
    ralph.kill('SIGHUP');
    await waitUntil(() => existsSync(join(folder, 'asked')), 'the agent is asked to end');
    ralph.kill('SIGINT');
    expect((await result).end).toEqual({ kind: 'interrupted', signal: 'SIGHUP', forced: true });
    expect(carriersOf(token)).toEqual([]);
  });

  it.each([['', false], ...(isWholeBox ? [[', in its box', true] as const] : [])] as const)(
    'SIGTSTP and SIGCONT: the agent is stopped with it%s, and its limit stands still',
    async (_, isBoxed) => {
      const wallMs = 5000;
      const { ralph, result } = await startRalph(`touch ready; ${WAIT_FOR_GO}; exit 3`, {
        wallMs,
        isBoxed,
        before: AS_A_JOB,
      });
      const [job = 0] = descendants(readProcessTable(), ralph.pid ?? -1).map(({ pid }) => pid);
      const below = () =>
        descendants(readProcessTable(), job).flatMap(({ pid, zombie }) => (zombie ? [] : [stateOf(pid)]));
      process.kill(job, 'SIGTSTP');
      await waitUntil(() => stateOf(job) === 'T', 'ralph is suspended');
      const suspended = performance.now();
      expect(new Set(below())).toEqual(new Set(['T']));
      writeFileSync(join(folder, 'go'), '');
      await waitUntil(() => performance.now() > suspended + wallMs, 'the limit has passed');
      process.kill(job, 'SIGCONT');
      const { end, durationMs } = await result;
      expect(end).toEqual({ kind: 'exited', code: 3 });
      expect(durationMs).toBeLessThan(wallMs);
    },
  );

  it('SIGTSTP where nothing could continue ralph: it is as if it had not come', async () => {
    const { ralph, result } = await startRalph(SAVES);
    ralph.kill('SIGTSTP');
    ralph.kill('SIGTERM');
    expect((await result).end).toEqual({ kind: 'interrupted', signal: 'SIGTERM', forced: false });
  });

  it('SIGSTOP and SIGCONT: an agent that ended meanwhile has ended, though its limit has passed', async () => {
    const wallMs = 5000;
    const { ralph, result } = await startRalph(`touch ready; ${WAIT_FOR_GO}; exit 3`, { wallMs });
    ralph.kill('SIGSTOP');
    const suspended = performance.now();
    await waitUntil(() => stateOf(ralph.pid) === 'T', 'ralph is suspended');
    writeFileSync(join(folder, 'go'), '');
    await waitUntil(() => carriersOf(token).length === 0, 'the agent is over');
    await waitUntil(() => performance.now() > suspended + wallMs, 'the limit has passed');
    ralph.kill('SIGCONT');
    expect((await result).end).toEqual({ kind: 'exited', code: 3 });
  });

  it('SIGSTOP and SIGCONT: a polite stop after it still works', async () => {
    const { ralph, result } = await startRalph(SAVES);
    ralph.kill('SIGSTOP');
    await waitUntil(() => stateOf(ralph.pid) === 'T', 'ralph is suspended');
    ralph.kill('SIGINT');
    ralph.kill('SIGCONT');
    expect((await result).end).toMatchObject({ kind: 'interrupted', signal: 'SIGINT', forced: false });
  });
});

function stateOf(pid: number | undefined): string | undefined {
  expect(readProcess(pid ?? -1)).not.toBeNull();
  return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
}
