import {
  type FleetStatusResult,
  fleetCancel,
  fleetDrain,
  fleetLogs,
  fleetPause,
  fleetStatus,
} from '../../../app/commands/fleet/control.ts';
import { fleetDoctor } from '../../../app/commands/fleet/doctor.ts';
import { fleetEnrol, fleetKey } from '../../../app/commands/fleet/keys.ts';
import { type Terminal, withLocalTimes } from '../../../io/ui/index.ts';
import { match } from '../../../lib/match.ts';
import { stripControl } from '../../../lib/text.ts';
import type { Call } from '../../call.ts';
import { coordinatorText, waitingTexts } from '../../render/fleet-text.ts';
import { doctorText } from '../doctor.ts';

export type FleetCall =
  | { readonly action: 'status' | 'pause' | 'resume' | 'doctor' | 'key' }
  | { readonly action: 'enrol'; readonly key: string; readonly name: string | null; readonly off: boolean }
  | { readonly action: 'drain'; readonly worker: string }
  | { readonly action: 'cancel'; readonly task: string }
  | { readonly action: 'logs'; readonly task: string; readonly follow: boolean };

/** `ralph fleet status`, `logs`, `pause`, `resume`, `drain`, `cancel` and `doctor` */
export function run(call: Call, given: FleetCall): Promise<void> {
  return match(given, 'action', {
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
        off ? `${key} is believed no longer.` : `${key} is enrolled: what it signs counts here.`,
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
