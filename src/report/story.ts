import type { InterventionType } from '../domain/intervention.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import { ANSWER_WORD } from '../domain/report-items.ts';
import { isObject } from '../lib/is-object.ts';
import type { EventSeverity } from '../lib/severity.ts';
import { firstFew } from '../lib/text.ts';

/** What was detected in one attempt, what was done about it, and whether that helped. */
export type StoryEntry = {
  readonly iteration: number;
  readonly run: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly taskId: string | null;
  readonly agent: string | null;
  /** The highest of its events. */
  readonly severity: EventSeverity;
  /** What happened, as the rest of a sentence that begins with the agent. */
  readonly what: string;
  readonly done: readonly string[];
  /** `null`: nothing was done that could help. */
  readonly outcome: string | null;
  /** Ids of its events. */
  readonly events: readonly string[];
};

/** The events of each attempt as one entry, oldest first. */
export function storyOf(events: readonly InterventionEvent[]): readonly StoryEntry[] {
  const groups = new Map<string, InterventionEvent[]>();
  for (const event of events) {
    const key = JSON.stringify([event.run, event.iteration, event.details.task_id ?? null]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return [...groups.values()].map(entryOf);
}

const SEVERITIES: readonly EventSeverity[] = ['info', 'warning', 'critical'];

function entryOf(events: readonly InterventionEvent[]): StoryEntry {
  const [first] = events as readonly [InterventionEvent, ...InterventionEvent[]];
  const text = (name: string) => {
    const holder = events.find(({ details }) => typeof details[name] === 'string');
    return holder === undefined ? null : String(holder.details[name]);
  };
  const ranks = events.map(({ severity }) => SEVERITIES.indexOf(severity));
  const done = doneIn(events);
  return {
    ...{ iteration: first.iteration, run: first.run, at: first.timestamp },
    ...{ taskId: text('task_id'), agent: text('agent') },
    severity: SEVERITIES[Math.max(...ranks)] ?? 'info',
    what: whatIn(events),
    done,
    outcome: outcomeOf(events),
    events: events.map(({ id }) => id),
  };
}

/** What the agent did; an agent that claims completion is asked first whether that is so. */
function whatIn(events: readonly InterventionEvent[]): string {
  const find = (type: string) => events.find(({ event_type }) => event_type === type);
  // Where the task's earlier attempts left work, it is no more than that.
  const noFiles = events.find(
    ({ event_type, severity }) => event_type === 'no_files_detected' && severity !== 'info',
  );
  const claimed = events.some(({ details }) => details.completion_claimed === true);
  if (noFiles !== undefined) return claimed ? 'claimed done, changed nothing' : 'changed nothing';
  const lie = find('false_completion_detected');
  if (lie !== undefined) {
    const { reasons } = lie.details;
    const why = Array.isArray(reasons) ? reasons.map(String) : [];
    return why.length === 0 ? "claimed done, but that isn't so" : `claimed done, but ${why.join('; ')}`;
  }
  const cause = events.find(
    ({ event_type }) => !CONSEQUENCES.has(event_type) && event_type !== 'no_files_detected',
  );
  const main = cause ?? find('task_blocked') ?? find('no_files_detected') ?? events[0];
  return main === undefined ? '' : summaryOf(main);
}

/** Events that say what was done about the others. */
const CONSEQUENCES: ReadonlySet<string> = new Set([
  'intervention_applied',
  'agent_reinforced',
  'threshold_exceeded',
  'mid_stream_prompt_injected',
  'task_blocked',
  'intervention_limit',
]);

function summaryOf({ event_type, severity, details }: InterventionEvent): string {
  if (event_type === 'task_blocked' && details.reason === 'agent_reported_blocked')
    return `said that it is blocked: ${details.detail}`;
  if (event_type === 'gate_changed') return `changed what gates run: ${changedPaths(details.changes)}`;
  if (event_type === 'no_files_detected' && severity === 'info')
    return 'added nothing to the work that is there';
  if (event_type === 'agent_reinforced') return 'got feedback';
  if (event_type === 'shadow_detected')
    return `overdid it (${String(details.issue).replace(/.*:/, '').replaceAll('_', ' ')})`;
  const text = [details.summary, details.cause, details.detail, details.reason, details.issue].find(
    (one) => typeof one === 'string' && one !== '',
  );
  // The sentence begins with the agent.
  const own = /^The agent (?=[a-z])(.*)$/s.exec(String(text ?? ''))?.[1];
  if (own !== undefined) return own;
  return String(text ?? event_type.replaceAll('_', ' '));
}

function changedPaths(changes: unknown): string {
  const paths = (Array.isArray(changes) ? changes : []).flatMap((one) =>
    isObject(one) && typeof one.path === 'string' ? [one.path] : [],
  );
  return firstFew([...new Set(paths)]);
}

function wroteNothing(events: readonly InterventionEvent[]): boolean {
  const written = events.flatMap(({ details }) => details.files_written ?? []);
  return written.length > 0 && written.every((count) => count === 0);
}

function doneIn(events: readonly InterventionEvent[]): string[] {
  const done = events.flatMap(({ event_type, details }) => {
    switch (event_type) {
      case 'intervention_applied': {
        const type = details.intervention_type as InterventionType;
        const back = type === 'checkpoint_rollback' && details.checkpoint === null;
        // A lie without a file has no work to set aside.
        if (type === 'checkpoint_rollback' && !back && wroteNothing(events)) return [];
        return [
          back ? 'no safe checkpoint to go back to: waits for you' : (ANSWER_WORD[type] ?? String(type)),
        ];
      }
      case 'mid_stream_prompt_injected':
        return ['warned while it worked'];
      case 'task_blocked':
        return ['task blocked'];
      case 'intervention_limit':
        return ['no further interventions: the limit is reached'];
      case 'agent_reinforced':
        return ['warned'];
      case 'threshold_exceeded':
        return details.suspended === true ? ['agent suspended'] : [];
      case 'action_denied':
        return ['denied'];
      case 'command_refused':
      case 'host_refused':
        return ['refused'];
      default:
        return [];
    }
  });
  const all = [...new Set(done)];
  // Each message of an intervention is feedback, too; a task that is blocked gets no next attempt automatically.
  const more =
    all.some((one) => one.startsWith('warned') && one !== 'warned') || all.includes('task blocked');
  return more ? all.filter((one) => one !== 'warned') : all;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  helped: 'fixed in the next attempt',
  not_helped: 'repeated in the next attempt',
  no_further_attempt: 'no further attempt',
};

function outcomeOf(events: readonly InterventionEvent[]): string | null {
  const applied = events.filter(({ event_type }) => event_type === 'intervention_applied');
  if (applied.length === 0) return null;
  const outcomes = applied.map(
    ({ details }) => OUTCOMES[String(details.outcome)] ?? 'not known yet whether it helped',
  );
  return [...new Set(outcomes)].join('; ');
}
