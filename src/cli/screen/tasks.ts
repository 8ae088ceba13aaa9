import { firstFew } from 'ralph-kit/text';
import type { Watched } from '../../app/commands/watch.ts';
import { localTime, withLocalTimes } from '../../tell/index.ts';
import type { Repo } from './state.ts';

/** Groups of tasks. Those that need you come first. */
export const GROUPS = ['you', 'running', 'next', 'waiting', 'done'] as const;
export type Group = (typeof GROUPS)[number];

export const GROUP_TITLES: Readonly<Record<Group, string>> = {
  you: 'Needs you',
  running: 'Running',
  next: 'Next',
  waiting: 'Waiting',
  done: 'Done',
};

export type Row = {
  readonly id: string;
  readonly title: string;
  readonly group: Group;
  /** State in one or two words. */
  readonly state: string;
  readonly why: string | null;
  readonly task: Watched['tasks'][number];
  /** Request for your decision for which the task waits; `null`: none. */
  readonly request: Watched['requests'][number] | null;
  readonly incident: string | null;
  readonly attempt: Watched['attempts'][number] | null;
};

/** Returns the tasks of a repository in the order of the list, limited to those that contain the filter's text. */
export function rowsOf({ data }: Pick<Repo, 'data'>, filter = ''): readonly Row[] {
  if (data === null) return [];
  const wanted = filter.trim().toLowerCase();
  const rows = data.tasks.map((task) => rowOf(data, task));
  const order = ({ task }: Row) => task.place?.number ?? 0;
  const ofGroup = (group: Group) =>
    rows.filter((row) => row.group === group).toSorted((one, other) => order(one) - order(other));
  return GROUPS.flatMap(ofGroup).filter(
    ({ id, title, state }) => wanted === '' || `${id} ${title} ${state}`.toLowerCase().includes(wanted),
  );
}

export function chosenRow(repo: Repo, filter = ''): Row | null {
  const rows = rowsOf(repo, filter);
  return rows.find(({ id }) => id === repo.taskId) ?? rows[0] ?? null;
}

const RUNNING: Readonly<Record<string, string>> = {
  turn: 'waits its turn',
  gates: 'gates run',
  review: 'in review',
  landing: 'lands',
};

function rowOf(data: Watched, task: Watched['tasks'][number]): Row {
  const request = data.requests.find(({ task_id }) => task_id === task.id) ?? null;
  const incident = data.incidents.find(({ task_id }) => task_id === task.id) ?? null;
  const attempt = data.attempts.find(({ task_id }) => task_id === task.id) ?? null;
  const at = { id: task.id, title: task.title, task, request, attempt, incident: incident?.id ?? null };
  const row = (group: Group, state: string, why: string | null = null): Row => ({
    ...at,
    group,
    state,
    why: why === null ? null : withLocalTimes(why, new Date()),
  });
  const why = task.open?.why ?? null;
  if (incident !== null) return row('you', 'stopped', incident.summary);
  if (request !== null) return row('you', `gate ${request.id}`, request.action ?? request.why);
  if (attempt !== null)
    return row('running', RUNNING[task.place?.kind ?? ''] ?? 'running', attempt.found[0] ?? null);
  if (task.problem !== null) return row('you', 'to fix', task.problem);
  switch (task.status) {
    case 'parked':
      return task.held && !task.parked ? row('waiting', 'held back', why) : row('you', 'waits for you', why);
    case 'unverified':
      return row('you', 'not verified', why);
    case 'blocked':
      return row('you', 'blocked', why);
    case 'done': {
      const { place } = task;
      if (place === null) return row('done', 'done');
      // The task is verified, but isn't on your branch yet.
      const needsYou = place.command !== null;
      return row(
        needsYou ? 'you' : 'running',
        RUNNING[place.kind] ?? place.kind,
        needsYou ? `${place.why} (${place.command})` : place.why,
      );
    }
    default:
      break;
  }
  if (task.waits_for.length > 0) return row('waiting', `after ${firstFew(task.waits_for, 2)}`);
  const { place } = task;
  if (place?.kind === 'apart') return row('waiting', 'kept apart', place.why);
  const state = task.first ? 'goes first' : task.status === 'in_progress' ? 'unfinished' : 'open';
  return row(
    task.open?.group === 'you' ? 'you' : 'next',
    state,
    task.open?.group === 'not_started' ? null : why,
  );
}

/** Returns the state of the active run; without one, why the last run stopped, if that matters to you. */
export function runState(data: Watched): string {
  const { running, incident, policy_stop: stop, last_run: last } = data.status;
  if (incident !== null) return `emergency stop ${incident.id}`;
  if (running === null) {
    if (stop !== null) return `stopped by the ${stop.kind}`;
    return isCutOff(data) ? 'the run was cut off' : 'no run is active';
  }
  if (running.stopping) return 'stops after this attempt';
  if (running.paused_since !== null) return `paused since ${localTime(running.paused_since, new Date())}`;
  if (data.run !== null) return 'running';
  return last !== null && last.run === running.run && last.ending !== null ? 'ending' : 'starting';
}

/** Returns whether the last run was killed, or its machine went down. The next run continues its work. */
export function isCutOff({ status, report }: Watched): boolean {
  return status.running === null && report?.ending === 'crashed';
}
