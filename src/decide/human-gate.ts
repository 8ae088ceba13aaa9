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
import { grouped } from '../lib/counted.ts';
import { formatDuration } from '../lib/duration.ts';
import { gravestOf } from '../lib/severity.ts';
import { pathText } from '../lib/text.ts';
import { asksToSkip } from '../proof/avoidance/index.ts';
import { absentTests, coverageOf, failingBefore, switchedOff, testsOf } from '../proof/results/index.ts';
import { bentAgain, disputeOf } from '../proof/shown/index.ts';
import { chainedAll, gateToOpen, plainEntry } from '../respond/human/index.ts';
import { LARGE_REPOSITORY } from '../respond/table.ts';
import { testsLost } from './gates/gate-runs.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof'>;

/** Attempts that the history of a request names, the newest. */
const HISTORY = 10;

/** An attempt as the human gates see it. */
export type GatedAttempt = {
  readonly attempted: AttemptSummary;
  readonly testResults: readonly TestComparison[];
  /** What the gates go by of a recovery; empty: there is none. */
  readonly recovery: Partial<GateFacts>;
  /** What running things showed. */
  readonly proof: Pick<ProofDecision, 'bent'>;
};

/** What the human gates are decided by after an iteration. */
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
    // The gate of a recovery is about what that couldn't cure, whatever else was found.
    ...recovery,
    largeRepositories: large.map(
      ({ path, files, bytes }) =>
        `${pathText(path)}: ${grouped(files)} files, ${grouped(Math.ceil(bytes / 1_000_000))} MB`,
    ),
    disputedCheck: disputeOf(facts),
    bentDemand: bentAgain(proof, facts),
    // What running it shows needs no one to say whether reading it was right.
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

/** Folders that were repositories, with many files; none where you approved the work with them. */
function largeIn({ repositories, taskState }: Facts): InnerRepository[] {
  if (taskState.decisions.approved.length > 0) return [];
  return repositories.filter(
    ({ files, bytes }) => files > LARGE_REPOSITORY.files || bytes > LARGE_REPOSITORY.bytes,
  );
}

/**
 * What the series took away, net, by its diff and by the gates' own numbers: each counts alone, as a human gate is no accusation.
 * What you approved isn't counted again.
 */
function takenAway(facts: Facts, results: readonly TestComparison[]): Partial<GateFacts> {
  const { avoidance, baseline, taskState } = facts;
  const tests = testsOf(results);
  const counts = countsOf(judgedAvoidance(avoidance));
  const isApproved = taskState.decisions.approved.length > 0;
  const switched = isApproved || asksToSkip(goalText(facts.task)) ? 0 : switchedOff(results);
  const testsRemoved = Math.max(counts.testsRemoved, testsLost(facts, results));
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

/** Tests that passed at the reference and are there under no such name; `null`: a gate doesn't name them. */
function missingOf(results: readonly TestComparison[]): number | null {
  const all = results.filter(({ now }) => now.tests !== null).map(absentTests);
  const known = all.filter((one) => one !== null);
  return known.length === 0 || known.length < all.length ? null : known.reduce((sum, one) => sum + one, 0);
}

/** What GATE-AP-DESTRUCTIVE counts. */
const DESTROYS: ReadonlySet<string> = new Set([
  'test_deletion',
  'test_skip',
  'assertion_weakening',
  'feature_removal',
]);

/** What findings come to for the gates: each sign counts, alone or not. */
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
    // What isn't sure is for the gate of false positives alone.
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

/** Tests that are new, by the gates' counts; 0 where they don't count. */
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

/** The human gate that an iteration opens, of these, and what is settled without you. */
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

/** The request that a draft becomes; its number is taken under the lock. */
export function requestFrom(
  { draft, at, run, iteration, gates }: Opening,
  { counters }: Pick<HumanState, 'counters'>,
): GateRequest {
  const settings = gates[draft.gate];
  const { timeout } = settings;
  return {
    id: `G-${counters.gate + 1}`,
    ...draft,
    ...{ at, run, iteration, diffSha256: null },
    deadline: timeout === 0 ? null : new Date(Date.parse(at) + timeout * 1000).toISOString(),
    onTimeout: 'on_timeout' in settings ? settings.on_timeout : 'block',
    escalated: false,
    notes: [],
  };
}

/** What the journal gets of the human gates after an iteration: the request, and a line for each automatic approval. */
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
