import type { Command } from 'commander';
import type { LoopEvent } from '../../domain/loop-event.ts';
import { callOf, wholeNumber } from '../call.ts';
import { type LoopOptions, loopOptions, openLoop } from '../loop-input.ts';

type RunOptions = LoopOptions & {
  readonly task?: string;
  readonly maxIterations?: number;
  readonly workers?: number;
  readonly dryRun?: boolean;
};

export function runCommand(program: Command): void {
  loopOptions(program.command('run'))
    .description('work through the tasks until they are done')
    .option('--task <id>', 'work at this task alone')
    .option('--max-iterations <n>', 'stop after that many iterations', wholeNumber)
    .option('--workers <n>', 'parallel workers (only 1 exists yet)', wholeNumber)
    .option('--dry-run', 'only show what would be done')
    .action(runLoop);
}

export function stepCommand(program: Command): void {
  loopOptions(program.command('step'))
    .description('one iteration')
    .option('--task <id>', 'work at this task alone')
    .action((options: RunOptions, command: Command) => runLoop({ ...options, maxIterations: 1 }, command));
}

async function runLoop(options: RunOptions, command: Command): Promise<void> {
  const call = callOf(command);
  const { run, dryRun } = await import('../../app/commands/run.ts');
  const { input: given, dispose } = await openLoop(call, options);
  let lastVerdict: string | null = null;
  const input = {
    ...given,
    flags: { ...given.flags, 'parallel.workers': options.workers },
    task: options.task ?? null,
    maxIterations: options.maxIterations ?? null,
    emit: (event: LoopEvent) => {
      if (event.kind === 'iteration_finished') lastVerdict = event.verdict.kind;
      given.emit(event);
    },
  };
  if (options.dryRun === true) {
    const { dryRunText } = await import('../render/dry-run.ts');
    await call.print(await dryRun(input), dryRunText);
    return;
  }
  const result = await run(input);
  dispose();
  const exitCode =
    result.ok && command.name() === 'step' ? stepExitCode(result.exitCode, lastVerdict) : result.exitCode;
  // The summary was printed as the run's last event.
  await call.print({ ...result, exitCode }, () => '');
}

/** A step with the verdict done or progress succeeded, whatever is left to do (spec cli.md). */
function stepExitCode(exitCode: number, verdict: string | null): number {
  return exitCode === 3 && (verdict === 'done' || verdict === 'progress') ? 0 : exitCode;
}
