import { type FleetWorkerResult, fleetWorker } from '../../../app/commands/fleet/worker.ts';
import type { Entry } from '../../../domain/entry.ts';
import { counted } from '../../../lib/counted.ts';
import { stripControl } from '../../../lib/text.ts';
import type { Call } from '../../call.ts';
import { openLoop } from '../../loop-input.ts';

type FleetWorkerOptions = {
  readonly agent?: string;
  readonly name?: string;
  readonly labels?: readonly string[];
  readonly once?: boolean;
  readonly trust?: boolean;
  /** In seconds. */
  readonly lease: number;
};

/** `ralph fleet worker` */
export async function run(call: Call, options: FleetWorkerOptions) {
  const { input, dispose } = openLoop(call, { ...options, commit: true, wait: true });
  const result = await fleetWorker({
    ...input,
    name: options.name ?? null,
    labels: options.labels ?? [],
    once: options.once === true,
    leaseMs: Math.max(1, options.lease) * 1000,
    onEntry: (entry: Entry) => {
      if (entry.type === 'warned') call.onNotice(entry.message);
      if (entry.type === 'events_added' && entry.summary !== null) call.onNotice(entry.summary);
    },
    tell: (line) => {
      if (call.format === 'text' && !call.quiet) process.stdout.write(`${stripControl(line)}\n`);
    },
  });
  dispose();
  await call.print(result, workerText);
}

function workerText({ worker, delivered, refused, drained }: FleetWorkerResult): string {
  const late = refused === 0 ? '' : `, ${refused} that others had by then`;
  return `${worker} made ${counted(delivered, 'attempt')}${late}${drained ? ' and is drained' : ''}.`;
}
