import type { Entry } from '../../domain/entry.ts';
import type { GateRequest } from '../../domain/human/gate.ts';
import { openRequestsOf } from '../../domain/human/state.ts';
import { openIncidents, waitingIncidents } from '../../domain/incident.ts';
import { type Waits, waitsKey } from '../../domain/notification.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import { needsResume } from '../../respond/table.ts';
import { asksQuestion, endMessage, type Message, waitingMessage } from '../../tell/index.ts';
import { answerableOf, type Deciding } from './answerable.ts';

type Named = {
  readonly [T in Entry['type']]?: (entry: Extract<Entry, { type: T }>, state: State) => Waits | null;
};

/** What an entry lets wait for you. */
const WAITS: Named = {
  iteration_finished: ({ taskId, iteration, blocked }, state) =>
    asksQuestion({ blocked })
      ? { kind: 'question', taskId, iteration }
      : taskWaiting(state, taskId, iteration),
  incident_opened: ({ incident: { taskId, id } }) => ({ kind: 'incident', taskId, incident: id }),
  human_gate_opened: ({ request }, state) => (isFirst(state, request) ? gateWaiting(request) : null),
  human_gate_timed_out: ({ request }, state) => {
    const still = state.human.requests.find(({ id }) => id === request);
    return still === undefined ? null : gateWaiting(still);
  },
  policy_stopped: ({ stop }) => (needsResume(stop) ? { kind: 'stop', run: stop.run } : null),
};

/**
 * Returns what you are notified of because of an entry; `null`: nothing.
 *
 * @param state The fold with the entry, and with those that were committed with it.
 */
export function notificationOf(entry: Entry, state: State, deciding: Deciding): Message | null {
  if (entry.type === 'run_reported') return endMessage(entry.report);
  const waits = (WAITS[entry.type] as ((one: Entry, at: State) => Waits | null) | undefined)?.(entry, state);
  if (waits === undefined || waits === null) return null;
  const plan = entry.type === 'incident_opened' ? entry.plan : [];
  return waitingNotification(waits, state, deciding, plan);
}

/** Returns what waits for you, and would be answered for: the oldest of each task. Single actions of agents don't count. */
export function waitsIn(state: State): Waits[] {
  const ofTasks = Object.entries(state.tasks).flatMap(([taskId, task]): Waits[] => {
    const incident = waitingIncidents(state).find((one) => one.taskId === taskId);
    if (incident !== undefined) return [{ kind: 'incident', taskId, incident: incident.id }];
    const gates = openRequestsOf(state.human, taskId).filter(({ action }) => action === null);
    if (gates.length > 0) return gates.map(gateWaiting);
    if (task.blocked !== null && asksQuestion(task))
      return [{ kind: 'question', taskId, iteration: task.blocked.iteration }];
    const waits = taskWaiting(state, taskId, task.attempts.at(-1)?.iteration ?? 0);
    return waits === null ? [] : [waits];
  });
  const { stop } = state.policy;
  return stop !== null && needsResume(stop) ? [...ofTasks, { kind: 'stop', run: stop.run }] : ofTasks;
}

/** Returns whether something that waited still does. */
export function isWaiting(waits: Waits, state: State): boolean {
  if (waits.kind === 'gate') return state.human.requests.some(({ id }) => id === waits.request);
  return waitsIn(state).some((one) => waitsKey(one) === waitsKey(waits));
}

function gateWaiting({ id, facts, escalated }: GateRequest): Waits {
  return { kind: 'gate', taskId: facts.taskId, request: id, escalated };
}

/** A task that waits at a gate, or for an emergency stop, is reported with these. */
function taskWaiting(state: State, taskId: string, iteration: number): Waits | null {
  const { parked, parkedBecause } = taskStateOf(state, taskId);
  if (!parked || parkedBecause === null) return null;
  const isElsewhere =
    openIncidents(state).some((one) => one.taskId === taskId) ||
    openRequestsOf(state.human, taskId).some(({ action }) => action === null);
  return isElsewhere ? null : { kind: 'task', taskId, iteration };
}

/** Of the actions of one attempt that wait, only the first is reported. */
function isFirst({ human }: State, { id, run, iteration, facts, action }: GateRequest): boolean {
  if (action === null) return true;
  const all = [...human.requests, ...human.decided.map(({ request }) => request)];
  return !all.some(
    (one) =>
      numberOf(one.id) < numberOf(id) &&
      one.action !== null &&
      one.run === run &&
      one.iteration === iteration &&
      one.facts.taskId === facts.taskId,
  );
}

/** The number of a request such as `G-3`. */
function numberOf(request: string): number {
  return Number(request.slice('G-'.length));
}

/** Returns the message about something that waits; `null`: it doesn't wait any more. */
export function waitingNotification(
  waits: Waits,
  state: State,
  deciding: Deciding,
  plan: readonly string[] = [],
): Message | null {
  const message = waitingMessage(waits, state, plan);
  return message && { ...message, waits: { ...waits, answerable: answerableOf(waits, state, deciding) } };
}
