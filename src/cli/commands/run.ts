import type { Command } from 'commander';
import type { DryRunResult } from '../../app/commands/run.ts';
import type { Entry, EntryOf } from '../../domain/entry.ts';
import { linesText, type Terminal } from '../../io/ui/index.ts';
import { preflightLines } from '../../tell/index.ts';
import { actionOf, type Call, collect, type Examples, wholeNumber } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';
import { loopOptions, MODEL, UNTIL } from '../loop-options.ts';

export const examples: Examples = {
  run: [
    'run',
    'run --until 07:00',
    'run --agent codex --mode quality',
    'run --task T-1,T-3',
    'run --dry-run',
  ],
  step: ['step', 'step --task T-3'],
};

export function define(program: Command): void {
  loopOptions(program.command('run'))
    .option('--task <ids>', 'work at this task alone; may be repeated, or T-1,T-2', collect)
    .option('--max-iterations <n>', 'stop after that many iterations', wholeNumber)
    .option(...UNTIL)
    .option(...MODEL)
    .option('--workers <n>', 'attempts at once, each at another task', wholeNumber)
    .option('--dry-run', 'only show what would be done')
    .action(actionOf(run, ({ dryRun }) => dryRun !== true));
  loopOptions(program.command('step'))
    .option('--task <ids>', 'work at this task alone; may be repeated, or T-1,T-2', collect)
    .option(...MODEL)
    .action(actionOf(run, true));
}

type RunOptions = LoopOptions & {
  readonly task?: readonly string[];
  readonly model?: string;
  /** No attempt starts after this time, ISO 8601 UTC; absent: no such limit. */
  readonly until?: string;
  readonly maxIterations?: number;
  readonly workers?: number;
  readonly dryRun?: boolean;
};

export async function run(call: Call, options: RunOptions) {
  const { dryRun, run: runTasks } = await import('../../app/commands/run.ts');
  const step = call.name === 'step';
  const { input: given, dispose } = openLoop(call, options);
  let lastVerdict: string | null = null;
  const input = {
    ...given,
    flags: { ...given.flags, 'parallel.workers': options.workers },
    tasks: options.task?.length ? options.task : null,
    model: options.model ?? null,
    until: options.until ?? null,
    notifyEnd: !step,
    maxIterations: step ? 1 : (options.maxIterations ?? null),
    onEntry: (entry: Entry, taskId?: string) => {
      if (entry.type === 'iteration_finished') lastVerdict = entry.attempt.verdict;
      given.onEntry?.(step && entry.type === 'run_reported' ? asStep(entry, lastVerdict) : entry, taskId);
    },
  };
  if (options.dryRun === true) {
    await call.print(await dryRun(input), dryRunText);
    return;
  }
  const result = await runTasks(input);
  dispose();
  // The run's last entry has already printed the summary.
  const nothing = () => '';
  if (!result.ok || !step) return call.print(result, nothing);
  const exitCode = stepExitCode(result.exitCode, lastVerdict);
  await call.print({ ...result, exitCode, data: { ...result.data, exit_code: exitCode } }, nothing);
}

/** Returns the exit code of `ralph step`. A verdict of done or progress is a success, even if tasks are left. */
function stepExitCode(exitCode: number, verdict: string | null): number {
  return exitCode === 3 && (verdict === 'done' || verdict === 'progress') ? 0 : exitCode;
}

/** Returns the report with the exit code of the step, because the summary names it. */
function asStep({ type, report }: EntryOf<'run_reported'>, verdict: string | null): Entry {
  const { endedWith } = report;
  return { type, report: { ...report, endedWith: endedWith && stepExitCode(endedWith, verdict) } };
}

function dryRunText(data: DryRunResult, terminal: Terminal): string {
  const { style } = terminal;
  const { tasks, tracker, next, reason, help, preflight, box } = data;
  const counts = `${tasks.done} of ${tasks.total} tasks in ${tracker} are done. Nothing was run.`;
  const head = [linesText(preflightLines(preflight), terminal), `  ${box}`, counts].join('\n');
  if (reason !== null) return `${head}\n${reason}${help === null ? '' : `\nNext: ${help}`}`;
  if (next === null) return head;
  return `${head}\n${style.bold(next.id)} would be started: ${next.title} (${next.why}).`;
}
