import { onOneLine, shortened } from 'ralph-kit/text';
import type { CommandRun } from '../../domain/command-run.ts';
import { checksIn, gatesIn, runsOf } from '../../domain/command-runs.ts';
import type { GateResult } from '../../domain/gate.ts';
import { canaryBefore } from '../../domain/gate-baseline.ts';
import { Grade } from '../../domain/proof.ts';
import type { ProofDecision, Witness } from '../../domain/proof-run.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { redNames } from '../../domain/test-results.ts';
import { isRedByCanary } from './canary.ts';
import { type Earned, earnedBy, stubsIn } from './green/earned.ts';
import { type Greens, whoMadeItGreen } from './green/who-made-it-green.ts';
import { checksOf, endedOn, proverAgainst } from './prover/decide-prover.ts';

type Facts = Pick<
  IterationFacts,
  | 'run'
  | 'iteration'
  | 'commandRuns'
  | 'baseline'
  | 'proof'
  | 'task'
  | 'settings'
  | 'taskState'
  | 'prover'
  | 'avoidance'
>;

export function decideProof(facts: Facts): ProofDecision {
  const { proof } = facts;
  const passed = gatesIn(facts).filter(({ outcome }) => outcome.kind === 'passed');
  const shown = passed.map((gate) => witnessOf(gate, facts));
  const witnesses = shown.map(({ witness }) => witness);
  const { bent, changed } = proof === null ? NOTHING_ASKED : whoMadeItGreen({ ...facts, proof });
  const { grade, lowered } = gradeOf(facts, shown);
  return {
    grade,
    witnesses,
    lowered: [...lowered],
    changedDemands: [...changed],
    bent: bent.slice(0, SENTENCES),
    against: [
      ...bent.slice(0, SENTENCES),
      ...checksAgainst(facts),
      ...proverAgainst(facts),
      ...missingGrade(facts, grade),
    ],
  };
}

/** Number of sentences of one kind. */
const SENTENCES = 3;

const NOTHING_ASKED: Greens = { bent: [], changed: [] };

type Shown = { readonly witness: Witness } & Pick<Earned, 'lowered'>;

function witnessOf(gate: CommandRun, facts: Facts): Shown {
  const { proof } = facts;
  const status = canaryStatus(gate, facts);
  const witness = { gate: gate.name, standing: status, failToPass: [] };
  // A gate that passes only in the agent's copy says nothing about what would land.
  if (proof === null || status === 'dead' || gate.place !== 'clean') return { witness, lowered: [] };
  const { failToPass, lowered } = earnedBy(gate, status === 'alive', { ...facts, proof });
  return { witness: { ...witness, failToPass: [...failToPass] }, lowered };
}

/** Returns `dead` if a canary failed the gate at the baseline and doesn't now. */
function canaryStatus({ name }: GateResult, facts: Facts): Witness['standing'] {
  const seen = canaryBefore(facts.baseline, name);
  const runs = facts.proof === null ? [] : runsOf(facts, 'canary', name);
  if (seen === null || runs.length === 0) return 'unknown';
  if (runs.every(({ outcome }) => outcome.kind === 'passed')) return 'dead';
  return runs.some(isRedByIt) ? 'alive' : 'unknown';
}

/** Returns why work is refused for a changed demand, as in an earlier attempt, so that you decide; `null` otherwise. */
export function repeatedDemandChange(
  { bent }: Pick<ProofDecision, 'bent'>,
  { taskState }: Pick<Facts, 'taskState'>,
): string | null {
  return taskState.attempts.some((attempt) => attempt.bent) ? (bent[0] ?? null) : null;
}

/** Returns whether the canary is among the failures. A gate that names none is taken to fail by it. */
function isRedByIt({ outcome, results, put }: CommandRun): boolean {
  const canary = put?.canary ?? null;
  if (outcome.kind !== 'failed' || canary === null) return false;
  const failing = redNames(results);
  return failing.length === 0 || isRedByCanary({ failing, notLoaded: null }, canary);
}

/** Characters of a command, or of its output, in a sentence. */
const SHOWN = 120;

function quoted(text: string): string {
  return shortened(onOneLine(text), SHOWN);
}

function checksAgainst(facts: Facts): string[] {
  return checksIn(facts)
    .filter(({ after: { outcome } }) => outcome.kind !== 'passed' && outcome.kind !== 'skipped')
    .map(({ command, after }) => {
      const last = after.outputTail.trim().split('\n').at(-1)?.trim() ?? '';
      return `check \`${quoted(command)}\` fails${last === '' ? '' : `: ${quoted(last)}`}`;
    });
}

/** Returns the grade, and why it isn't higher although tests fail without the work. */
function gradeOf(
  facts: Facts,
  shown: readonly Shown[],
): { readonly grade: Grade; readonly lowered: readonly string[] } {
  const { settings } = facts;
  const green = gatesIn(facts)
    .filter(({ outcome }) => outcome.kind === 'passed')
    .map(({ name }) => name);
  const { heldOutGates, isBoxed } = settings;
  if (isBoxed && heldOutGates.some((name) => green.includes(name))) return { grade: 'held-out', lowered: [] };
  const isShown =
    checksIn(facts).some(
      ({ before, after }) => before.kind === 'failed' && after.outcome.kind === 'passed',
    ) ||
    // Kept checks of the prover failed before the work.
    (checksOf(facts)?.checks ?? []).some(({ at }) => endedOn(facts, at) === 'passed') ||
    shown.some(({ witness }) => witness.failToPass.length > 0);
  const stubs = isShown ? stubsIn(facts) : [];
  if (isShown && stubs.length === 0) return { grade: 'tests', lowered: [] };
  const lowered = stubs.map((place) => `a stub stands for the work: ${place}`);
  return {
    grade: green.length === 0 ? 'none' : 'gates',
    lowered: [...lowered, ...shown.flatMap((one) => one.lowered)],
  };
}

const HELP: Readonly<Record<Grade, string>> = {
  none: '',
  gates: 'no gate ran that passes',
  tests: 'add a test that fails without your change',
  'held-out': 'no held-out gate passes',
};

function missingGrade({ proof, settings, task }: Facts, grade: Grade): string[] {
  const wanted = higher(settings.requiredGrade, task.proof ?? 'none');
  if (proof === null || Grade.options.indexOf(grade) >= Grade.options.indexOf(wanted)) return [];
  return [`its proof is "${grade}", and "${wanted}" is required: ${HELP[wanted]}`];
}

function higher(one: Grade, other: Grade): Grade {
  return Grade.options.indexOf(one) >= Grade.options.indexOf(other) ? one : other;
}

export function deadGates({ witnesses }: Pick<ProofDecision, 'witnesses'>): string[] {
  return witnesses.filter(({ standing: status }) => status === 'dead').map(({ gate }) => gate);
}
