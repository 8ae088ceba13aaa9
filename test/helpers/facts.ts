import type { CommandRun } from '../../src/domain/command-run.ts';
import type { Resources } from '../../src/domain/intervention.ts';
import type { ChoiceFacts } from '../../src/domain/records/choice.ts';
import type { AttemptSummary } from '../../src/domain/records/state.ts';
import { NO_POLICY } from './policy.ts';

/** Returns an attempt as the state keeps it, in which only the given values are of note. */
export function attemptSummary(more: Partial<AttemptSummary> = {}): AttemptSummary {
  return {
    run: 'r-1',
    iteration: 1,
    agent: 'claude',
    mode: 'speed',
    startedAt: '2026-01-20T10:00:00.000Z',
    durationMs: 1000,
    timeoutSeconds: 120,
    verdict: 'progress',
    cause: '',
    filesChanged: 1,
    active: true,
    failedGates: [],
    missingTools: [],
    failing: null,
    tree: 't',
    before: '',
    findings: [],
    bent: false,
    resources: null,
    model: null,
    session: null,
    ...more,
  };
}

/** Returns a run of a gate on a tree that would land. */
export function commandRun(more: Partial<CommandRun> = {}): CommandRun {
  return {
    ...{
      name: 'test',
      outcome: { kind: 'passed' },
      durationMs: 1,
      outputTail: '',
      results: null,
      rewrote: [],
    },
    ...{ why: 'deciding', at: '2026-01-20T10:00:00.000Z', machine: '1 x64', box: false },
    ...{ commit: 'c', tree: 't', put: null, place: 'clean' },
    ...more,
  };
}

export { NO_ACTIONS } from './reviewing.ts';

export const NO_RESOURCES: Resources = { fileOperations: 0, memoryMb: 0, tokens: 0, durationMs: 0 };

/** Facts of the first choice of a run that has no tasks. */
export const NO_CHOICE: ChoiceFacts = {
  seq: 0,
  tasks: 'tasks.json',
  statuses: [],
  only: null,
  asked: [],
  among: null,
  autoUnblocked: [],
  availability: {
    agents: [{ name: 'a', suspended: null, unavailable: null }],
    now: '2026-01-01T00:00:00.000Z',
    maxWaitSeconds: 0,
    runUntil: null,
  },
  waits: [],
  workers: { working: [], held: [] },
  checkpoints: [],
  reconciled: [],
  incident: null,
  outage: null,
  finished: [],
  results: [],
  waiting: [],
  signal: null,
  control: { stop: null, pausedAt: null, stoppedWorkers: [] },
  ...{ first: [], freeWorkers: 1 },
  iterations: 0,
  maxIterations: 50,
  idleIterations: 0,
  noProgressLimit: 3,
  policy: NO_POLICY,
};
