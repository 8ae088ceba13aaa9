import { EMPTY_TASK } from 'ralph-task-lists/task';
import type * as z from 'zod/mini';
import { InterventionSettings } from '../../../src/domain/config.ts';
import type { Finding } from '../../../src/domain/findings/finding.ts';
import type {
  InterventionRecord,
  InterventionType,
  KnownCheckpoint,
  Limits,
} from '../../../src/domain/intervention.ts';
import { type AttemptSummary, EMPTY_TASK_STATE, type TaskState } from '../../../src/domain/records/state.ts';
import type { InterventionDecision, InterventionInput } from '../../../src/respond/intervene/index.ts';
import { attemptSummary } from '../../helpers/facts.ts';
import { DEFAULT_INTERVENTION_SETTINGS } from '../../helpers/intervention-settings.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';
import { changeSet } from '../findings/facts.ts';

export const TYPES: Readonly<Record<string, InterventionType>> = {
  soft: 'soft_correction',
  reinforce: 'context_reinforcement',
  throttle: 'resource_throttling',
  rollback: 'checkpoint_rollback',
  stop: 'emergency_stop',
};

export const TASK = {
  ...EMPTY_TASK,
  id: 'E1-02',
  title: 'Parse quoted fields',
  description: 'As in RFC 4180.',
  acceptance: ['one', 'two', 'three', 'four', 'five'],
  expectedPaths: ['src/parser/**'],
};

export const LIMITS: Limits = {
  fileOperations: 500,
  memoryMb: 8192,
  tokens: 0,
  executionSeconds: 0,
  batchSize: 0,
};

export const CHECKPOINT: KnownCheckpoint = {
  id: 'r-1/1',
  iteration: 1,
  taskId: TASK.id,
  at: momentOf(0),
  tree: 'a',
  gateSuccess: 1,
  feedback: [],
  throttle: null,
  baseline: null,
};

/** Returns the time so many minutes after the beginning, in ISO 8601. */
export function momentOf(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 20, 10, 0, 0) + minutes * 60_000).toISOString();
}

export function finding(type: string, more: Partial<Finding> = {}): Finding {
  return {
    type,
    severity: 'medium',
    confidence: 1,
    impactFactor: 0,
    taskId: TASK.id,
    iteration: 1,
    summary: `There is ${type}.`,
    details: {},
    ...more,
  };
}

export function record(
  type: keyof typeof TYPES,
  issue: string,
  more: Partial<InterventionRecord> = {},
): InterventionRecord {
  return {
    type: TYPES[type] ?? 'soft_correction',
    issue,
    also: [],
    severity: 'medium',
    iteration: 1,
    at: momentOf(1),
    agent: 'claude',
    severityScore: 0.5,
    escalationLevel: 0,
    escalated: false,
    outcome: null,
    ...more,
  };
}

export function attempt(
  iteration: number,
  findings: string[],
  more: Partial<AttemptSummary> = {},
): AttemptSummary {
  return attemptSummary({
    run: 'r-1',
    iteration,
    agent: 'claude',
    mode: 'speed',
    startedAt: momentOf(iteration - 0.5),
    durationMs: 30_000,
    timeoutSeconds: 120,
    verdict: findings.length === 0 ? 'progress' : 'gates_failed',
    cause: '',
    filesChanged: 1,
    failedGates: [],
    tree: 't',
    findings,
    ...more,
  });
}

/** The first iteration of a task, one minute after the beginning; iteration N is at minute N. */
export function given(more: Partial<InterventionInput> = {}): InterventionInput {
  const iteration = more.iteration ?? 1;
  return {
    findings: [],
    task: TASK,
    taskState: EMPTY_TASK_STATE,
    agent: 'claude',
    iteration,
    endedAt: momentOf(iteration),
    settings: DEFAULT_INTERVENTION_SETTINGS,
    texts: {},
    taskAfter: 'open',
    recovers: false,
    progressed: false,
    configuredLimits: LIMITS,
    limits: LIMITS,
    resources: { fileOperations: 40, memoryMb: 900, tokens: 20_000, durationMs: 60_000 },
    timeoutSeconds: 120,
    checkpoints: [CHECKPOINT],
    effectiveness: [],
    handled: [],
    observed: EMPTY_OBSERVED,
    changes: changeSet(),
    doneTitles: [],
    ...more,
  };
}

export function state(more: Partial<TaskState>): TaskState {
  return { ...EMPTY_TASK_STATE, ...more };
}

/** Returns the default settings with these in their place. */
export function settings(more: z.input<typeof InterventionSettings>): InterventionSettings {
  return InterventionSettings.parse(more);
}

/** The task's state after an iteration, folded here independently of the room for the state. */
export function after(input: InterventionInput, decision: InterventionDecision): TaskState {
  const { taskState, findings, iteration } = input;
  const earlier = (taskState.interventions ?? []).map((one) => {
    const found = decision.assessed.find(
      (other) => other.iteration === one.iteration && other.type === one.type && other.issue === one.issue,
    );
    return found === undefined ? one : { ...one, outcome: found.outcome };
  });
  return {
    ...taskState,
    attempts: [
      ...taskState.attempts,
      attempt(
        iteration,
        findings.map(({ type }) => type),
      ),
    ],
    interventions: [...earlier, ...decision.interventions.map((one) => one.record)],
    interventionCount: (taskState.interventionCount ?? 0) + decision.interventions.length,
    reinforce: [...decision.reinforce],
    throttle: decision.throttle,
  };
}

/** Returns the interventions that were applied, each as `type:issue` in short names. */
export function applied({ interventions }: InterventionDecision): readonly string[] {
  const short = new Map(Object.entries(TYPES).map(([name, type]) => [type, name]));
  return interventions.map(({ record: { type, issue, also } }) =>
    [short.get(type), [issue, ...also].join('+')].join(':'),
  );
}

/** Returns the short names of the interventions that were applied. */
export function rungs(decision: InterventionDecision): string {
  return applied(decision)
    .map((text) => text.split(':')[0])
    .join(' ');
}
