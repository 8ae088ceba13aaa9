import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { match } from 'ralph-kit/match';
import type { WorkerStopResult, WorkersResult } from '../../app/commands/workers.ts';
import { atWorkWords } from '../../domain/records/at-work.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { withLocalTimes } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { run as controlRun } from './control.ts';
import { run as logsOf } from './logs.ts';

export const examples: Examples = {
  workers: ['workers', 'workers logs 2 --follow', 'workers stop 2', 'workers drain'],
};

export function define(program: Command): void {
  const workers = program.command('workers');
  const give = actionOf(run, ({ action }) => action === 'stop' || action === 'drain');
  workers
    .command('list', { isDefault: true })
    .description('List the workers of the active run')
    .action((_options, command: Command) => give({ action: 'list' }, command));
  workers
    .command('logs')
    .argument('<worker>', 'its number')
    .option('-f, --follow', 'print it as it grows, until the attempt is over')
    .description("Show what a worker's agent says and does")
    .action((worker: string, { follow = false }, command: Command) =>
      give({ action: 'logs', worker, follow }, command),
    );
  workers
    .command('stop')
    .argument('<worker>', 'its number')
    .summary("End a worker's attempt")
    .description(
      "end its attempt, which doesn't count for the task; the worker starts no other one in this run",
    )
    .action((worker: string, _options, command: Command) => give({ action: 'stop', worker }, command));
  workers
    .command('drain')
    .summary('End the run after the attempts under way')
    .description('end the run once the attempts that are running are over, as ralph stop does')
    .action((_options, command: Command) => give({ action: 'drain' }, command));
}

export type WorkersCall =
  | { readonly action: 'list' }
  | { readonly action: 'logs'; readonly worker: string; readonly follow: boolean }
  | { readonly action: 'stop'; readonly worker: string }
  | { readonly action: 'drain' };

export async function run(call: Call, options: WorkersCall): Promise<void> {
  const { stopWorker, workerIteration, workers } = await import('../../app/commands/workers.ts');
  return match(options, 'action', {
    list: async () => call.print(await workers(call), workersText),
    logs: async ({ worker, follow }) => {
      const found = await workerIteration({ ...call, worker });
      if (!found.ok) return call.print(found, () => '');
      return logsOf(call, String(found.data.iteration), { follow });
    },
    stop: async ({ worker }) => call.print(await stopWorker({ ...call, worker }), stopText),
    drain: () => controlRun({ ...call, name: 'stop' }, {}),
  });
}

export function workersText({ run, workers: all }: WorkersResult, terminal: Terminal): string {
  if (run === null) return 'No run is active here.';
  const { table, style, piped } = terminal;
  const now = new Date();
  const rows = all.map((one) => {
    const { worker, stopped, task_id, attempt, agent, phase, since, place, path, idle_because } = one;
    const then = stopped ? ', then stops' : '';
    const why = idle_because === null ? '' : `: ${withLocalTimes(idle_because, now)}`;
    const idle = stopped ? 'stopped' : `idle${why}`;
    const doing = phase === null ? idle : `${atWorkWords({ agent, phase, place })}${then}`;
    return [
      ...[String(worker), task_id ?? '-', attempt === null ? '-' : String(attempt)],
      ...[since === null ? '-' : withLocalTimes(since, now), doing],
      ...(piped ? [path ?? 'none yet'] : []),
    ];
  });
  const head = ['worker', 'task', 'attempt', 'since', 'what', ...(piped ? ['copy'] : [])];
  // Paths are too long for the table, and have to stay whole to be copied.
  const copies = all.flatMap(({ worker, path }) => (path === null ? [] : [`copy ${worker}: ${path}`]));
  return [
    `${style.bold(run)}: ${counted(all.length, 'worker')}`,
    table(rows, head),
    ...(piped ? [] : copies.map((line) => style.dim(line))),
  ].join('\n');
}

export function stopText(result: WorkerStopResult, { para }: Terminal): string {
  const { run, worker, already, task_id, iteration, last } = result;
  const rest = last
    ? `It is the last worker, so ${run} ends then.`
    : `Worker ${worker} starts no other task in this run.`;
  if (already) return para(`Worker ${worker} is already stopped. ${last ? rest : ''}`.trim());
  if (task_id === null) return para(`Worker ${worker} was idle. ${rest}`);
  if (iteration === null) return para(`${task_id} is verified and lands. ${rest}`);
  return para(
    `Worker ${worker} ends its attempt at ${task_id} (iteration ${iteration}), which counts as no attempt; its work is kept. ${rest}`,
  );
}
