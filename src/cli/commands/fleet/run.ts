import { fleetRun } from '../../../app/commands/fleet/run.ts';
import type { Call } from '../../call.ts';
import { type LoopOptions, openLoop } from '../../loop-input.ts';

type FleetRunOptions = LoopOptions & {
  readonly task?: readonly string[];
  readonly model?: string;
  /** ISO 8601 UTC. */
  readonly until?: string;
  readonly maxIterations?: number;
  readonly workers: number;
  readonly labels?: readonly string[];
  /** In seconds. */
  readonly lease: number;
};

/** `ralph fleet run` */
export async function run(call: Call, options: FleetRunOptions) {
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
  // The summary was printed as the run's last event.
  await call.print(result, () => '');
}
