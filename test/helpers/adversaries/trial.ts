import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentEnd } from '../../../src/domain/agent.ts';
import type { AgentProcessRequest, AgentProcessResult } from '../../../src/domain/ports.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { boxAround } from '../boxed.ts';
import { manualStop, releasedClock, UNTIL_RELEASED_MS } from '../clocks.ts';
import { carriersOf, killCarriersOf, uniqueToken, waitUntil } from './token.ts';

/** Names of the process trees that were measured. */
export const ADVERSARIES = [
  'plain',
  'ignore-term',
  'setsid',
  'daemon',
  'leak-setsid',
  'leak-group',
  'clear-env',
  'daemon-clear-env',
  'hopper',
  'hopper-exec',
  'self-stop',
] as const;
export type Adversary = (typeof ADVERSARIES)[number];

export const ENDINGS = ['timeout', 'stop', 'forced', 'exit', 'killed'] as const;
/** How a trial ends the program. `killed`: ralph itself gets SIGKILL. */
export type Ending = (typeof ENDINGS)[number];

export type Trial = {
  /** Name of the process tree. `stop-supervisor` was not measured: it sends SIGSTOP to its parent. */
  readonly adversary: Adversary | 'stop-supervisor';
  readonly ending: Ending;
  readonly supervision?: 'auto' | 'group-scan';
  /** Whether the program runs in a box. */
  readonly isBoxed?: boolean;
  /** A script that runs an agent as a process of its own, needed for `killed` (`AGENT_DRIVER`, bundled). */
  readonly driver?: string;
};

export type TrialResult = {
  readonly end: AgentEnd | null;
  readonly leftBehind: number | null;
  /**
   * Number of processes alive when the agent was reported as ended (for `killed`, at most 30 seconds after the kill).
   */
  readonly alive: number;
};

/** A program that runs an agent as a process of its own; it has to be bundled. */
export const AGENT_DRIVER = new URL('agent-driver.ts', import.meta.url);

const SCRIPT = fileURLToPath(new URL('adversary.pl', import.meta.url));

/** Starts the adversary, waits until all its processes are in place, ends it, and counts what is alive. */
export async function runTrial(trial: Trial): Promise<TrialResult> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-trial-'));
  const token = uniqueToken();
  const ready = join(folder, 'ready');
  const mode = trial.ending === 'exit' ? 'leave' : 'stay';
  const script = join(folder, 'adversary.pl');
  // A box shows its own folder, but not ralph's sources.
  copyFileSync(SCRIPT, script);
  const argv: [string, ...string[]] = ['perl', script, trial.adversary, mode, token, ready];
  try {
    return trial.ending === 'killed'
      ? await killSupervisor(trial, folder, argv, token, ready)
      : await endAgent(trial, folder, argv, token, ready);
  } finally {
    killCarriersOf(token);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endAgent(
  trial: Trial,
  folder: string,
  argv: [string, ...string[]],
  token: string,
  ready: string,
): Promise<TrialResult> {
  const clock = releasedClock();
  const stop = manualStop();
  const box = trial.isBoxed === true ? boxAround(folder) : null;
  const proc = openProc({ clock, env: process.env, supervision: trial.supervision ?? 'auto', box });
  const result: Promise<AgentProcessResult> = proc.runAgent({
    ...agentRequest(folder, argv),
    stop,
  });
  await Promise.race([result, waitUntil(() => existsSync(ready), 'the adversary is in place')]);
  if (!existsSync(ready)) throw new Error(`the adversary never started: ${JSON.stringify(await result)}`);
  if (trial.ending === 'timeout') clock.release();
  if (trial.ending === 'stop') stop.stop();
  if (trial.ending === 'forced') stop.force();
  const { end, leftBehind } = await result;
  return { end, leftBehind, alive: aliveOf(token, folder) };
}

async function killSupervisor(
  trial: Trial,
  folder: string,
  argv: [string, ...string[]],
  token: string,
  ready: string,
): Promise<TrialResult> {
  const request = join(folder, 'request.json');
  const { supervision = 'auto', isBoxed = false } = trial;
  const options = { supervision, isBoxed, request: agentRequest(folder, argv) };
  writeFileSync(request, JSON.stringify(options));
  const driver: ChildProcess = spawn(process.execPath, [trial.driver ?? '', request], { stdio: 'ignore' });
  const exited = new Promise((resolve) => driver.once('exit', resolve));
  await Promise.race([
    waitUntil(() => existsSync(ready), 'the adversary is in place'),
    exited.then(() => {
      throw new Error('the driver ended before it was killed');
    }),
  ]);
  driver.kill('SIGKILL');
  await exited;
  await waitUntil(() => aliveOf(token, folder) === 0, 'nothing is alive', 30_000).catch(() => undefined);
  return { end: null, leftBehind: null, alive: aliveOf(token, folder) };
}

/** Returns living processes: programs have the token, the box around them the mounted folder in their command line. */
function aliveOf(token: string, folder: string): number {
  return new Set([...carriersOf(token), ...carriersOf(folder)]).size;
}

type PlainRequest = Pick<
  AgentProcessRequest,
  'plan' | 'promptFile' | 'agent' | 'home' | 'inherits' | 'cwd' | 'outputFile' | 'errorFile' | 'limits'
>;

/** Returns a request to an agent without stop signal, and with limits that are never reached. */
export function agentRequest(
  folder: string,
  argv: readonly [string, ...string[]],
): PlainRequest & Pick<AgentProcessRequest, 'parse' | 'onEvent'> {
  return {
    plan: { argv, env: {}, stdin: 'empty' },
    promptFile: join(folder, 'prompt.md'),
    agent: 'mine',
    home: null,
    inherits: { which: 'all', additional: [] },
    cwd: folder,
    outputFile: join(folder, 'output.log'),
    errorFile: join(folder, 'error.log'),
    limits: { wallMs: UNTIL_RELEASED_MS, idleMs: 0, graceMs: 100 },
    parse: () => [],
    onEvent: () => undefined,
  };
}
