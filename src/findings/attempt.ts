import type { Change, IdleChange } from '../domain/change-set.ts';
import type { Claim, EvidenceCheck } from '../domain/claim.ts';
import { avoidanceLine, type JudgedAvoidance } from '../domain/findings/avoidance.ts';
import type { Finding } from '../domain/findings/finding.ts';
import type { GateChange, GateJudgement, GateReport } from '../domain/gate.ts';
import { endOperation } from '../domain/records/git-operation.ts';
import type { IterationFacts, Tampering } from '../domain/records/iteration.ts';
import type { AttemptSummary } from '../domain/records/state.ts';
import { firstFew, onOneLine, quotedNames } from '../lib/text.ts';
import { isAskedFor, namesOfIdle } from './substance.ts';

type Facts =
  | 'task'
  | 'iteration'
  | 'end'
  | 'gates'
  | 'report'
  | 'changes'
  | 'idleChanges'
  | 'tampering'
  | 'lostWork'
  | 'review'
  | 'errorTail'
  | 'observed'
  | 'resources'
  | 'credentials'
  | 'fileFacts'
  | 'operation';

/** Everything of one attempt that findings and the verdict go by. */
export type Attempt = Readonly<Pick<IterationFacts, Facts>> & {
  readonly claim: Claim;
  readonly evidence: readonly EvidenceCheck[];
  readonly gateReport: GateReport;
  /** What became of what the gates run. */
  readonly gateChanges: readonly GateChange[];
  /** Paths that you changed since the last verified tree. */
  readonly yours: readonly string[];
  /** Acceptance criteria that the files contradict, as sentences. */
  readonly unmet: readonly string[];
  /** Earlier attempts of this series, oldest first. */
  readonly history: readonly AttemptSummary[];
  /** Paths that earlier attempts of the series changed and that are not committed. */
  readonly earlierPaths: readonly string[];
  /** Paths that attempts right before this one changed which something outside ended, as far as you left them. */
  readonly unjudged: readonly string[];
  /** Moving window over which growth is measured, in seconds (`[interventions] metrics_window_seconds`). */
  readonly metricsWindowSeconds: number;
  /** What your own detectors found. */
  readonly extraFindings: readonly Finding[];
  /** What its diff shows of avoided work. */
  readonly avoidance: JudgedAvoidance;
};

type Work = Pick<Attempt, 'task' | 'changes' | 'idleChanges' | 'tampering'>;

/**
 * The changes that are work: what was tampered with is put back and never counts (spec 1-loop, Tasks), and white space
 * counts where the task asks for it.
 */
export function workOf(attempt: Work): Change[] {
  const tampered = tamperedPaths(attempt.tampering);
  const idle = new Set(idleOf(attempt).map(({ path }) => path));
  return attempt.changes.changes.filter(({ path }) => !tampered.has(path) && !idle.has(path));
}

function idleOf({ task, idleChanges }: Pick<Work, 'task' | 'idleChanges'>): IdleChange[] {
  return idleChanges.filter((change) => !isAskedFor(task, change));
}

/** Paths that gates and other tools write, and that the task doesn't ask for: they don't count as work. */
export function outputsIn(attempt: Pick<Work, 'task' | 'idleChanges'>): ReadonlySet<string> {
  const outputs = idleOf(attempt).filter(({ why }) => why === 'output');
  return new Set(outputs.map(({ path }) => path));
}

/** What an attempt without work changed, to be set into a sentence. */
export function changedAtMost(attempt: Work): string {
  const idle = idleOf(attempt);
  return idle.length === 0 ? 'no file' : `only ${namesOfIdle(idle)}`;
}

/** Files that the claim or a criterion names and git ignores: a sentence, '' where there are none. */
export function ignoredNote({ fileFacts }: Pick<Attempt, 'fileFacts'>): string {
  const names = ignoredPaths(fileFacts).map(onOneLine);
  if (names.length === 0) return '';
  const what = names.length === 1 ? 'it does' : 'they do';
  return ` Git ignores ${firstFew(names, IGNORED_NAMED)}, so ${what} not count ([snapshot] include_ignored).`;
}

export function ignoredPaths(facts: Attempt['fileFacts']): readonly string[] {
  return facts.filter(({ ignored }) => ignored).map(({ path }) => path);
}

/** Ignored files that a sentence names. */
const IGNORED_NAMED = 3;

/**
 * True when the kind of task needs changed files and there are none. What attempts wrote that something outside ended
 * counts: the agent finds it there and may have nothing to add.
 */
export function lacksFiles(attempt: Work & Pick<Attempt, 'unjudged'>): boolean {
  return attempt.task.kind === 'build' && workOf(attempt).length === 0 && attempt.unjudged.length === 0;
}

/** Evidence that can't be true. What ralph itself restored doesn't count against it. */
export function contradictions(attempt: Pick<Attempt, 'evidence' | 'tampering'>): EvidenceCheck[] {
  const tampered = tamperedPaths(attempt.tampering);
  return attempt.evidence.filter(
    (check) => check.standing === 'contradicted' && !tampered.has(check.item.path),
  );
}

/** Gates that count against the attempt. */
export function failedGates(report: GateReport): GateJudgement[] {
  return report.status === 'failed' ? report.judgements.filter((judgement) => judgement.counts) : [];
}

/**
 * Why a claim of completion cannot stand, as sentences; empty when nothing speaks against it. Prose evidence is found
 * by pattern and too uncertain to overturn a claim, so only the block's counts.
 */
export function reasonsAgainstCompletion(attempt: Attempt): string[] {
  const reasons: string[] = [];
  if (lacksFiles(attempt)) reasons.push(`${changedAtMost(attempt)} was changed`);
  if (attempt.gateReport.status === 'failed') {
    const names = failedGates(attempt.gateReport).map(({ name }) => name);
    reasons.push(names.length === 0 ? 'the gates fail' : `gates fail: ${quotedNames(names)}`);
  }
  const { operation } = attempt;
  if (operation !== null) reasons.push(`${operation.what} is in progress: ${endOperation(operation)}`);
  for (const criterion of attempt.unmet) reasons.push(`acceptance is unmet: ${criterion}`);
  for (const check of contradictions(attempt)) {
    if (check.item.source === 'block') reasons.push(`evidence is contradicted: ${check.why}`);
  }
  const { acting, unsure } = attempt.avoidance;
  const [avoided] = [...acting, ...unsure];
  if (avoided !== undefined) reasons.push(`checks were made weaker: ${avoidanceLine(avoided)}`);
  return reasons;
}

function tamperedPaths(tampering: readonly Tampering[]): ReadonlySet<string> {
  return new Set(tampering.map((entry) => entry.path));
}
