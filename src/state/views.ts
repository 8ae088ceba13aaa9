import { snakeKeys } from 'ralph-kit/snake-keys';
import type { FeedbackEntry } from '../domain/feedback.ts';
import { lessonText } from '../domain/findings/lesson-text.ts';
import { changesOf, failedTries, type Recovery, type RecoveryTry } from '../domain/human/recovery.ts';
import type { HumanState, Whitelisted } from '../domain/human/state.ts';
import { LESSON_FROM } from '../domain/policy.ts';
import { InterventionEvent } from '../domain/records/event.ts';
import { PROFILE_HISTORY } from '../domain/records/profile.ts';
import { type AgentProfile, type State, StateCore, TaskState } from '../domain/records/state.ts';
import { MAX_EVENTS } from './draft.ts';
import { metricsDocument, rounded, sorted } from './metrics.ts';

export type ViewOptions = {
  readonly maxEvents: number;
  /** Days after which feedback is left out. */
  readonly feedbackRotationDays: number;
  /** Current time, ISO 8601 UTC. */
  readonly now: string;
};

/** A document to write. `path` is relative to `.ralph/`. */
export type ViewDocument = { readonly path: string; readonly content: string };

const DAY_MS = 86_400_000;

/** Returns all views of a state. Equal states give equal bytes. */
export function viewDocuments(state: State, options: ViewOptions): ViewDocument[] {
  return [
    { path: 'state.json', content: json(stateDocument(state)) },
    { path: 'metrics.json', content: json(metricsDocument(state)) },
    { path: 'lessons.json', content: json(lessonsDocument(state)) },
    { path: 'interventions/events.json', content: json(eventsDocument(state, options.maxEvents)) },
    { path: 'interventions/profile.json', content: json(profileDocument(state)) },
    { path: 'interventions/feedback.txt', content: feedbackText(state.feedback, options) },
    ...auditView(state.human),
    ...requestViews(state.human),
    ...whitelistViews(state.human),
    ...state.recoveries.map((recovery) => ({
      path: `recoveries/${recovery.id}.json`,
      content: json(recoveryDocument(recovery)),
    })),
  ];
}

export function currentFeedback(
  feedback: readonly FeedbackEntry[],
  options: Pick<ViewOptions, 'feedbackRotationDays' | 'now'>,
): FeedbackEntry[] {
  const oldest = Date.parse(options.now) - options.feedbackRotationDays * DAY_MS;
  return feedback.filter((entry) => !(Date.parse(entry.at) < oldest));
}

/** Returns `events.json`. `interventions --reset` archives events in the same form. */
export function eventsDocument(state: Pick<State, 'events'>, maxEvents: number): Record<string, unknown> {
  return {
    $schema: EVENTS_SCHEMA,
    events: (maxEvents > 0 ? state.events.slice(-maxEvents) : []).map((event) => inDocumentedOrder(event)),
  };
}

const EVENTS_SCHEMA = 'ralph_gold.interventions.v1';

const EVENT_KEYS = Object.keys(InterventionEvent.shape);

function inDocumentedOrder(event: InterventionEvent): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const key of EVENT_KEYS) ordered[key] = event[key];
  return Object.assign(ordered, event);
}

function stateDocument(state: State): Record<string, unknown> {
  // Tasks are parsed one by one: zod's records drop a task that is called `__proto__`.
  const tasks = Object.entries(sorted(state.tasks)).map(([id, task]) => [id, TaskState.parse(task)]);
  // Parsing by schema gives the same key order for folded states and snapshots.
  const core = { ...StateCore.parse({ ...state, tasks: {} }), tasks: Object.fromEntries(tasks) };
  return { $schema: 'ralph.state.v1', ...snakeKeys(core) };
}

export function profileDocument(state: State) {
  return {
    $schema: 'ralph_gold.profile.v2',
    profiles: Object.values(sorted(state.profiles)).map((profile) => profileEntry(profile, state.events)),
  };
}

function profileEntry(
  { thresholdExceeded, levels, ...profile }: AgentProfile,
  events: readonly InterventionEvent[],
) {
  const perIteration = (sum: number) =>
    profile.totalIterations === 0 ? 0 : rounded(sum / profile.totalIterations);
  return {
    ...snakeKeys({ ...profile, levels: sorted(levels) }),
    avg_files_per_iteration: perIteration(profile.filesChanged),
    avg_evidence_count: perIteration(profile.evidenceCount),
    intervention_threshold_exceeded: thresholdExceeded,
    intervention_history: events
      .filter(({ details }) => details.agent === profile.agentId)
      .slice(-PROFILE_HISTORY)
      .map(({ iteration, event_type, timestamp, severity, details, remediation_attempted }) => ({
        iteration,
        event_type,
        timestamp,
        severity,
        details,
        remediation_attempted,
      })),
  };
}

export function lessonsDocument({ policy }: Pick<State, 'policy'>) {
  const lessons = policy.lessons
    .filter(({ count }) => count >= LESSON_FROM)
    .toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
  return {
    $schema: 'ralph.lessons.v1',
    lessons: lessons.map((lesson) => snakeKeys({ ...lesson, text: lessonText(lesson) })),
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

function json(document: Record<string, unknown>): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Days after which events are archived, however long feedback is kept. */
const EVENT_DAYS = 30;

/** Fewest events that are archived at once. Usually it is a quarter of the limit. */
const MIN_BATCH = 50;

export type DueEvents = { readonly count: number; readonly content: string };

/**
 * Returns the events to archive; `null`: none now. Events beyond `maxEvents` are archived in batches, and events older
 * than `EVENT_DAYS` once a day.
 */
export function eventsToArchive(state: Pick<State, 'events'>, options: ViewOptions): DueEvents | null {
  const count = Math.max(overLimit(state.events.length, options.maxEvents), tooOld(state, options));
  if (count === 0) return null;
  const document = eventsDocument({ events: state.events.slice(0, count) }, count);
  return { count, content: json(document) };
}

/** Returns how many events are over the limit. It is well below the fold's own limit, which drops events. */
function overLimit(length: number, maxEvents: number): number {
  const keep = Math.min(Math.max(maxEvents, 0), Math.floor(MAX_EVENTS * 0.75));
  const batch = Math.max(MIN_BATCH, Math.floor(keep / 4));
  return length >= keep + batch ? length - keep : 0;
}

/** Returns how many events are too old. Those without a readable time count as old. */
function tooOld({ events }: Pick<State, 'events'>, options: ViewOptions): number {
  const limit = Date.parse(options.now) - EVENT_DAYS * DAY_MS;
  const isBefore = (time: string, moment: number) => !(Date.parse(time) >= moment);
  const first = events[0];
  if (first === undefined || !isBefore(first.timestamp, limit - DAY_MS)) return 0;
  const kept = events.findIndex((event) => !isBefore(event.timestamp, limit));
  return kept === -1 ? events.length : kept;
}

/** Maximum number of characters of a path in the name of its whitelist file. */
const LONGEST_NAME = 150;

function auditView({ audit }: HumanState): ViewDocument[] {
  if (audit.head.n === 0) return [];
  const content = audit.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return [{ path: 'gates/decisions.log', content }];
}

function requestViews({ requests, decided }: HumanState): ViewDocument[] {
  const open = requests.map((request) => ({ request, decision: null }));
  return [...open, ...decided.map(({ request, ...decision }) => ({ request, decision }))].map(
    ({ request, decision }) => ({
      path: `gates/${request.id}.json`,
      content: json({ $schema: 'ralph.human_gate.v1', ...snakeKeys(request), decision: snakeKeys(decision) }),
    }),
  );
}

function whitelistViews({ whitelist, examples }: HumanState): ViewDocument[] {
  const files = new Map<string, Whitelisted[]>();
  for (const entry of whitelist) {
    const path =
      entry.path === null
        ? 'whitelists/global.json'
        : `whitelists/files/${encodeURIComponent(entry.path).slice(-LONGEST_NAME)}.json`;
    files.set(path, [...(files.get(path) ?? []), entry]);
  }
  const lists = [...files].map(([path, entries]) => ({
    path,
    content: json({ $schema: 'ralph.whitelist.v1', entries: snakeKeys(entries) }),
  }));
  const kept = examples.map((example) => ({
    path: `whitelists/examples/${example.request}.json`,
    content: json({ $schema: 'ralph.example.v1', ...snakeKeys(example) }),
  }));
  return [...lists, ...kept];
}

function recoveryDocument(recovery: Recovery) {
  const { ended, tries, ...rest } = recovery;
  return {
    $schema: 'ralph.recovery.v1',
    ...snakeKeys(rest),
    status: ended?.how ?? 'open',
    ended_at: ended?.at ?? null,
    failed_attempts: failedTries(recovery),
    iterations: tries.map((one) => snakeKeys(one)),
    phases: [...tries.flatMap(phasesOf), ...lastPhase(recovery)],
  };
}

type PhaseEntry = {
  readonly phase: 'pause' | 'diagnose' | 'adapt' | 'retry' | 'escalate' | 'end';
  readonly iteration: number;
  readonly at: string;
  readonly text: string;
};

function phasesOf({ iteration, at, ended, diagnosis, adaptation }: RecoveryTry): PhaseEntry[] {
  const entry = (phase: PhaseEntry['phase'], text: string) => ({ phase, iteration, at, text });
  return [
    entry('pause', ended),
    entry('diagnose', `${diagnosis.text} Confidence ${diagnosis.confidence}.`),
    ...(adaptation === null
      ? []
      : [entry('adapt', `${changesOf(adaptation)}.`), entry('retry', `Attempt ${adaptation.attempt}.`)]),
  ];
}

const ENDS: Readonly<Record<NonNullable<Recovery['ended']>['how'], string>> = {
  recovered: 'The task is done.',
  escalated: 'You decide.',
  blocked: 'The task is blocked.',
  reset: 'The task got a fresh series of attempts.',
};

function lastPhase({ ended, tries }: Recovery): PhaseEntry[] {
  if (ended === null) return [];
  const phase = ended.how === 'escalated' ? 'escalate' : 'end';
  return [{ phase, iteration: tries.at(-1)?.iteration ?? 0, at: ended.at, text: ENDS[ended.how] }];
}
