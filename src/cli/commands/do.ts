import { text as readAll } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { parseDuration } from 'ralph-kit/duration';
import type { DoResult, ForgetResult } from '../../app/commands/do.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, calledWith, collect, type Examples } from '../call.ts';
import { atTerminal, type LoopOptions, openLoop } from '../loop-input.ts';
import { loopOptions, MODEL, UNTIL } from '../loop-options.ts';

export const examples: Examples = {
  do: [
    'do "Fix the off-by-one in the pager"',
    'do "Log in by e-mail" --check "npm run e2e" --files "src/login/**" --max-cost 2',
    'do < task.md',
    'do',
    'do --forget',
  ],
};

export function define(program: Command): void {
  loopOptions(program.command('do'))
    .argument('[words...]', 'the task; without words, the standard input, or the task that is not done yet')
    .option('--check <command>', 'must pass when it is done; may be repeated', collect)
    .option('--files <pattern>', 'what it may change; may be repeated', collect)
    .option('--max-cost <usd>', 'end when it has cost that much', dollars)
    .option('--timeout <duration>', 'time limit of an attempt: 90s, 30m, 2h', seconds)
    .option(...UNTIL)
    .option(...MODEL)
    .option('--forget', 'drop the task that is not done, its work, and what ralph keeps of it')
    .description('do one task, without a task list, in any repository')
    .action(actionOf(run, true));
}

function dollars(text: string): number {
  if (!/^\$?\d+(?:\.\d+)?$/.test(text))
    throw new InvalidArgumentError('Use an amount in dollars, such as 2.50.');
  return Number(text.replace('$', ''));
}

function seconds(text: string): number {
  const value = parseDuration(text);
  if (value === null) throw new InvalidArgumentError('Use 90s, 30m or 2h.');
  return value;
}

type DoOptions = LoopOptions & {
  readonly check?: readonly string[];
  readonly files?: readonly string[];
  readonly maxCost?: number;
  readonly timeout?: number;
  readonly model?: string;
  /** Time after which no attempt starts, ISO 8601 UTC. */
  readonly until?: string;
  readonly forget?: boolean;
};

export async function run(call: Call, words: readonly string[], options: DoOptions) {
  const { doTask, forget } = await import('../../app/commands/do.ts');
  if (options.forget === true) {
    await call.print(await forget({ cwd: call.cwd, onNotice: call.onNotice }), forgetText);
    return;
  }
  const isPiped = words.length === 0 && !process.stdin.isTTY;
  const text = isPiped ? await readAll(process.stdin) : words.join(' ');
  const { input, dispose } = openLoop(call, options);
  const result = await doTask({
    ...input,
    flags: { ...input.flags, 'budget.money': options.maxCost },
    text,
    checks: options.check ?? [],
    files: options.files ?? [],
    timeoutSeconds: options.timeout ?? null,
    agent: options.agent ?? null,
    model: options.model ?? null,
    until: options.until ?? null,
    askAgent: atTerminal(call)(async (names: readonly string[], place) =>
      (await import('../ask-init.ts')).askInstalled(names, place),
    ),
    commandWith: (option) => `${calledWith('do', option)}${isPiped && text !== '' ? ' < FILE' : ''}`,
  });
  dispose();
  // The run's last event has already printed the summary.
  await call.print(result, doText);
}

function doText({ do: { task_id, status, landed } }: DoResult, { style }: Terminal): string {
  const drop = 'Drop it and its work: ralph do --forget';
  if (landed)
    return style.dim('Its records are kept outside of the repository. To remove them: ralph do --forget');
  if (status === 'done')
    return style.dim(`${task_id} waits for you. Land it: ralph land ${task_id}   ${drop}`);
  return style.dim(`${task_id} isn't done. Continue: ralph do   ${drop}`);
}

function forgetText({ forgotten, work }: ForgetResult): string {
  if (forgotten === null) return 'There is nothing to forget.';
  return `${forgotten.id} is forgotten${work ? ', and its work is gone' : ''}: ${forgotten.title}`;
}
