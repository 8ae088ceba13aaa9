import { NO_REVIEWS } from 'ralph-actions/forms/record';
import type { FeedbackEntry } from '../../../src/domain/feedback.ts';
import type { KnownCheckpoint } from '../../../src/domain/intervention.ts';
import type { InterventionEvent } from '../../../src/domain/records/event.ts';
import type { JournalBody, JournalBodyOf, JournalRecord } from '../../../src/domain/records/journal.ts';
import type { AttemptSummary, BlockedRecord, Workplace } from '../../../src/domain/records/state.ts';
import type { VerdictKind } from '../../../src/domain/verdict.ts';
import { attemptSummary } from '../../helpers/facts.ts';
import { NO_POLICY_AFTER } from '../../helpers/policy.ts';

/** Returns the time so many minutes into the test's day. */
export function time(minute: number): string {
  return `2026-01-20T${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00.000Z`;
}

export function numbered(bodies: readonly JournalBody[], from = 1): JournalRecord[] {
  return bodies.map((body, index) => ({ seq: from + index, at: time(from + index), ...body }));
}

export function attempt(more: Partial<AttemptSummary> = {}): AttemptSummary {
  return attemptSummary({
    run: 'r-1',
    iteration: 1,
    agent: 'claude',
    mode: 'speed',
    startedAt: time(0),
    durationMs: 1000,
    timeoutSeconds: 120,
    verdict: 'progress',
    cause: 'files, no claim',
    filesChanged: 1,
    failedGates: [],
    tree: 'aaaa',
    ...more,
  });
}

export function event(number: number, more: Partial<InterventionEvent> = {}): InterventionEvent {
  return {
    id: `e-${number}`,
    iteration: 1,
    run: 'r-1',
    worker: 1,
    event_type: 'no_files_detected',
    timestamp: time(number),
    severity: 'warning',
    details: { task_id: 'A' },
    remediation_attempted: true,
    ...more,
  };
}

export function feedback(text: string, more: Partial<FeedbackEntry> = {}): FeedbackEntry {
  return { at: time(1), taskId: 'A', iteration: 1, kind: 'no_files', source: 'loop', text, ...more };
}

export function blockedRecord(more: Partial<BlockedRecord> = {}): BlockedRecord {
  return {
    reason: 'timeout',
    detail: '3 attempts',
    at: time(1),
    run: 'r-1',
    iteration: 3,
    attempts: [],
    outputTail: '',
    failedGateTail: '',
    ...more,
  };
}

export const WORKPLACE: Workplace = { worker: 1, worktree: 'main' };

/** What the screen shows at the start of a run, and of an iteration. */
export const SHOWN_RUN = {
  ...{ model: null, until: null, tracker: 'PRD.md' },
  asked: null,
  tasks: { total: 1, done: 0, unverified: 0, blocked: 0, open: 1 },
  ...{ attempts: 3, iterations: 50, box: { line: '', outside: [] } },
  budget: null,
};
export const SHOWN_ITERATION = {
  ...{ title: 'Task A', attempt: 1, maxAttempts: 3, limitSeconds: 120, timeoutReason: '120 s' },
  ...{ place: { number: 1, of: 1 }, leftMs: null },
};

export const RUN: JournalBodyOf<'run_started'> = {
  type: 'run_started',
  run: 'r-1',
  agent: 'claude',
  mode: 'speed',
  workers: 1,
  unchecked: [],
  startedAt: time(0),
  pid: 7,
  host: 'h',
  version: '0.1.0',
  head: null,
  ...SHOWN_RUN,
  ...WORKPLACE,
};

/** Returns the record of the checkpoint that an iteration starts from. */
export function checkpoint(
  iteration: number,
  taskId = 'A',
  more: Partial<KnownCheckpoint> = {},
): KnownCheckpoint {
  return {
    id: `r-1/${iteration}`,
    iteration,
    taskId,
    at: time(iteration),
    tree: `before-${iteration}`,
    gateSuccess: 1,
    feedback: [],
    throttle: null,
    baseline: null,
    ...more,
  };
}

/** Record of a task that you unblocked by hand, without guidance. */
export const UNBLOCKED: JournalBodyOf<'task_unblocked'> = {
  type: 'task_unblocked',
  taskId: 'A',
  reason: 'x',
  timeoutSeconds: null,
  strategy: null,
  automatic: false,
  marked: false,
  fresh: false,
};

export function started(iteration: number, taskId = 'A'): JournalBodyOf<'iteration_started'> {
  return {
    type: 'iteration_started',
    run: 'r-1',
    iteration,
    ...WORKPLACE,
    taskId,
    agent: 'claude',
    mode: 'speed',
    startedAt: time(iteration),
    timeoutSeconds: 120,
    ...SHOWN_ITERATION,
    checkpoint: checkpoint(iteration, taskId),
    head: null,
    branch: null,
  };
}

type Finished = JournalBodyOf<'iteration_finished'>;

export function finished(
  iteration: number,
  more: Partial<Finished> & { verdict?: VerdictKind; durationMs?: number } = {},
): Finished {
  const { verdict = 'progress', durationMs = 1000, ...rest } = more;
  return {
    type: 'iteration_finished',
    workflow: null,
    prover: null,
    proposed: [],
    gatesNow: { down: [], up: [] },
    run: 'r-1',
    reviews: NO_REVIEWS,
    waitedMs: 0,
    left: [],
    criteria: [],
    signs: [],
    grade: 'none',
    mutants: null,
    iteration,
    ...WORKPLACE,
    taskId: 'A',
    title: 'Task A',
    level: 'medium',
    attempt: attempt({ iteration, verdict, durationMs }),
    failedAttempt: false,
    taskStatus: 'open',
    blocked: null,
    noFiles: false,
    falseCompletion: false,
    evidenceCount: 2,
    treeChanged: true,
    spend: [],
    events: [],
    feedback: [],
    reinforced: false,
    suspendAgent: null,
    ...NO_POLICY_AFTER,
    lessons: [],
    unavailable: null,
    interventions: [],
    assessed: [],
    reinforce: [],
    throttle: null,
    rollback: null,
    parkedBecause: null,
    recovery: [],
    recovering: null,
    changedPaths: [],
    commits: [],
    leftTree: `left-${iteration}`,
    baseline: null,
    recordSha256: 'x',
    budget: null,
    head: null,
    ...rest,
  };
}
