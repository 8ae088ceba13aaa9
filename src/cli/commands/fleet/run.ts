import type { Command } from 'commander';

import { actionOf, type Call, type Examples, listOf, wholeNumber } from '../../call.ts';
import { lease } from '../../commands/fleet/lease.ts';
import { type LoopOptions, openLoop } from '../../loop-input.ts';
import { loopOptions, MODEL, UNTIL } from '../../loop-options.ts';

export const examples: Examples = {
  'fleet run': ['fleet run --workers 8', 'fleet run --labels gpu'],
};

export function define(fleet: Command): void {
  loopOptions(fleet.command('run'))
    .summary('Have workers of the fleet make the attempts')
    .description('work through the tasks; workers of the fleet make the attempts, and this lands them')
    .option('--task <ids>', 'work at these tasks alone: T-1,T-2', listOf)
    .option('--max-iterations <n>', 'stop after that many iterations', wholeNumber)
    .option(...UNTIL)
    .option(...MODEL)
    .option('--workers <n>', 'attempts at once, each at another task', wholeNumber, 4)
    .option('--labels <names>', 'what a worker must have: gpu,linux', listOf)
    .addOption(lease())
    .action(actionOf(run, true));
}

type FleetRunOptions = LoopOptions & {
  readonly task?: readonly string[];
  readonly model?: string;
  /** No attempt starts after this time, ISO 8601 UTC; absent: no such limit. */
  readonly until?: string;
  readonly maxIterations?: number;
  readonly workers: number;
  readonly labels?: readonly string[];
  /** Seconds after which a worker without a sign of life loses its job. */
  readonly lease: number;
};

export async function run(call: Call, options: FleetRunOptions) {
  const { fleetRun } = await import('../../../app/commands/fleet/run.ts');
  const { input, dispose } = openLoop(call, options);
  const result = await fleetRun({
    ...input,
    flags: { ...input.flags, 'parallel.workers': options.workers },
    tasks: options.task?.length ? options.task : null,
    model: options.model ?? null,
    until: options.until ?? null,
    notifyEnd: true,
    maxIterations: options.maxIterations ?? null,
    labels: options.labels ?? [],
    leaseMs: Math.max(1, options.lease) * 1000,
  });
  dispose();
  // The run's last entry has already printed the summary.
  await call.print(result, () => '');
}
