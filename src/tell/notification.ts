import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { GateRequest } from '../domain/human/gate.ts';
import { openIncidents, resumeCommand } from '../domain/incident.ts';
import type { Notification, Waits } from '../domain/notification.ts';
import { type State, taskStateOf } from '../domain/records/state.ts';
import type { RunReport } from '../domain/run-report.ts';
import { workPlaceOf, workText } from '../domain/work-place.ts';
import { answerCommand, continueCommand, decideCommand } from './commands.ts';
import { gateText } from './gate-panel.ts';
import { countsBelow } from './headline.ts';
import { type Item, needItems, openItems } from './items.ts';
import { decisionCommand } from './next-commands.ts';

export type Message = Omit<Notification, 'at' | 'run'>;

/** The words of a message. */
type Words = Pick<Message, 'severity' | 'title' | 'text' | 'next'>;

/** Returns the message about something that waits; `null`: it doesn't wait any more. */
export function waitingMessage(
  waits: Waits,
  state: State,
  plan: readonly string[],
): Omit<Message, 'waits'> | null {
  const of = (message: Words & Partial<Message>) => ({
    kind: 'awaiting_human' as const,
    taskId: waits.kind === 'stop' ? null : waits.taskId,
    incident: null,
    result: null,
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
        next: [resumeCommand(id)],
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
        next: ['ralph report', continueCommand(state, true)],
      });
    }
  }
}

function gateWords(request: GateRequest): Words {
  const { id, facts, action, escalated } = request;
  return {
    severity: escalated || facts.severity === 'critical' ? 'critical' : 'warning',
    title: `ralph: ${action === null ? 'task' : 'an action of'} ${facts.taskId} waits for you (${id})`,
    text: gateText(request),
    next: [`ralph approvals show ${id}`, decideCommand(id)],
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

/** Returns the message about the end of a run. */
export function endMessage(report: RunReport): Message {
  const { ending, headline, tasks, doneInRun, unfinished, iterations, durationMs } = report;
  const exitCode = report.endedWith ?? 0;
  const [title = '', ...more] = headline.split('\n');
  const text = [
    ...more,
    ...countsBelow(report),
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
