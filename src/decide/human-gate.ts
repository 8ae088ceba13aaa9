import { asksToSkip } from 'ralph-kit/asks-to-change';
import { grouped } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { gravestOf } from 'ralph-kit/severity';
import { pathText } from 'ralph-kit/text';
import { type InnerRepository, pathsOf } from '../domain/change-set.ts';
import {
  GATE_DETECTION,
  type JudgedAvoidance,
  judgedAvoidance,
  signOf,
} from '../domain/findings/avoidance.ts';
import {
  type AutoApproval,
  type GateDraft,
  type GateFacts,
  type GateRequest,
  HUMAN_GATES,
  type HumanGateName,
  NO_GATE_FACTS,
} from '../domain/human/gate.ts';
import type { HumanSettings } from '../domain/human/settings.ts';
import type { HumanState } from '../domain/human/state.ts';
import type { ProofDecision } from '../domain/proof-run.ts';
import type { FactsOf, IterationDecisions } from '../domain/records/iteration.ts';
import type { JournalBody } from '../domain/records/journal.ts';
import type { AttemptSummary } from '../domain/records/state.ts';
import { goalText } from '../domain/task.ts';
import type { TestComparison } from '../domain/test-results.ts';
import { absentTests, coverageOf, failingBefore, switchedOff, testsOf } from '../proof/results/index.ts';
import { disputeOf, repeatedDemandChange } from '../proof/shown/index.ts';
import { chainedAll, gateToOpen, plainEntry } from '../respond/human/index.ts';
import { testsLost } from './gates/gate-runs.ts';

/**
 * Size of a git repository in the work from which on you have to approve it, because it may be a clone by mistake. In
 * files and in bytes.
 */
export const LARGE_REPOSITORY = { files: 5000, bytes: 50_000_000 } as const;

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof'>;

/** Number of newest attempts in the history of a request. */
const HISTORY = 10;

export type GatedAttempt = {
  readonly attempted: AttemptSummary;
  readonly testResults: readonly TestComparison[];
  /** Facts about a recovery; empty: there is none. */
  readonly recovery: Partial<GateFacts>;
  readonly proof: Pick<ProofDecision, 'bent'>;
};

export function gateFactsOf(
  facts: Facts,
  { attempted, testResults, recovery, proof }: GatedAttempt,
): GateFacts {
  const { task, agent, taskState, changes, endedAt } = facts;
  const large = largeIn(facts);
  return {
    ...NO_GATE_FACTS,
    taskId: task.id,
    title: task.title,
    agent,
    files: large.length === 0 ? pathsOf(changes) : large.map(({ path }) => path),
    ...takenAway(facts, testResults),
    // A request about a recovery is about the finding that the recovery didn't cure, even if there are others.
    ...recovery,
    largeRepositories: large.map(
      ({ path, files, bytes }) =>
        `${pathText(path)}: ${grouped(files)} files, ${grouped(Math.ceil(bytes / 1_000_000))} MB`,
    ),
    disputedCheck: disputeOf(facts),
    bentDemand: repeatedDemandChange(proof, facts),
    // Trial runs have shown the avoidance, so the detection needn't be confirmed.
    ...(proof.bent.length > 0 ? { detectionConfidence: null } : {}),
    detectedAt: endedAt,
    featureRemovalApproved: task.owner !== null && task.removalApprovedBy === task.owner,
    history: [...taskState.attempts, attempted]
      .slice(-HISTORY)
      .map(
        ({ iteration, agent, cause, durationMs }) =>
          `Iteration ${iteration} (${agent}, ${formatDuration(durationMs)}): ${cause}`,
      ),
  };
}

function largeIn({ repositories, taskState }: Facts): InnerRepository[] {
  if (taskState.decisions.approved.length > 0) return [];
  return repositories.filter(
    ({ files, bytes }) => files > LARGE_REPOSITORY.files || bytes > LARGE_REPOSITORY.bytes,
  );
}

/**
 * Returns what the series removes, net, by its diff and its gates' counts. Each count may open a gate alone. Losses
 * that you approved aren't counted again.
 */
function takenAway(facts: Facts, results: readonly TestComparison[]): Partial<GateFacts> {
  const { avoidance, baseline, taskState } = facts;
  const tests = testsOf(results);
  const counts = countsOf(judgedAvoidance(avoidance));
  const isApproved = taskState.decisions.approved.length > 0;
  // A test that is skipped now is told as that, not as a removed one, too.
  const off = switchedOff(results);
  const switched = isApproved || asksToSkip(goalText(facts.task)) ? 0 : off;
  const testsRemoved = Math.max(counts.testsRemoved, testsLost(facts, results) - off);
  return {
    ...counts,
    testsRemoved,
    skipsAdded: Math.max(counts.skipsAdded, switched),
    featuresRemoved: Math.max(counts.featuresRemoved, avoidance.featuresGone.length),
    originalError: failingBefore(baseline)[0] ?? null,
    testsAdded: addedTests(testsRemoved, results),
    testsMissing: missingOf(results),
    signs: [...counts.signs, ...avoidance.featuresGone],
    coverage: isApproved ? null : coverageOf(results),
    tests,
  };
}

/** Returns the number of tests that passed before and are missing by name; `null`: a gate doesn't report names. */
function missingOf(results: readonly TestComparison[]): number | null {
  const all = results.filter(({ now }) => now.tests !== null).map(absentTests);
  const known = all.filter((one) => one !== null);
  return known.length === 0 || known.length < all.length ? null : known.reduce((sum, one) => sum + one, 0);
}

const DESTROYS: ReadonlySet<string> = new Set([
  'test_deletion',
  'test_skip',
  'assertion_weakening',
  'feature_removal',
]);

/** Returns counts of findings for the human gates. Each sign counts, with or without further evidence. */
export function countsOf({ acting, unsure, warned }: JudgedAvoidance) {
  const signs = [...acting, ...unsure, ...warned].filter(({ confidence }) => confidence >= GATE_DETECTION);
  const all = [...acting, ...unsure];
  const count = (category: string) =>
    signs.reduce((sum, one) => (one.category === category ? sum + one.times : sum), 0);
  const counted = signs.filter(({ category }) => DESTROYS.has(category));
  const gravest = gravestOf(all.map(({ severity }) => severity));
  const files = [...new Set([...all, ...counted].map(({ path }) => path))].filter((path) => path !== '');
  return {
    patterns: [...new Set([...all, ...counted].map(({ category }) => category))],
    // Findings of low confidence only matter to the gate for false positives.
    severity: acting.length === 0 ? 'low' : (gravest ?? 'high'),
    ...(files.length === 0 ? {} : { files }),
    detectionConfidence: all.length === 0 ? null : Math.min(...all.map(({ confidence }) => confidence)),
    testsRemoved: count('test_deletion'),
    assertionsWeakened: count('assertion_weakening'),
    skipsAdded: count('test_skip'),
    featuresRemoved: count('feature_removal'),
    signs: [...new Set([...all, ...counted].map(signOf))],
  } satisfies Partial<GateFacts>;
}

/** Returns the number of added tests by the gates' counts; 0 if they report none. */
function addedTests(removed: number, results: readonly TestComparison[]): number {
  const all = results.map(({ now, before }) => {
    const [after, earlier] = [now.tests, before?.tests ?? null];
    return after === null || earlier === null
      ? null
      : after.run + after.skipped - earlier.run - earlier.skipped;
  });
  const known = all.filter((one) => one !== null);
  if (known.length === 0) return 0;
  return Math.max(0, known.reduce((sum, one) => sum + one, 0) + removed);
}

export function humanGateAfter(
  facts: Facts,
  attempt: GatedAttempt,
  gates: readonly HumanGateName[] = HUMAN_GATES,
): {
  readonly humanGate: GateDraft | null;
  readonly autoApproved: AutoApproval[];
} {
  const { draft, autoApproved } = gateToOpen(gateFactsOf(facts, attempt), facts.settings.humanGates, gates);
  return { humanGate: draft, autoApproved: [...autoApproved] };
}

type Opening = {
  readonly draft: GateDraft;
  readonly at: string;
  readonly run: string;
  readonly iteration: number;
  readonly gates: HumanSettings['gates'];
};

/** Returns the request for a draft. Its number is taken under the store's lock. */
export function requestFrom(
  { draft, at, run, iteration, gates }: Opening,
  { counters }: Pick<HumanState, 'counters'>,
): GateRequest {
  const settings = gates[draft.gate];
  const { timeout } = settings;
  return {
    id: `G-${counters.gate + 1}`,
    ...draft,
    at,
    run,
    iteration,
    diffSha256: null,
    deadline: timeout === 0 ? null : new Date(Date.parse(at) + timeout * 1000).toISOString(),
    onTimeout: 'on_timeout' in settings ? settings.on_timeout : 'block',
    recoveryLimit: gates['GATE-AP-RECOVERY'].recovery_attempts,
    escalated: false,
    notes: [],
  };
}

/** Returns journal records after an iteration: the request, and a line for each automatic approval. */
export function gateRecords(
  { run, iteration, endedAt: at, settings, task }: Facts,
  { humanGate, autoApproved }: Pick<IterationDecisions, 'humanGate' | 'autoApproved'>,
  human: HumanState,
  sha256: (text: string) => string,
): JournalBody[] {
  const entries = autoApproved.map(({ trigger, justification }) => ({
    ...plainEntry({
      kind: 'auto_approved',
      timestamp: at,
      decision: 'approve',
      user: 'ralph',
      human_feedback: `${task.id}: ${trigger.text}: ${justification}`,
    }),
    gate_id: trigger.gate,
  }));
  const lines = chainedAll(human.audit.head, entries, sha256);
  const logged = lines.map((line): JournalBody => ({ type: 'audit_logged', line }));
  if (humanGate === null) return logged;
  const opening = { draft: humanGate, at, run, iteration, gates: settings.humanGates };
  return [...logged, { type: 'human_gate_opened', request: requestFrom(opening, human) }];
}
