import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchRequest, TreeEnd } from 'ralph-box/launch/running';
import { deferred } from 'ralph-kit/deferred';
import type { MainExit } from 'ralph-kit/programs/table/signals';
import { tryOr } from 'ralph-kit/try-or';
import type { LaunchAgent } from '../../../io/proc/index.ts';
import { claudeVoice, type Voice } from '../../demo/voice.ts';
import { attempt, type Step } from '../agent-model.ts';
import { attemptAtCode, type Move } from '../code-agent.ts';
import { workOf } from '../fixture.ts';
import { randomOf } from '../random.ts';
import type { ModelledSuite } from '../suite.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * Runs the model in this process with a program's input and descriptors; ralph supervises it like any other.
 * @param onStart Receives the attempt's folder and, for a task with `code`, the agent's intention.
 */
export function launchModel(
  suite: ModelledSuite,
  seed: number,
  clock: VirtualClock,
  onStart: (cwd: string, move: Move | null) => void,
): LaunchAgent {
  return async (request) => {
    const { move, steps, id } = planned(suite, seed, request);
    onStart(request.cwd, move);
    const ended = new AbortController();
    const exit = deferred<MainExit>();
    const play = async () => {
      let seconds = 0;
      const write = (line: string) => void writeSync(request.stdout, `${line}\n`);
      const voice = claudeVoice(write, 'modelled');
      for (const step of steps) {
        if (ended.signal.aborted) return;
        if (step.kind === 'work') seconds += step.seconds;
        await perform(step, request.cwd, clock, ended.signal, voice);
      }
      if (ended.signal.aborted) return;
      const tokens = Math.round(seconds * suite.model.tokens_per_second);
      voice.close({ input_tokens: tokens, output_tokens: Math.round(tokens / 10) });
      exit.resolve({ kind: 'exited', code: 0 });
    };
    clock.agent(true);
    play().catch((error: unknown) => {
      writeSync(request.stderr, `the modelled agent failed at ${id}: ${(error as Error).message}\n`);
      exit.resolve({ kind: 'exited', code: 70 });
    });
    const end = (signal: string) => () => {
      ended.abort();
      exit.resolve({ kind: 'signalled', signal });
    };
    exit.promise.finally(() => clock.agent(false));
    const mainExit = exit.promise;
    return {
      kind: 'running',
      running: {
        mainExit,
        treeEnd: mainExit.then((): TreeEnd => ({ leftBehind: 0, survivors: 0 })),
        terminate: end('SIGTERM'),
        kill: end('SIGKILL'),
        tree: () => ({ program: null, others: [] }),
        memoryMib: () => 100,
      },
    };
  };
}

function planned(suite: ModelledSuite, seed: number, { env, cwd, stdin }: LaunchRequest) {
  const id = env.RALPH_TASK_ID ?? '';
  const number = env.RALPH_ATTEMPT ?? '1';
  const task = suite.tasks.find((one) => one.id === id);
  if (task === undefined) throw new Error(`the suite has no task ${id}`);
  const source = join(cwd, 'src');
  const folders = existsSync(source) ? readdirSync(source) : [];
  const view = {
    prompt: stdin === null ? '' : readFileSync(stdin, 'utf8'),
    random: randomOf(seed, id, number),
    read: (path: string) => readText(join(cwd, path)),
    others: suite.tasks.map((one) => one.id).filter((one) => folders.includes(one.toLowerCase())),
  };
  const { code } = task;
  if (code !== undefined) return { id, ...attemptAtCode(suite.model, { ...view, task: { ...task, code } }) };
  const steps = attempt(suite.model, { ...view, task, work: workOf(suite.model, seed, task) });
  return { id, move: null, steps };
}

/** Returns the text of a file; `null`: it doesn't exist. */
export function readText(path: string): string | null {
  return tryOr(null, () => readFileSync(path, 'utf8'));
}

async function perform(
  step: Step,
  cwd: string,
  clock: VirtualClock,
  until: AbortSignal,
  voice: Voice,
): Promise<void> {
  switch (step.kind) {
    case 'work':
      return clock.work(step.seconds * 1000, until);
    case 'say':
      voice.say(step.text);
      return voice.flush();
    case 'write':
      call(voice, 'Write', { file_path: join(cwd, step.path), content: step.content });
      mkdirSync(dirname(join(cwd, step.path)), { recursive: true });
      return writeFileSync(join(cwd, step.path), step.content);
    case 'delete':
      call(voice, 'Bash', { command: `git rm --cached ${step.path}` });
      return rmSync(join(cwd, step.path), { force: true });
  }
}

function call(voice: Voice, name: string, input: Record<string, unknown>): void {
  voice.reportResult(voice.callTool(name, input), true, '');
}
