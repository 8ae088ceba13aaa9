import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { stripControl } from 'ralph-kit/text';
import type { FleetWorkerResult } from '../../../app/commands/fleet/worker.ts';
import type { Entry } from '../../../domain/entry.ts';
import { actionOf, type Call, type Examples, listOf } from '../../call.ts';
import { lease } from '../../commands/fleet/lease.ts';
import { openLoop } from '../../loop-input.ts';
import { TRUST } from '../../loop-options.ts';

export const examples: Examples = {
  'fleet worker': ['fleet worker', 'fleet worker --labels gpu,linux --once'],
};

export function define(fleet: Command): void {
  fleet
    .command('worker')
    .summary("Make attempts for a fleet's run")
    .description('make attempts that a fleet run offers, in this clone, until it is stopped')
    .option('--agent <name>', 'the agent, as in ralph run --agent')
    .option('--name <name>', 'how it is called; by default after the machine and the process')
    .option('--labels <names>', 'what it has: gpu,linux', listOf)
    .option('--once', 'end after one attempt')
    .option(...TRUST)
    .addOption(lease())
    .action(actionOf(run, true));
}

type FleetWorkerOptions = {
  readonly agent?: string;
  readonly name?: string;
  readonly labels?: readonly string[];
  readonly once?: boolean;
  readonly trust?: boolean;
  /** Seconds after which a worker without a sign of life loses its job. */
  readonly lease: number;
};

export async function run(call: Call, options: FleetWorkerOptions) {
  const { fleetWorker } = await import('../../../app/commands/fleet/worker.ts');
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
    log: (line) => {
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
