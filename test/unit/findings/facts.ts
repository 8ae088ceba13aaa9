import type { AgentReport } from 'ralph-agents/event';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import type { AgentEnd } from '../../../src/domain/agent.ts';
import type { Change, ChangeSet } from '../../../src/domain/change-set.ts';
import type { Claim, EvidenceCheck } from '../../../src/domain/claim.ts';
import { NOTHING_AVOIDED } from '../../../src/domain/findings/avoidance.ts';
import type { GateJudgement, GateReport } from '../../../src/domain/gate.ts';
import { NO_PROOF } from '../../../src/domain/proof-run.ts';
import type { Tampering } from '../../../src/domain/records/iteration.ts';
import { type Judgement, strictest } from '../../../src/domain/verdict.ts';
import {
  decideByEnding,
  type VerdictInput,
  verdictsOfGates,
  verdictsOfWork,
} from '../../../src/proof/findings/index.ts';
import { NO_ACTIONS, NO_RESOURCES } from '../../helpers/facts.ts';
import { DEFAULT_INTERVENTION_SETTINGS } from '../../helpers/intervention-settings.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';

export const NO_CLAIM: Claim = {
  status: 'none',
  exitSignal: null,
  completion: false,
  taskId: null,
  reason: null,
  claimsWrites: false,
  evidence: [],
};
export const DONE_CLAIM: Claim = { ...NO_CLAIM, status: 'done', exitSignal: true, completion: true };
export const BLOCKED_CLAIM: Claim = { ...NO_CLAIM, status: 'blocked', exitSignal: false, reason: 'no key.' };

export const REPORT: AgentReport = {
  sessionId: null,
  finalMessage: '',
  model: null,
  usage: [],
  toolCalls: 3,
  writeCalls: 1,
  ok: true,
  infrastructure: null,
  errors: [],
};

const EXITED: AgentEnd = { kind: 'exited', code: 0 };

function change(path: string): Change {
  return {
    path,
    oldPath: null,
    kind: 'modified',
    oldMode: '100644',
    newMode: '100644',
    binary: false,
    linesAdded: 1,
    linesRemoved: 0,
    hunks: [],
  };
}

export function changeSet(...paths: string[]): ChangeSet {
  const snapshot = { tree: 't0', head: 'c0', branch: 'main' };
  return {
    before: snapshot,
    after: { ...snapshot, tree: 't1' },
    changes: paths.map(change),
    commits: [],
    hunksOmitted: false,
  };
}

export function judgement(name: string, status: GateJudgement['standing']): GateJudgement {
  const failed = status === 'regression' || status === 'required_failed' || status === 'failed_before';
  return {
    name,
    outcome: failed ? { kind: 'failed', exitCode: 1, signal: null } : { kind: 'passed' },
    standing: status,
    counts: status === 'regression' || status === 'required_failed',
    why: null,
  };
}

export const NO_GATES: GateReport = { status: 'none', judgements: [] };
const PASSED: GateReport = { status: 'passed', judgements: [judgement('test', 'passed')] };
export const FAILED: GateReport = {
  status: 'failed',
  judgements: [judgement('lint', 'passed'), judgement('test', 'regression')],
};

export function check(
  path: string,
  status: EvidenceCheck['standing'],
  source: 'block' | 'prose' = 'block',
): EvidenceCheck {
  const item = { path, from: null, to: null, says: 'touched' as const, note: '', source };
  return { item, standing: status, why: `${path} is ${status}` };
}

export const TRACKER_EDIT: Tampering = {
  kind: 'tracker',
  path: 'fix_plan.md',
  change: 'modified',
};
export const CONFIG_EDIT: Tampering = {
  kind: 'config',
  path: 'ralph.toml',
  change: 'deleted',
};

/** An agent that finished, wrote two files, passed the gates and claims nothing. */
export function attempt(rest: Partial<VerdictInput> = {}): VerdictInput {
  const changes = rest.changes ?? changeSet('src/a.ts', 'src/b.ts');
  return {
    task: { ...EMPTY_TASK, id: 'E1-02', title: 'Parser' },
    iteration: 7,
    end: EXITED,
    report: REPORT,
    proof: NO_PROOF,
    changes,
    idleChanges: [],
    ...{ pointers: [], missing: [] },
    series: { changes, idleChanges: rest.idleChanges ?? [] },
    claim: NO_CLAIM,
    gateChanges: [],
    evidence: [],
    gateReport: PASSED,
    ...{ gates: [], down: [] },
    ...{ passedElsewhere: [], clashes: [] },
    unmet: [],
    tampering: [],
    review: NO_ACTIONS,
    errorTail: '',
    observed: EMPTY_OBSERVED,
    resources: NO_RESOURCES,
    credentials: [],
    avoidance: NOTHING_AVOIDED,
    history: [],
    fileFacts: [],
    operation: null,
    conflict: null,
    earlierPaths: [],
    metricsWindowSeconds: DEFAULT_INTERVENTION_SETTINGS.metrics_window_seconds,
    extraFindings: [],
    completion: 'claim',
    ...rest,
  };
}

/** The strictest of what is said of an attempt by its ending, its gates and its work. */
export function decideVerdict(input: VerdictInput): Judgement {
  const ending = decideByEnding(input);
  const gates = verdictsOfGates(input);
  return strictest(ending === null ? [...gates, ...verdictsOfWork(input, gates)] : [ending, ...gates]);
}
