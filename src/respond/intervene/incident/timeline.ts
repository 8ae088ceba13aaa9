import { isKnownToAct } from 'ralph-kit/actions/action';
import { formatDuration } from 'ralph-kit/duration';
import { match } from 'ralph-kit/match';
import type { AgentEnd } from '../../../domain/agent.ts';
import type { IncidentReport } from '../../../domain/incident.ts';
import type { Intervention, InterventionRecord } from '../../../domain/intervention.ts';
import type { ObservedAction } from '../../../domain/observed.ts';
import type { InterventionEvent } from '../../../domain/records/event.ts';
import type { IterationDecisions, IterationFacts } from '../../../domain/records/iteration.ts';

type Entry = IncidentReport['timeline'][number];

/** Maximum number of failed actions in the timeline: the newest ones. */
const FAILED_SHOWN = 10;
/** Maximum number of actions in the timeline that wrote or ran something: the newest ones. */
const ACTIVE_SHOWN = 10;
const REFUSED_SHOWN = 10;

/**
 * Returns the timeline of an incident, oldest first: the attempts of the series, their interventions, and this attempt
 * until the stop.
 */
export function incidentTimeline(
  facts: IterationFacts,
  { verdict, cause, findings }: IterationDecisions,
  stop: Intervention,
  refused: readonly InterventionEvent[],
): Entry[] {
  const { taskState, iteration, startedAt, endedAt, agent, attempt, observed } = facts;
  const during = (atMs: number, what: string): Entry => ({ at: later(startedAt, atMs), what });
  const entries: Entry[] = [
    ...taskState.attempts.flatMap((one) => [
      { at: one.startedAt, what: `Iteration ${one.iteration} began with ${one.agent}.` },
      {
        at: later(one.startedAt, one.durationMs),
        what: `Iteration ${one.iteration} ended with ${words(one.verdict)} after ${formatDuration(one.durationMs)}: ${one.cause}${found(one.findings)}`,
      },
    ]),
    ...taskState.interventions.map((one) => ({ at: one.at, what: describeIntervention(one) })),
    { at: startedAt, what: `Iteration ${iteration} began with ${agent}, attempt ${attempt} of the task.` },
    ...actionsOfNote(observed.actions).map((action) => during(action.atMs, describeAction(action))),
    ...observed.corrections.map(({ atMs, issue }) =>
      during(atMs, `The running agent was corrected (${words(issue)}).`),
    ),
    ...refused
      .slice(-REFUSED_SHOWN)
      .map(({ timestamp, details }) => ({ at: timestamp, what: `${details.summary}.` })),
    { at: endedAt, what: endOf(facts.end) },
    ...facts.review.blocked.map(({ action, reason }) => ({
      at: endedAt,
      what: `Denied in this attempt: ${action} (${reason})`,
    })),
    {
      at: endedAt,
      what: `Verdict ${words(verdict.kind)}: ${cause}${found(findings.map(({ type }) => type))}`,
    },
    { at: stop.record.at, what: `Emergency stop: ${stop.why}` },
  ];
  // Sorting is stable, so entries with equal times keep this order.
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function actionsOfNote(actions: readonly ObservedAction[]): ObservedAction[] {
  const failed = actions.filter(({ ok }) => ok === false).slice(-FAILED_SHOWN);
  const active = actions.filter(isKnownToAct).slice(-ACTIVE_SHOWN);
  return actions.filter((action) => failed.includes(action) || active.includes(action));
}

function describeAction({ text, ok }: ObservedAction): string {
  return ok === false ? `An action of the agent failed: ${text}` : `The agent: ${text}`;
}

function describeIntervention({ type, issue, iteration, outcome }: InterventionRecord): string {
  const result = outcome === null ? 'outcome not known yet' : words(outcome);
  return `After iteration ${iteration}: ${words(type)} for ${words(issue)} (${result}).`;
}

function found(types: readonly string[]): string {
  return types.length === 0 ? '' : ` Found: ${[...new Set(types)].map(words).join(', ')}.`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns a later time as ISO 8601 UTC. A time that can't be read is returned unchanged. */
function later(at: string, ms: number): string {
  const time = Date.parse(at) + ms;
  return Number.isFinite(time) && Math.abs(time) < 8e15 ? new Date(time).toISOString() : at;
}

function endOf(end: AgentEnd): string {
  return match(end, 'kind', {
    exited: (end) => `The agent ended with exit code ${end.code}.`,
    signalled: (end) => `The agent was ended by ${end.signal}.`,
    timed_out: (end) =>
      end.which === 'wall'
        ? `The agent was ended at its time limit, after ${formatDuration(end.afterMs)}.`
        : `The agent was ended for its silence, after ${formatDuration(end.afterMs)}.`,
    interrupted: (end) => `ralph was stopped (${end.signal}).`,
    spawn_failed: (end) => `The agent could not be started: ${end.message}`,
    halted: (end) => `ralph ended the agent: ${end.message}`,
  });
}
