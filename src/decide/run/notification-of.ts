import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { Entry } from '../../domain/entry.ts';
import type { GateRequest } from '../../domain/human/gate.ts';
import { openRequestsOf } from '../../domain/human/state.ts';
import { openIncidents, waitingIncidents } from '../../domain/incident.ts';
import { type Notification, type Waits, waitsKey } from '../../domain/notification.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import { type Item, needItems, openItems } from '../../domain/report-items.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { workPlaceOf, workText } from '../../domain/work-place.ts';
import { answerCommand, asksQuestion } from '../../respond/blocked/index.ts';
import { gateText } from '../../respond/human/index.ts';
import { needsResume } from '../../respond/table.ts';
import { answerableOf, type Deciding } from './answerable.ts';
import { decisionCommand } from './next-commands.ts';

type Message = Omit<Notification, 'at' | 'run'>;

type Named = {
  readonly [T in Entry['type']]?: (entry: Extract<Entry, { type: T }>, state: State) => Waits | null;
};

/** Returns, by type of entry, what an entry makes wait for you. */
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
 * Returns the notification that an entry causes; `null`: none.
 * @param state The state with this entry, and with those that were committed with it.
 */
export function notificationOf(entry: Entry, state: State, deciding: Deciding): Message | null {
  if (entry.type === 'run_reported') return endNotification(entry.report);
  const waits = (WAITS[entry.type] as ((one: Entry, at: State) => Waits | null) | undefined)?.(entry, state);
  if (waits === undefined || waits === null) return null;
  const plan = entry.type === 'incident_opened' ? entry.plan : [];
  return waitingNotification(waits, state, deciding, plan);
}

/** Returns what waits for your answer, of each task the oldest. Requests about single actions of agents don't count. */
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

/** Returns whether something still waits for you. */
export function isWaiting(waits: Waits, state: State): boolean {
  if (waits.kind === 'gate') return state.human.requests.some(({ id }) => id === waits.request);
  return waitsIn(state).some((one) => waitsKey(one) === waitsKey(waits));
}

function gateWaiting({ id, facts, escalated }: GateRequest): Waits {
  return { kind: 'gate', taskId: facts.taskId, request: id, escalated };
}

/**
 * Returns a task that waits for you. One that waits at a human gate or after an emergency stop is reported with the
 * gate or incident instead.
 */
function taskWaiting(state: State, taskId: string, iteration: number): Waits | null {
  const { parked, parkedBecause } = taskStateOf(state, taskId);
  if (!parked || parkedBecause === null) return null;
  const isElsewhere =
    openIncidents(state).some((one) => one.taskId === taskId) ||
    openRequestsOf(state.human, taskId).some(({ action }) => action === null);
  return isElsewhere ? null : { kind: 'task', taskId, iteration };
}

/**
 * Returns whether a request is the first one of its attempt: of an attempt's waiting actions, only the first is
 * reported.
 */
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

/** Returns the number in the id of a request, such as 3 for `G-3`. */
function numberOf(request: string): number {
  return Number(request.slice('G-'.length));
}

/** Returns the notification about something that waits; `null`: it doesn't wait any more. */
export function waitingNotification(
  waits: Waits,
  state: State,
  deciding: Deciding,
  plan: readonly string[] = [],
): Message | null {
  const of = (
    message: Pick<Message, 'severity' | 'title' | 'text' | 'next'> & Partial<Message>,
  ): Message => ({
    kind: 'awaiting_human',
    taskId: waits.kind === 'stop' ? null : waits.taskId,
    incident: null,
    result: null,
    waits: { ...waits, answerable: answerableOf(waits, state, deciding) },
    ...message,
  });
  switch (waits.kind) {
    case 'question': {
      const { taskId } = waits;
      const { blocked } = taskStateOf(state, taskId);
      if (blocked === null) return null;
      const title = `ralph: the agent asks about ${taskId}`;
      return of({
        severity: 'warning',
        title,
        text: withWork(blocked.detail, state, taskId),
        next: [answerCommand(taskId)],
      });
    }
    case 'gate': {
      const request = state.human.requests.find(({ id }) => id === waits.request);
      return request === undefined ? null : of(gateWords(request));
    }
    case 'incident': {
      const incident = openIncidents(state).find(({ id }) => id === waits.incident);
      if (incident === undefined) return null;
      const { id, taskId, scope, severity, summary } = incident;
      const isCritical = scope === 'run' || severity === 'critical';
      return of({
        kind: scope === 'run' ? 'emergency_stop' : 'awaiting_human',
        incident: id,
        severity: isCritical ? 'critical' : 'warning',
        title:
          scope === 'run'
            ? `ralph: emergency stop ${id} at task ${taskId}`
            : `ralph: task ${taskId} waits for you (${id})`,
        text: withPlan(summary, plan),
        next: [`ralph resume ${id}`],
      });
    }
    case 'task': {
      const { taskId } = waits;
      const { parkedBecause, recovery } = taskStateOf(state, taskId);
      if (parkedBecause === null) return null;
      return of({
        severity: 'warning',
        title: `ralph: task ${taskId} waits for you`,
        text: withWork(withPlan(parkedBecause, recovery), state, taskId),
        next: [`ralph interventions --task ${shellQuote(taskId)}`, decisionCommand(state, taskId)],
      });
    }
    case 'stop': {
      const { stop } = state.policy;
      if (stop === null) return null;
      const { kind, reason } = stop;
      return of({
        taskId: stop.trigger?.taskId ?? null,
        severity: 'warning',
        title: kind === 'break' ? 'ralph: stopped, and needs you' : `ralph: limits reached (${kind})`,
        text: reason,
        next: ['ralph report', 'ralph resume'],
      });
    }
  }
}

function gateWords(request: GateRequest): Pick<Message, 'severity' | 'title' | 'text' | 'next'> {
  const { id, facts, action, escalated } = request;
  return {
    severity: escalated || facts.severity === 'critical' ? 'critical' : 'warning',
    title: `ralph: ${action === null ? 'task' : 'an action of'} ${facts.taskId} waits for you (${id})`,
    text: gateText(request),
    next: [`ralph approvals show ${id}`, `ralph approvals decide ${id}`],
  };
}

function withPlan(text: string, plan: readonly string[]): string {
  return [text, ...plan.map((step, at) => `${at + 1}. ${step}`)].join('\n');
}

function withWork(text: string, state: State, taskId: string): string {
  const work = workText(workPlaceOf(state, taskId));
  return work === null ? text : `${text}\n${work}`;
}

const NAMED = 10;

function endNotification(report: RunReport): Message {
  const { ending, headline, counts, tasks, doneInRun, unfinished, iterations, durationMs } = report;
  const exitCode = report.endedWith ?? 0;
  const [title = '', ...more] = headline.split('\n');
  const text = [
    ...more,
    ...(headline.includes(counts) ? [] : [counts]),
    `${counted(iterations, 'iteration')} in ${formatDuration(durationMs)}. Exit code ${exitCode}.`,
    ...listed('Needs you:', needItems(report).map(itemText)),
    ...listed('Not done:', openItems(unfinished.filter(({ group }) => group !== 'you')).map(itemText)),
    ...listed(
      'Done in this run:',
      doneInRun.map(({ id, title }) => `${id} ${title}`),
    ),
  ].join('\n');
  return {
    kind: 'run_finished',
    taskId: null,
    incident: null,
    waits: null,
    severity: exitCode === 0 ? 'info' : 'warning',
    title,
    text,
    next: report.next,
    result: { ending, exitCode, tasks, iterations, durationMs },
  };
}

function itemText({ tasks, cause, excerpt, work, commands }: Item): string {
  const heads = tasks.map(({ id, title }) => `${id} ${title}`);
  const below = [
    ...excerpt.map((line) => `  ${line}`),
    ...work.map((place) => workText(place) ?? ''),
    ...commands,
  ];
  return [...heads, cause, ...below]
    .map((line, at) => (at < heads.length ? line : `    ${line}`))
    .join('\n  ');
}

function listed(head: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > NAMED ? [`  and ${lines.length - NAMED} more`] : [];
  return ['', head, ...lines.slice(0, NAMED).map((line) => `  ${line}`), ...more];
}
