import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { systemIds } from '../../../src/io/ids.ts';
import { waitUntil } from '../../helpers/adversaries/token.ts';
import { bundle } from '../../helpers/bundle.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let script = '';
let child: ChildProcess | null = null;
beforeAll(async () => {
  script = await bundle(new URL('../../helpers/adversaries/stop-driver.ts', import.meta.url));
});
afterEach(() => child?.kill('SIGKILL'));

async function start(...options: string[]) {
  const lines: string[] = [];
  const started = spawn(process.execPath, [...options, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child = started;
  started.stdout.on('data', (data: Buffer) => lines.push(...data.toString().split('\n').filter(Boolean)));
  const exited = new Promise((resolve) => started.once('exit', (_code, signal) => resolve(signal)));
  const exitCode = new Promise((resolve) => started.once('exit', resolve));
  const hears = (line: string) => waitUntil(() => lines.includes(line), `"${line}" is said`);
  await hears('ready');
  return { started, lines, exited, exitCode, hears };
}

describe('listenForStop', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGHUP'],
    ['SIGQUIT', 'SIGQUIT'],
    ['SIGUSR2', 'SIGUSR2'],
    ['SIGALRM', 'SIGALRM'],
  ] as const)('%s: first polite, then forced, then nothing', async (signal, reason) => {
    const { started, lines, hears } = await start();
    started.kill(signal);
    await hears(`first ${reason} true false`);
    started.kill('SIGTERM');
    await hears(`second ${reason} true true`);
    started.kill('SIGINT');
    started.stdin.write('ask');
    await hears('alive');
    expect(lines).toEqual(['ready', `first ${reason} true false`, `second ${reason} true true`, 'alive']);
  });

  it('ends the process where the second signal ended nothing', async () => {
    const { started, exitCode, hears } = await start();
    started.kill('SIGINT');
    await hears('first SIGINT true false');
    started.kill('SIGINT');
    await hears('hard end');
    expect(await exitCode).toBe(130);
  });

  it("leaves the signal by which Node's profiler samples", async () => {
    const { started, lines, hears } = await start('--cpu-prof', `--cpu-prof-dir=${temporaryFolder()}`);
    started.stdin.write('ask');
    await hears('alive');
    expect(lines).toEqual(['ready', 'alive']);
  });

  it('lets go when disposed', async () => {
    const { started, exited, hears } = await start();
    started.stdin.write('dispose');
    await hears('disposed');
    started.kill('SIGTERM');
    expect(await exited).toBe('SIGTERM');
  });
});

describe('systemClock', () => {
  const clock = systemClock();

  it('reports wall time in UTC and a monotonic time that grows', async () => {
    expect(clock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const before = clock.monotonicMs();
    await clock.sleep(1);
    expect(clock.monotonicMs()).toBeGreaterThan(before);
  });

  it('ends a sleep at once when the signal fires, before or after its begin', async () => {
    const controller = new AbortController();
    const sleep = clock.sleep(2 ** 40, controller.signal);
    controller.abort();
    await sleep;
    await clock.sleep(2 ** 40, controller.signal);
  });
});

describe('systemIds', () => {
  it('gives small letters and digits of the wanted length, different each time', () => {
    const ids = systemIds();
    expect(ids.random(12)).toMatch(/^[a-z0-9]{12}$/);
    expect(ids.random(0)).toBe('');
    expect(new Set(Array.from({ length: 50 }, () => ids.random(16))).size).toBe(50);
  });

  it('hashes text as UTF-8', () => {
    expect(systemIds().sha256('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(systemIds().sha256('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  });
});
