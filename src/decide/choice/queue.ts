import { firstFew, pathText } from 'ralph-kit/text';
import { type AtWork, atWorkWords } from '../../domain/records/at-work.ts';
import type { AgentFacts } from '../../domain/records/choice.ts';
import type { RunControl } from '../../domain/records/run-control.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { resultsThatWait } from '../../domain/work-place.ts';
import { waitsForYou } from '../../tell/index.ts';
import { chooseAgent } from './available-agent.ts';
import { heldTasks, startsAnyway, workpieceOf } from './held-tasks.ts';
import { inOrder, type Readiness, readinessOf, whyNot } from './select-task.ts';

type Known = { readonly state: State; readonly tasks: readonly Task[]; readonly worktree: string };

export function workersAt({ state, tasks, worktree }: Known): AtWork[] {
  const places = state.workplaces.filter((one) => one.worktree === worktree);
  const all = places.flatMap(({ worker, openIteration: open, phase }): AtWork[] => {
    if (open === null && phase === null) return [];
    const { name, since } = phase ?? { name: 'agent' as const, since: open?.startedAt ?? '' };
    const { iteration = null, agent = null } = open ?? {};
    return [
      {
        worker,
        taskId: open?.taskId ?? phase?.taskId ?? '',
        iteration,
        agent,
        phase: name,
        since,
        place: null,
      },
    ];
  });
  const urgency = ({ taskId }: AtWork) => {
    const priority = tasks.find(({ id }) => id === taskId)?.priority ?? Number.MAX_SAFE_INTEGER;
    return state.first.includes(taskId) ? 0 : priority;
  };
  const lands = ({ worker }: AtWork) =>
    Number(places.find((one) => one.worker === worker)?.phase?.lands === true);
  const waiting = all
    .filter(({ phase }) => phase === 'turn')
    .toSorted(
      (one, other) =>
        lands(other) - lands(one) ||
        urgency(one) - urgency(other) ||
        Date.parse(one.since) - Date.parse(other.since),
    );
  return all
    .map((one) => ({ ...one, place: one.phase === 'turn' ? waiting.indexOf(one) + 1 : null }))
    .toSorted((one, other) => one.worker - other.worker);
}

/** Places of a task on its way to your branch, the nearest first. */
const KINDS = [
  'landing',
  'verified',
  'gates',
  'review',
  'turn',
  'working',
  'ready',
  'apart',
  'waiting',
  'held',
  'unverified',
  'faulty',
  'needs_you',
  'blocked',
] as const;

export type Queued = {
  readonly taskId: string;
  readonly title: string;
  readonly kind: (typeof KINDS)[number];
  /** Reason for the place, with times in ISO 8601 UTC. */
  readonly why: string;
  readonly worker: number | null;
  readonly since: string | null;
  readonly waitsFor: readonly string[];
  readonly paths: readonly string[];
  readonly until: string | null;
  readonly command: string | null;
};

export type QueueFacts = Known & {
  /** Facts about the active run; `null`: no run is active. */
  readonly run: {
    readonly workers: number;
    readonly control: RunControl;
    readonly availability: AgentFacts;
  } | null;
  /** Current time, ISO 8601 UTC. */
  readonly now: string;
};

/** Returns all tasks that aren't on your branch, in the order in which they are expected to land. */
export function queueOf(facts: QueueFacts): Queued[] {
  const { state, tasks, run, now } = facts;
  const atWork = run === null ? [] : workersAt(facts);
  const working = atWork.map(({ taskId }) => taskId);
  const held = heldTasks(working, tasks, state, now);
  const apart = new Map(held.map((one) => [one.id, one]));
  const readiness = readinessOf(tasks, new Set(working));
  const known = { states: state.tasks, first: state.first };
  const ordered = inOrder(tasks, readiness, known);
  const free = ordered.filter(({ id }) => !apart.has(id));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const entry = (task: Task, kind: Queued['kind'], why: string, more: Partial<Queued> = {}): Queued => ({
    taskId: task.id,
    title: task.title,
    kind,
    why,
    worker: null,
    since: null,
    waitsFor: [],
    paths: [],
    until: null,
    command: null,
    ...more,
  });
  const atWorkEntry = (one: AtWork): Queued[] => {
    const task = byId.get(one.taskId);
    if (task === undefined) return [];
    const kind = one.phase === 'agent' ? 'working' : one.phase;
    return [entry(task, kind, atWorkText(one), { worker: one.worker, since: one.since })];
  };
  const apartEntry = (task: Task): Queued[] => {
    const one = apart.get(task.id);
    if (one === undefined) return [];
    const until = startsAnyway(state, task.id);
    const { by, paths } = one;
    const isAlone = workpieceOf(task, state).isAlone;
    const why = apartText({ by, paths, isAlone, until });
    return [entry(task, 'apart', why, { waitsFor: [by], paths, until: paths.length === 0 ? null : until })];
  };
  const restEntry = (task: Task, one: Exclude<Readiness, { kind: 'ready' | 'done' | 'apart' }>): Queued => {
    const why = whyNot(task, one, state.tasks, byId);
    const waits = waitsForYou(state, task);
    if (one.kind === 'waiting') return entry(task, 'waiting', why, { waitsFor: one.waitsFor });
    if (one.kind === 'blocked') {
      const { blocked } = taskStateOf(state, task.id);
      return entry(task, 'blocked', blocked?.detail ?? 'marked as blocked in the task list');
    }
    if (one.kind !== 'parked') return entry(task, one.kind, why, { command: null });
    const { parked, held: isHeld } = taskStateOf(state, task.id);
    const command = waits?.command ?? null;
    return entry(task, isHeld && !parked ? 'held' : 'needs_you', waits?.why ?? why, { command });
  };
  const rest = tasks.flatMap((task, index) => {
    const one = readiness[index] ?? { kind: 'done' };
    if (working.includes(task.id) || one.kind === 'ready' || one.kind === 'done' || one.kind === 'apart')
      return [];
    return [restEntry(task, one)];
  });
  const queue = [
    ...verifiedOf(facts, working).map(({ task, why, command }) => entry(task, 'verified', why, { command })),
    ...atWork.flatMap(atWorkEntry),
    ...free.map((task, at) => entry(task, 'ready', readyText(facts, atWork, free[at - 1] ?? null))),
    ...ordered.flatMap(apartEntry),
    ...rest,
  ];
  const places = new Map(atWork.map(({ taskId, place }) => [taskId, place ?? 0]));
  return queue.toSorted(
    (one, other) =>
      KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
      (places.get(one.taskId) ?? 0) - (places.get(other.taskId) ?? 0),
  );
}

/** Returns why workers are idle, and the first task that they wait for; `null`: no task is left, or one starts next. */
export function whyIdle(queue: readonly Queued[]): { readonly taskId: string; readonly text: string } | null {
  if (queue.some(({ kind }) => kind === 'ready')) return null;
  const waiting = queue.filter(({ kind }) => kind === 'apart' || kind === 'waiting');
  const [first] = waiting;
  if (first === undefined) return null;
  const more = waiting.length === 1 ? '' : `, and ${waiting.length - 1} more wait`;
  const text = `${first.taskId} ${/^(?:waiting|kept) /.test(first.why) ? 'is ' : ''}${first.why}${more}`;
  return { taskId: first.taskId, text };
}

function verifiedOf({ state, tasks }: QueueFacts, working: readonly string[]) {
  const known = new Map(tasks.map((task) => [task.id, task]));
  return resultsThatWait(state, tasks).flatMap(({ id, why, next: command }) => {
    const task = known.get(id);
    if (task === undefined || working.includes(id)) return [];
    return [{ task, why: `waits: ${why.replace(/[.]$/, '')}`, command }];
  });
}

function atWorkText(one: AtWork): string {
  return `worker ${one.worker}: ${atWorkWords(one)}, since ${one.since}`;
}

type HeldFacts = {
  readonly by: string;
  readonly paths: readonly string[];
  readonly isAlone: boolean;
  readonly until: string | null;
};

const NAMED = 3;

function apartText({ by, paths, isAlone, until }: HeldFacts): string {
  if (paths.length > 0) {
    const latest = until === null ? '' : `; starts at ${until} at the latest`;
    return `kept apart from ${by}, as both may change ${firstFew(paths.map(pathText), NAMED)}${latest}`;
  }
  return isAlone
    ? `works alone after its conflicts, once ${by} is over`
    : `waits for ${by}, which works alone after its conflicts`;
}

function readyText({ run }: QueueFacts, atWork: readonly AtWork[], before: Task | null): string {
  if (before !== null) return `starts after ${before.id}`;
  if (run === null) return 'starts with the next run';
  const { control, availability } = run;
  if (control.stop !== null) return "isn't started in this run, which is ending (ralph stop)";
  if (control.pausedAt !== null) return 'the run is paused (ralph continue)';
  const busy = new Set([...atWork.map(({ worker }) => worker), ...control.stoppedWorkers]);
  if (busy.size >= run.workers) return 'starts as soon as a worker is free';
  const agent = chooseAgent(availability);
  if (agent.kind === 'wait') return `a worker is free, but no agent: ${agent.reason}`;
  if (agent.kind === 'end') return `a worker is free, but no agent: ${agent.ending.reason}`;
  return 'starts next';
}
