import { EMPTY_TASK } from 'ralph-task-lists/task';
import * as z from 'zod/mini';
import { AdaptiveTimeoutSettings } from '../../../src/domain/config.ts';
import { NO_AVOIDANCE } from '../../../src/domain/findings/avoidance.ts';
import type { Finding } from '../../../src/domain/findings/finding.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import type { Intervention, InterventionRecord, Limits } from '../../../src/domain/intervention.ts';
import type { ObservedAction } from '../../../src/domain/observed.ts';
import { NO_PROOF } from '../../../src/domain/proof-run.ts';
import type { IterationDecisions, IterationFacts } from '../../../src/domain/records/iteration.ts';
import { emptyProfile } from '../../../src/domain/records/profile.ts';
import { type AttemptSummary, EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import type { IncidentInput } from '../../../src/respond/intervene/index.ts';
import { attemptSummary, NO_ACTIONS, NO_CHOICE } from '../../helpers/facts.ts';
import { DEFAULT_INTERVENTION_SETTINGS } from '../../helpers/intervention-settings.ts';
import { NO_POLICY_AFTER, NO_POLICY_AT_START } from '../../helpers/policy.ts';
import { changeSet, NO_CLAIM, NO_GATES, REPORT } from '../findings/facts.ts';

export const HOME = '/home/ann';
const BEGAN = '2026-05-01T10:00:00.000Z';
const ENDED = '2026-05-01T10:05:00.000Z';
export const LIMITS: Limits = {
  fileOperations: 200,
  memoryMb: 4096,
  tokens: 0,
  executionSeconds: 600,
  batchSize: 0,
};

export function action(text: string, rest: Partial<ObservedAction> = {}): ObservedAction {
  return { atMs: 1000, tool: 'Bash', kind: 'system_command', text, paths: [], ok: true, ...rest };
}

export function finding(rest: Partial<Finding> = {}): Finding {
  return {
    type: 'resource_spiral',
    severity: 'high',
    confidence: 0.8,
    impactFactor: 0.3,
    taskId: 'T-1',
    iteration: 5,
    summary: 'memory grew to 3.1 times of the attempt before.',
    details: { growth: { memory: 3.1 } },
    ...rest,
  };
}

export function intervention(rest: Partial<InterventionRecord> = {}): InterventionRecord {
  return {
    type: 'resource_throttling',
    issue: 'resource_spiral',
    also: [],
    severity: 'medium',
    iteration: 4,
    at: '2026-05-01T09:30:00.000Z',
    agent: 'claude',
    severityScore: 0.5,
    escalationLevel: 0,
    escalated: false,
    outcome: 'not_helped',
    ...rest,
  };
}

export function attemptBefore(rest: Partial<AttemptSummary> = {}): AttemptSummary {
  return attemptSummary({
    run: 'r-1',
    iteration: 4,
    agent: 'claude',
    mode: 'speed',
    startedAt: '2026-05-01T09:20:00.000Z',
    durationMs: 120_000,
    timeoutSeconds: 600,
    verdict: 'gates_failed',
    cause: 'The gate test fails.',
    filesChanged: 2,
    failedGates: ['test'],
    tree: 't-before',
    findings: ['resource_spiral'],
    ...rest,
  });
}

export function stopFor(issue: string): Intervention {
  return {
    record: intervention({
      type: 'emergency_stop',
      issue,
      severity: 'high',
      iteration: 5,
      at: ENDED,
      escalationLevel: 2,
      escalated: true,
      outcome: null,
    }),
    plan: { type: 'emergency_stop', reason: `${issue} again, after everything else.`, scope: 'run' },
    why: 'score 1.10, the third occurrence.',
  };
}

/** The second attempt at T-1, stopped for a resource spiral after throttling had not helped. */
export function incidentInput({
  facts = {},
  decisions = {},
  ...rest
}: Partial<Omit<IncidentInput, 'facts' | 'decisions'>> & {
  readonly facts?: Partial<IterationFacts>;
  readonly decisions?: Partial<IterationDecisions>;
} = {}): IncidentInput {
  return {
    id: 'INC-3',
    refused: [],
    facts: {
      begun: null,
      workflow: null,
      prover: null,
      run: 'r-2',
      iteration: 5,
      worker: 1,
      worktree: 'main',
      waitedMs: 0,
      startedAt: BEGAN,
      endedAt: ENDED,
      agent: 'claude',
      agentOutput: 'claude-stream',
      mode: 'speed',
      timeoutSeconds: 600,
      timeoutReason: 'medium',
      attempt: 2,
      task: { ...EMPTY_TASK, id: 'T-1', title: 'Write the parser' },
      taskState: { ...EMPTY_TASK_STATE, attempts: [attemptBefore()], interventions: [intervention()] },
      profile: emptyProfile('claude'),
      promptSha256: 'p',
      promptText: '',
      end: {
        kind: 'halted',
        why: 'limit_crossed',
        message: 'The limit of memory was crossed.',
        crossed: { limit: 'memory', allowed: 4096, seen: 5000 },
      },
      durationMs: 300_000,
      report: REPORT,
      changes: changeSet('src/a.ts', 'src/b.ts'),
      criteria: [],
      fileFacts: [],
      operation: null,
      conflict: null,
      redSince: null,
      commandRuns: [],
      baseline: null,
      head: null,
      gateSources: [],
      idleChanges: [],
      ...{ repositories: [], pointers: [], byHooks: { changed: [], tookOut: [] }, missing: [] },
      series: null,
      tampering: [],
      settings: {
        completion: 'claim',
        commits: true,
        maxAttemptsPerTask: 3,
        gateOutputLimit: 4000,
        requiredGates: [],
        heldOutGates: [],
        isBoxed: true,
        requiredGrade: 'none',
        humanGates: HumanSettings.parse({}).gates,
        interventions: DEFAULT_INTERVENTION_SETTINGS,
        texts: {},
        prices: {},
      },
      errorTail: '',
      modeTimeoutSeconds: null,
      adaptiveTimeout: z.parse(AdaptiveTimeoutSettings, {}),
      level: 'medium',
      choice: NO_CHOICE,
      chosenBecause: '',
      stateSeq: 0,
      inputs: '',
      guidance: [],
      resumed: null,
      sessionUsage: [],
      configuredLimits: LIMITS,
      credentials: [],
      avoidance: NO_AVOIDANCE,
      runsOnOpen: [],
      effectiveness: [],
      doneTitles: [],
      leftTree: 'tree-6',
      testedTree: 'tree-6',
      proof: null,
      mutants: null,
      ownFindings: [],
      handled: [],
      feedback: [],
      ...NO_POLICY_AT_START,
      review: { ...NO_ACTIONS, allowed: 3 },
      observed: {
        actions: [
          action('Bash npm test', { atMs: 2000, ok: false }),
          action('Write src/a.ts', { kind: 'file_write' }),
        ],
        actionCount: 2,
        fileOperations: 1,
        errors: [],
        results: [],
        samples: [],
        writes: null,
        corrections: [{ issue: 'scope_creep', text: 'stay', atMs: 3000 }],
      },
      resources: { fileOperations: 1, memoryMb: 5000, tokens: 1200, durationMs: 300_000 },
      limits: LIMITS,
      checkpoints: [
        {
          id: 'r-1/4',
          iteration: 4,
          taskId: 'T-1',
          at: '2026-05-01T09:20:00.000Z',
          tree: 'tree-4',
          gateSuccess: 1,
          feedback: [],
          throttle: null,
          baseline: null,
        },
        {
          id: 'r-2/5',
          iteration: 5,
          taskId: 'T-1',
          at: BEGAN,
          tree: 'tree-5',
          gateSuccess: 1,
          feedback: [],
          throttle: null,
          baseline: null,
        },
      ],
      ...facts,
    },
    decisions: {
      workflow: null,
      prover: null,
      proposed: [],
      gatesNow: { down: [], up: [] },
      leftOut: [],
      proof: NO_PROOF,
      claim: NO_CLAIM,
      evidence: [],
      humanGate: null,
      autoApproved: [],
      gateReport: NO_GATES,
      gateChanges: [],
      testResults: [],
      findings: [finding()],
      verdict: { kind: 'review_blocked', why: 'limit_crossed', message: 'memory' },
      cause: 'The agent was ended at its limit of memory.',
      rooms: [],
      taskStatus: 'open',
      blocked: null,
      failedAttempt: true,
      events: [],
      feedback: [],
      reinforced: false,
      suspendAgent: null,
      ...NO_POLICY_AFTER,
      interventions: [],
      assessed: [],
      reinforce: [],
      throttle: null,
      parkedBecause: null,
      recovery: [],
      recovering: null,
      spend: [],
      unavailable: null,
      ...decisions,
    },
    stop: stopFor('resource_spiral'),
    secrets: [],
    home: HOME,
    ...rest,
  };
}
