import { isObject } from 'ralph-kit/is-object';
import type { EventSeverity } from 'ralph-kit/severity';
import type { SnakeKeys } from 'ralph-kit/snake-keys';
import { firstFew } from 'ralph-kit/text';
import type { InterventionType } from '../domain/intervention.ts';
import type { InterventionEvent } from '../domain/records/event.ts';
import { ANSWER_WORD } from './items.ts';
import { withLocalTimes } from './times.ts';
import { words } from './words.ts';

export type StoryEntry = {
  readonly iteration: number;
  readonly run: string;
  /** Time of the first event of the attempt, ISO 8601 UTC. */
  readonly at: string;
  readonly taskId: string | null;
  readonly agent: string | null;
  readonly severity: EventSeverity;
  /** Rest of a sentence that begins with the agent. */
  readonly what: string;
  readonly done: readonly string[];
  /** Result of ralph's answer; `null`: there was no answer that could help. */
  readonly outcome: string | null;
  readonly events: readonly string[];
};

/** Returns an entry for each attempt with events, oldest first. */
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

type StoryParts = Pick<SnakeKeys<StoryEntry>, 'task_id' | 'agent' | 'what' | 'done' | 'outcome'>;

/** Returns an entry as a sentence without its time and full stop. */
export function storyText({ task_id: task, agent, what, done, outcome }: StoryParts, now: Date): string {
  const who = [task, agent].filter((one) => one !== null).join(' ');
  const answer = done.length === 0 ? '' : ` → ${done.join(', ')}`;
  return `${who} ${withLocalTimes(what, now).replace(/[.]$/, '')}${answer}${outcome === null ? '' : `; ${outcome}`}`;
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
    iteration: first.iteration,
    run: first.run,
    at: first.timestamp,
    taskId: text('task_id'),
    agent: text('agent'),
    severity: SEVERITIES[Math.max(...ranks)] ?? 'info',
    what: whatIn(events),
    done,
    outcome: outcomeOf(events),
    events: events.map(({ id }) => id),
  };
}

/** Returns what happened in the attempt. False claims come first. */
function whatIn(events: readonly InterventionEvent[]): string {
  const find = (type: string) => events.find(({ event_type }) => event_type === type);
  // A no-files event of severity info means that earlier attempts left the work, so other events describe the attempt better.
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

/** Types of events that describe an answer to other events. */
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
    return `overdid it (${words(String(details.issue).replace(/.*:/, ''))})`;
  const text = [details.summary, details.cause, details.detail, details.reason, details.issue].find(
    (one) => typeof one === 'string' && one !== '',
  );
  // The sentence already begins with the agent.
  const own = /^The agent (?=[a-z])(.*)$/s.exec(String(text ?? ''))?.[1];
  if (own !== undefined) return own;
  return String(text ?? words(event_type));
}

function changedPaths(changes: unknown): string {
  const paths = (Array.isArray(changes) ? changes : []).flatMap((one) =>
    isObject(one) && typeof one.path === 'string' ? [one.path] : [],
  );
  return firstFew([...new Set(paths)]);
}

const OVER = 'started over';

function doneIn(events: readonly InterventionEvent[]): string[] {
  const isUnchanged = whatIn(events).endsWith('changed nothing');
  const done = events.flatMap(({ event_type, details }) => {
    switch (event_type) {
      case 'intervention_applied': {
        const type = details.intervention_type as InterventionType;
        const back = type === 'checkpoint_rollback' && details.checkpoint === null;
        if (back) return ['no safe checkpoint to go back to: waits for you'];
        const word = ANSWER_WORD[type] ?? String(type);
        return [isUnchanged && word.endsWith(OVER) ? OVER : word];
      }
      case 'mid_stream_prompt_injected':
        return ['warned while it worked'];
      case 'task_blocked':
        return ['task blocked'];
      case 'intervention_limit':
        return ['no further interventions: the task has reached its limit of them'];
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
  // The text of each intervention is also feedback, and a blocked task has no next attempt.
  const isBlocked = all.includes('task blocked');
  const more = all.some((one) => one.startsWith('warned') && one !== 'warned') || isBlocked;
  return all.filter((one) => !(more && one === 'warned') && !(isBlocked && one.endsWith(OVER)));
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
