import * as z from 'zod/mini';
import { InterventionEvent } from '../domain/event.ts';
import { FeedbackEntry } from '../domain/feedback.ts';
import { metricsDocument } from '../domain/metrics.ts';
import { type AgentProfile, RunSummary, State, TaskState } from '../domain/state.ts';
import { RememberedId } from '../domain/task.ts';
import { fragments, joined, jsonAt } from './fragments.ts';
import { toSnakeKeys } from './keys.ts';

export type ViewOptions = {
  /** Newest events listed in `events.json`. */
  readonly maxEvents: number;
  /** Feedback older than this many days is left out. */
  readonly feedbackRotationDays: number;
  /** ISO 8601 UTC. */
  readonly now: string;
};

/** A document below `.ralph/`. */
export type ViewDocument = { readonly path: string; readonly content: string };

const DAY_MS = 86_400_000;

// Parsing by schema gives the keys in one order, whether the state was folded just now or read from a snapshot.
const { events: _events, profiles: _profiles, eventTotals: _totals, ...coreShape } = State.shape;
const { tasks: _tasks, runs: _runs, rememberedIds: _ids, feedback: _feedback, ...smallShape } = coreShape;
const Small = z.object(smallShape);

const taskText = fragments((task: TaskState) => toSnakeKeys(TaskState.parse(task)), 2);
const runText = fragments((run: RunSummary) => toSnakeKeys(RunSummary.parse(run)), 2);
const idText = fragments((id: RememberedId) => toSnakeKeys(RememberedId.parse(id)), 2);
const feedbackPart = fragments((entry: FeedbackEntry) => toSnakeKeys(FeedbackEntry.parse(entry)), 2);
const eventText = fragments((event: InterventionEvent) => inDocumentedOrder(event), 2);

/** The JSON documents and `feedback.txt` as they follow from the state: equal states give equal bytes. */
export function viewDocuments(state: State, options: ViewOptions): ViewDocument[] {
  return [
    { path: 'state.json', content: stateText(state) },
    { path: 'metrics.json', content: json(metricsDocument(state)) },
    { path: 'interventions/events.json', content: eventsText(state, options.maxEvents) },
    { path: 'interventions/profile.json', content: json(profileDocument(state)) },
    { path: 'interventions/feedback.txt', content: feedbackText(state.feedback, options) },
  ];
}

/** Feedback that is not older than the rotation allows. */
export function currentFeedback(
  feedback: readonly FeedbackEntry[],
  options: Pick<ViewOptions, 'feedbackRotationDays' | 'now'>,
): FeedbackEntry[] {
  const oldest = Date.parse(options.now) - options.feedbackRotationDays * DAY_MS;
  return feedback.filter((entry) => !(Date.parse(entry.at) < oldest));
}

/** `events.json` for a list of events; also the form of what `interventions --reset` archives. */
export function eventsDocument(state: Pick<State, 'events'>, maxEvents: number): Record<string, unknown> {
  return {
    $schema: EVENTS_SCHEMA,
    events: newest(state, maxEvents).map((event) => inDocumentedOrder(event)),
  };
}

function eventsText(state: State, maxEvents: number): string {
  const events = newest(state, maxEvents);
  if (lastEvents.of === null || !isSameList(events, lastEvents.of)) {
    lastEvents = {
      of: events,
      text: documentText([
        ['$schema', JSON.stringify(EVENTS_SCHEMA)],
        ['events', joined('[]', events.map(eventText), 1)],
      ]),
    };
  }
  return lastEvents.text;
}

/** The largest document, and most iterations bring no event. */
let lastEvents: { readonly of: readonly InterventionEvent[] | null; readonly text: string } = {
  of: null,
  text: '',
};

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function newest({ events }: Pick<State, 'events'>, maxEvents: number): readonly InterventionEvent[] {
  return maxEvents > 0 ? events.slice(-maxEvents) : [];
}

const EVENTS_SCHEMA = 'ralph_gold.interventions.v1';

const EVENT_KEYS = Object.keys(InterventionEvent.shape);

function inDocumentedOrder(event: InterventionEvent): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const key of EVENT_KEYS) ordered[key] = event[key];
  return Object.assign(ordered, event);
}

function stateText(state: State): string {
  const tasks = Object.entries(sorted(state.tasks)).map(
    ([id, task]) => `${JSON.stringify(id)}: ${taskText(task)}`,
  );
  const large: Record<string, string> = {
    tasks: joined('{}', tasks, 1),
    runs: joined('[]', state.runs.map(runText), 1),
    remembered_ids: joined('[]', state.rememberedIds.map(idText), 1),
    feedback: joined('[]', state.feedback.map(feedbackPart), 1),
  };
  const small = toSnakeKeys(Small.parse(state)) as Record<string, unknown>;
  return documentText([
    ['$schema', JSON.stringify('ralph.state.v1')],
    ...STATE_KEYS.filter((key) => large[key] !== undefined || small[key] !== undefined).map(
      (key): [string, string] => [key, large[key] ?? jsonAt(small[key], 1)],
    ),
  ]);
}

/** In the order of the schema. */
const STATE_KEYS = Object.keys(
  toSnakeKeys(Object.fromEntries(Object.keys(coreShape).map((key) => [key, null]))) as object,
);

function documentText(entries: readonly (readonly [key: string, text: string])[]): string {
  const parts = entries.map(([key, text]) => `${JSON.stringify(key)}: ${text}`);
  return `${joined('{}', parts, 0)}\n`;
}

function profileDocument(state: State): Record<string, unknown> {
  return {
    $schema: 'ralph_gold.profile.v2',
    profiles: Object.values(sorted(state.profiles)).map(profileEntry),
  };
}

function profileEntry(profile: AgentProfile): Record<string, unknown> {
  const perIteration = (sum: number) =>
    profile.totalIterations === 0 ? 0 : rounded(sum / profile.totalIterations);
  return {
    agent_id: profile.agentId,
    total_iterations: profile.totalIterations,
    no_files_count: profile.noFilesCount,
    false_completion_count: profile.falseCompletionCount,
    avg_files_per_iteration: perIteration(profile.filesChanged),
    avg_evidence_count: perIteration(profile.evidenceCount),
    last_reinforcement: profile.lastReinforcement,
    intervention_threshold_exceeded: profile.thresholdExceeded,
    files_changed: profile.filesChanged,
    evidence_count: profile.evidenceCount,
    done_count: profile.doneCount,
    suspended: profile.suspended,
    unavailable: toSnakeKeys(profile.unavailable ?? null),
    window: profile.window.map(({ iteration, noFiles, falseCompletion }) => ({
      iteration,
      no_files: noFiles,
      false_completion: falseCompletion,
    })),
    levels: Object.fromEntries(
      Object.entries(sorted(profile.levels)).map(([level, { attempts, done, durationsMs }]) => [
        level,
        { attempts, done, durations_ms: durationsMs },
      ]),
    ),
  };
}

function feedbackText(feedback: readonly FeedbackEntry[], options: ViewOptions): string {
  return currentFeedback(feedback, options)
    .map((entry) => {
      const task = entry.taskId === null ? 'every task' : `task ${entry.taskId}`;
      const where = entry.iteration === null ? task : `iteration ${entry.iteration}, ${task}`;
      return `[${entry.at}] ${where} (${entry.source}, ${entry.kind})\n${entry.text.trimEnd()}\n`;
    })
    .join('\n');
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function json(document: Record<string, unknown>): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
