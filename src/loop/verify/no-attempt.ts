import type { ChoiceFacts } from '../../domain/records/choice.ts';
import type { Attempted } from '../iteration/attempt.ts';
import type { AttemptFacts } from '../iteration/examine.ts';
import { NO_AGENT_RAN } from '../start/no-agent-ran.ts';

type Attempt = Omit<
  Attempted['facts'],
  'changes' | 'idleChanges' | 'pointers' | 'gateSources' | 'timeoutSeconds' | 'timeoutReason'
> &
  Pick<AttemptFacts, 'agent' | 'series' | 'waitedMs' | 'prover'>;

export const NO_ATTEMPT: Attempt = {
  ...NO_AGENT_RAN,
  agent: 'verify',
  checkpoints: [],
  repositories: [],
  byHooks: { changed: [], tookOut: [] },
  series: null,
  waitedMs: 0,
  prover: null,
};

export const NOTHING_CHOSEN: Omit<ChoiceFacts, 'only' | 'policy'> = {
  seq: 0,
  tasks: '',
  statuses: [],
  asked: [],
  among: null,
  autoUnblocked: [],
  availability: { agents: [], now: '', maxWaitSeconds: 0, runUntil: null },
  waits: [],
  checkpoints: [],
  reconciled: [],
  incident: null,
  outage: null,
  finished: [],
  waiting: [],
  signal: null,
  control: { stop: null, pausedAt: null, stoppedWorkers: [] },
  iterations: 0,
  maxIterations: 1,
  results: [],
  idleIterations: 0,
  noProgressLimit: 0,
  first: [],
  freeWorkers: 1,
  workers: { working: [], held: [] },
};
