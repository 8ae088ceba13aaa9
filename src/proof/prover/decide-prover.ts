import type { ModelUsage } from '../../domain/agent.ts';
import type { KnownCheck, ProverDecisions, TaskProver } from '../../domain/prover.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { onOneLine, shortened } from '../../lib/text.ts';
import { readRulings } from './answer.ts';
import { droppedBecause } from './keep-checks.ts';

type Facts = Pick<IterationFacts, 'task' | 'taskState' | 'prover' | 'proof'>;

/** Attempts that fail by a check before its prover is asked of it. */
const FAILS_BEFORE_RULING = 2;

/** The checks of a task as they stand before its work is checked by them; `null`: there are none. */
export function checksOf({ task, taskState, prover }: Omit<Facts, 'proof'>): TaskProver | null {
  const wrote = prover?.wrote ?? null;
  if (wrote === null) return taskState.prover;
  const checks = wrote.tried.flatMap((one, at): KnownCheck[] =>
    droppedBecause(one, task) === null
      ? [{ at, criterion: one.check.criterion, failed: 0, ruling: null }]
      : [],
  );
  return { document: wrote.document, checks };
}

/** Checks of the prover by which the work fails, as often as they failed by now, by their place. */
function failingOf(known: TaskProver, proof: Facts['proof']): KnownCheck[] {
  const red = (proof?.checks ?? []).flatMap(({ prover, after }) =>
    // What ends otherwise says nothing.
    prover !== null && after.kind === 'failed' ? [prover.at] : [],
  );
  return known.checks
    .filter(({ at, ruling }) => red.includes(at) && ruling?.keeps !== false)
    .map((check) => ({ ...check, failed: check.failed + 1 }));
}

/** The checks of which the prover has to be asked now, as the work failed by them often enough. */
export function toRuleOn(facts: Facts): number[] {
  const known = checksOf(facts);
  if (known === null || facts.taskState.decisions.approved.length > 0) return [];
  return failingOf(known, facts.proof)
    .filter(({ failed, ruling }) => failed >= FAILS_BEFORE_RULING && ruling === null)
    .map(({ at }) => at);
}

/** The checks after an iteration, with how often they failed and what the prover says of them. */
function standingOf(
  facts: Facts,
): { readonly next: TaskProver; readonly failing: readonly KnownCheck[] } | null {
  const known = checksOf(facts);
  if (known === null) return null;
  const ruled = facts.prover?.ruled ?? null;
  const failing = failingOf(known, facts.proof).map((check) =>
    ruled?.about.includes(check.at) === true ? { ...check, ruling: rulingOn(check.at, ruled.run) } : check,
  );
  const checks = known.checks.map((one) => failing.find(({ at }) => at === one.at) ?? one);
  return { next: { ...known, checks }, failing: failing.filter(({ ruling }) => ruling?.keeps !== false) };
}

/** Without an answer that can be read, a check doesn't stand against work. */
function rulingOn(
  at: number,
  { turns }: NonNullable<NonNullable<Facts['prover']>['ruled']>['run'],
): NonNullable<KnownCheck['ruling']> {
  const turn = turns.at(-1);
  const read = turn === undefined || turn.trouble !== null ? null : readRulings(turn);
  const ruling = read?.ok === true ? read.answer.find(({ check }) => check === at) : undefined;
  if (ruling === undefined) return { keeps: false, reason: 'the prover gave no answer that could be read' };
  return { keeps: ruling.keep, reason: onOneLine(ruling.reason) };
}

/** What speaks against work by the prover's checks, in ralph's own words: nothing of a check is in them. */
export function proverAgainst(facts: Facts): string[] {
  if (facts.taskState.decisions.approved.length > 0) return [];
  const criteria = [...new Set((standingOf(facts)?.failing ?? []).map(({ criterion }) => criterion))];
  return criteria.map((number) => {
    const text = facts.task.acceptance[number - 1];
    const what =
      text === undefined ? 'the task' : `criterion ${number} (${shortened(onOneLine(text), CRITERION)})`;
    return `${what} isn't shown: a check of it, which you don't see, fails`;
  });
}

/** Characters of a criterion in a sentence. */
const CRITERION = 120;

/** What you decide, as the prover stood by a check and the work fails by it again; `null`: nothing. */
export function disputeOf(facts: Facts): string | null {
  if (facts.taskState.decisions.approved.length > 0) return null;
  const kept = (standingOf(facts)?.failing ?? []).find(
    ({ failed, ruling }) => ruling?.keeps === true && failed > FAILS_BEFORE_RULING,
  );
  if (kept === undefined) return null;
  const what = kept.criterion === 0 ? 'the task' : `criterion ${kept.criterion}`;
  return `a check of ${what} still fails, and the prover stands by it: ${kept.ruling?.reason ?? ''}`;
}

/** What follows of the prover. */
export function proverAfter(
  facts: Facts,
  spendOf: (usage: readonly ModelUsage[]) => ProverDecisions['spend'],
): ProverDecisions | null {
  const runs = [facts.prover?.wrote?.run, facts.prover?.ruled?.run].filter((run) => run !== undefined);
  const standing = standingOf(facts);
  const about = facts.prover?.ruled?.about ?? [];
  if (standing === null && runs.length === 0) return null;
  return {
    next: standing?.next ?? null,
    agent: runs.at(-1)?.agent ?? null,
    spend: runs.flatMap(({ turns }) => turns.flatMap(({ usage }) => spendOf(usage))),
    kept: facts.prover?.wrote == null ? 0 : (checksOf(facts)?.checks.length ?? 0),
    withdrawn: (standing?.next.checks ?? []).filter(
      ({ at, ruling }) => about.includes(at) && ruling?.keeps === false,
    ).length,
  };
}
