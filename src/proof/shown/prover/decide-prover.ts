import type { ModelUsage } from 'ralph-agents/event';
import { onOneLine, shortened } from 'ralph-kit/text';
import { runsOf } from '../../../domain/command-runs.ts';
import type { GateOutcome } from '../../../domain/gate.ts';
import { checkName, type KnownCheck, type ProverDecisions, type TaskProver } from '../../../domain/prover.ts';
import type { IterationFacts } from '../../../domain/records/iteration.ts';
import { iterationPath, roleFolder } from '../../../domain/records/iteration-path.ts';
import { readRulings } from './answer.ts';
import { droppedBecause } from './keep-checks.ts';

type Facts = Pick<IterationFacts, 'run' | 'iteration' | 'task' | 'taskState' | 'prover' | 'commandRuns'>;

/** Attempts that fail by a check before its prover is asked about it. */
const FAILS_BEFORE_RULING = 2;

/** Returns a task's checks as they are before its work is checked; `null` without any. */
export function checksOf(facts: Omit<Facts, 'run' | 'iteration'>): TaskProver | null {
  const wrote = facts.prover?.wrote ?? null;
  if (wrote === null) return facts.taskState.prover;
  const checks = wrote.tried.flatMap((one, at): KnownCheck[] =>
    droppedBecause(one, runsOf(facts, 'prover-before', checkName(at)), facts.task) === null
      ? [{ at, criterion: one.check.criterion, failed: 0, ruling: null }]
      : [],
  );
  return { document: wrote.document, checks };
}

function failingOf(known: TaskProver, facts: Facts): KnownCheck[] {
  return known.checks
    .filter(({ at, ruling }) => endedOn(facts, at) === 'failed' && ruling?.keeps !== false)
    .map((check) => ({ ...check, failed: check.failed + 1 }));
}

/** Returns how a check last ended on the work, so that a single red run doesn't count. Only passed and failed say anything. */
export function endedOn(facts: Pick<Facts, 'commandRuns'>, at: number): GateOutcome['kind'] | undefined {
  return runsOf(facts, 'prover', checkName(at)).at(-1)?.outcome.kind;
}

export function toRuleOn(facts: Facts): number[] {
  const known = checksOf(facts);
  if (known === null || facts.taskState.decisions.approved.length > 0) return [];
  return failingOf(known, facts)
    .filter(({ failed, ruling }) => failed >= FAILS_BEFORE_RULING && ruling === null)
    .map(({ at }) => at);
}

function checksAfter(
  facts: Facts,
): { readonly next: TaskProver; readonly failing: readonly KnownCheck[] } | null {
  const known = checksOf(facts);
  if (known === null) return null;
  const rulings = rulingsIn(facts);
  const run = facts.prover?.ruled?.run;
  const failing = failingOf(known, facts).map((check) => {
    const ruling = rulings.find(({ at }) => at === check.at);
    if (ruling === undefined || run === undefined) return check;
    const document = `${iterationPath(facts)}/roles/${roleFolder(run)}/answer.json`;
    return { ...check, ruling: { keeps: ruling.keeps, document } };
  });
  const checks = known.checks.map((one) => failing.find(({ at }) => at === one.at) ?? one);
  return { next: { ...known, checks }, failing: failing.filter(({ ruling }) => ruling?.keeps !== false) };
}

/** Returns the prover's rulings on the checks it was asked about. Without a readable answer, none of them counts against the work. */
function rulingsIn({ prover }: Pick<Facts, 'prover'>): ProverDecisions['rulings'] {
  const ruled = prover?.ruled ?? null;
  if (ruled === null) return [];
  const turn = ruled.run.turns.at(-1);
  const read = turn === undefined || turn.trouble !== null ? null : readRulings(turn);
  return ruled.about.map((at) => {
    const ruling = read?.ok === true ? read.answer.find(({ check }) => check === at) : undefined;
    if (ruling === undefined)
      return { at, keeps: false, reason: 'the prover gave no answer that can be read' };
    return { at, keeps: ruling.keep, reason: onOneLine(ruling.reason) };
  });
}

/** Returns reasons against the work by the prover's checks, in ralph's words, as the agent must not see the checks. */
export function proverAgainst(facts: Facts): string[] {
  if (facts.taskState.decisions.approved.length > 0) return [];
  const criteria = [...new Set((checksAfter(facts)?.failing ?? []).map(({ criterion }) => criterion))];
  return criteria.map((number) => {
    const text = facts.task.acceptance[number - 1];
    const what =
      text === undefined ? 'the task' : `criterion ${number} (${shortened(onOneLine(text), CRITERION)})`;
    return `${what} isn't shown: a check of it, which you don't see, fails`;
  });
}

/** Characters of a criterion in a sentence. */
const CRITERION = 120;

/** Returns a sentence for your decision, if the prover upheld a check and the work fails it again; `null` otherwise. */
export function disputeOf(facts: Facts): string | null {
  if (facts.taskState.decisions.approved.length > 0) return null;
  const kept = (checksAfter(facts)?.failing ?? []).find(
    ({ failed, ruling }) => ruling?.keeps === true && failed > FAILS_BEFORE_RULING,
  );
  if (kept === undefined) return null;
  const what = kept.criterion === 0 ? 'the task' : `criterion ${kept.criterion}`;
  return `a check of ${what} fails again, and the prover stands by it (.ralph/${kept.ruling?.document} says why)`;
}

export function proverAfter(
  facts: Facts,
  spendOf: (usage: readonly ModelUsage[]) => ProverDecisions['spend'],
): ProverDecisions | null {
  const runs = [facts.prover?.wrote?.run, facts.prover?.ruled?.run].filter((run) => run !== undefined);
  const state = checksAfter(facts);
  const rulings = rulingsIn(facts);
  if (state === null && runs.length === 0) return null;
  return {
    next: state?.next ?? null,
    agent: runs.at(-1)?.agent ?? null,
    spend: runs.flatMap(({ turns }) => turns.flatMap(({ usage }) => spendOf(usage))),
    kept: facts.prover?.wrote == null ? 0 : (checksOf(facts)?.checks.length ?? 0),
    withdrawn: rulings.filter(({ keeps }) => !keeps).length,
    rulings,
  };
}
