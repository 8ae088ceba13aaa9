import { type DryRunResult, dryRun, run as runTasks } from '../../app/commands/run.ts';
import type { Entry, EntryOf } from '../../domain/entry.ts';
import { preflightText, type Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';

type RunOptions = LoopOptions & {
  readonly task?: readonly string[];
  readonly model?: string;
  /** ISO 8601 UTC. */
  readonly until?: string;
  readonly maxIterations?: number;
  readonly workers?: number;
  readonly dryRun?: boolean;
};

/** `ralph run` and `ralph step` */
export async function run(call: Call, options: RunOptions) {
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
  const exitCode = result.ok && step ? stepExitCode(result.exitCode, lastVerdict) : result.exitCode;
  // The summary was printed as the run's last event.
  await call.print({ ...result, exitCode }, () => '');
}

/** A step with the verdict done or progress succeeded, whatever is left to do (spec cli.md). */
function stepExitCode(exitCode: number, verdict: string | null): number {
  return exitCode === 3 && (verdict === 'done' || verdict === 'progress') ? 0 : exitCode;
}

/** The summary says what the process ends with. */
function asStep({ type, report }: EntryOf<'run_reported'>, verdict: string | null): Entry {
  const { endedWith } = report;
  return { type, report: { ...report, endedWith: endedWith && stepExitCode(endedWith, verdict) } };
}

function dryRunText(data: DryRunResult, terminal: Terminal): string {
  const { style } = terminal;
  const { tasks, tracker, next, reason, help, preflight, box } = data;
  const counts = `${tasks.done} of ${tasks.total} tasks in ${tracker} are done. Nothing was run.`;
  const head = [preflightText(preflight, terminal), `  ${box}`, counts].join('\n');
  if (reason !== null) return `${head}\n${reason}${help === null ? '' : `\nNext: ${help}`}`;
  if (next === null) return head;
  return `${head}\n${style.bold(next.id)} would be started: ${next.title} (${next.why}).`;
}
