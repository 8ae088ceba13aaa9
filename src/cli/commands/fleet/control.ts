import type { Command } from 'commander';
import { match } from 'ralph-kit/match';
import { stripControl } from 'ralph-kit/text';
import type { FleetStatusResult } from '../../../app/commands/fleet/control.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { coordinatorText, waitingTexts, withLocalTimes } from '../../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../../call.ts';
import { doctorText } from '../doctor.ts';

export const examples: Examples = {
  fleet: ['fleet', 'fleet logs T-3 --follow', 'fleet cancel T-3', 'fleet drain build-2-4711'],
};

export function define(fleet: Command): void {
  const give = actionOf(run, ({ action }) => action !== 'status' && action !== 'logs' && action !== 'key');
  for (const [action, what] of [
    ['status', 'Show who works at what, and what waits'],
    ['pause', 'Have workers start no more attempts'],
    ['resume', 'Have workers start attempts again'],
    ['doctor', 'Check the server, the remote and the workers'],
  ] as const) {
    fleet
      .command(action, { isDefault: action === 'status' })
      .description(what)
      .action((_options, command: Command) => give({ action }, command));
  }
  fleet
    .command('key')
    .summary('Show the key of this clone, and whom it trusts')
    .description('the key of this clone, and those that are enrolled here')
    .action((_options, command: Command) => give({ action: 'key' }, command));
  fleet
    .command('enrol')
    .argument('<key>', 'the output of ralph fleet key on that machine')
    .option('--name <name>', 'what you call that machine')
    .option('--off', 'take the key out: what it signs no longer counts')
    .description('Trust another machine')
    .action((key: string, { name, off = false }, command: Command) =>
      give({ action: 'enrol', key, name: name ?? null, off }, command),
    );
  fleet
    .command('logs')
    .argument('<task>')
    .option('-f, --follow', 'print it as it grows, until the attempt is over')
    .description("Show what a task's agent says and does")
    .action((task: string, { follow = false }, command: Command) =>
      give({ action: 'logs', task, follow }, command),
    );
  fleet
    .command('drain')
    .argument('<worker>', 'its name')
    .description('End a worker after its attempt')
    .action((worker: string, _options, command: Command) => give({ action: 'drain', worker }, command));
  fleet
    .command('cancel')
    .argument('<task>')
    .summary('End an attempt, and hold its task back')
    .description('end the attempt at a task, which counts as none, and hold the task back')
    .action((task: string, _options, command: Command) => give({ action: 'cancel', task }, command));
}

export type FleetCall =
  | { readonly action: 'status' | 'pause' | 'resume' | 'doctor' | 'key' }
  | { readonly action: 'enrol'; readonly key: string; readonly name: string | null; readonly off: boolean }
  | { readonly action: 'drain'; readonly worker: string }
  | { readonly action: 'cancel'; readonly task: string }
  | { readonly action: 'logs'; readonly task: string; readonly follow: boolean };

export async function run(call: Call, options: FleetCall): Promise<void> {
  const { fleetCancel, fleetDrain, fleetLogs, fleetPause, fleetStatus } = await import(
    '../../../app/commands/fleet/control.ts'
  );
  const { fleetDoctor } = await import('../../../app/commands/fleet/doctor.ts');
  const { fleetEnrol, fleetKey } = await import('../../../app/commands/fleet/keys.ts');
  return match(options, 'action', {
    status: async () => call.print(await fleetStatus(call), statusText),
    pause: async () =>
      call.print(
        await fleetPause({ ...call, paused: true }),
        () => 'Workers start no attempt until ralph fleet resume.',
      ),
    resume: async () =>
      call.print(await fleetPause({ ...call, paused: false }), () => 'Workers start attempts again.'),
    key: async () =>
      call.print(await fleetKey(call), ({ key, enrolled }) =>
        [key, ...enrolled.map((one) => `enrolled here: ${one.key} ${one.name}`)].join('\n'),
      ),
    enrol: async ({ key, name, off }) =>
      call.print(await fleetEnrol({ ...call, key, name, off }), () =>
        off ? `What ${key} signs no longer counts here.` : `${key} is enrolled: what it signs counts here.`,
      ),
    doctor: async () =>
      call.print(await fleetDoctor(call), (data, terminal) => doctorText(data, terminal, true)),
    drain: async ({ worker }) =>
      call.print(await fleetDrain({ ...call, worker }), ({ task }) =>
        task === null ? `${worker} ends now.` : `${worker} ends after its attempt at ${task}.`,
      ),
    cancel: async ({ task }) =>
      call.print(await fleetCancel({ ...call, task }), ({ at_work }) =>
        at_work
          ? `The attempt at ${task} ends, and counts as none. The task is held back.`
          : `${task} isn't started. It is held back.`,
      ),
    logs: async ({ task, follow }) => {
      const onLine = (line: string) => {
        if (call.format === 'text') process.stdout.write(`${stripControl(line)}\n`);
      };
      await call.print(await fleetLogs({ ...call, task, follow, onLine }), () => '');
    },
  });
}

export function statusText(status: FleetStatusResult, { table, style }: Terminal): string {
  const { paused, workers } = status;
  const now = new Date();
  const local = (time: string | null) => (time === null ? '-' : withLocalTimes(time, now));
  const rows = workers.map(({ name, host, state, task, agents, labels, began, since }) => [
    ...[name, host, state, task ?? '-', local(began), local(since)],
    ...[agents.join(', '), labels.join(', ') || '-'],
  ]);
  return [
    style.bold(coordinatorText(status)),
    ...(paused ? ['Paused: ralph fleet resume'] : []),
    workers.length === 0
      ? 'No worker is up.'
      : table(rows, ['worker', 'host', 'state', 'task', 'since', 'seen', 'agents', 'labels']),
    ...waitingTexts(status),
  ].join('\n');
}
