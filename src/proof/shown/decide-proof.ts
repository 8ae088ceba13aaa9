import type { CommandRun, Purpose } from '../../domain/command-run.ts';
import { checksIn, gatesIn, runsOf } from '../../domain/command-runs.ts';
import type { GateResult } from '../../domain/gate.ts';
import { canaryBefore, runBefore } from '../../domain/gate-baseline.ts';
import { GRADES, type Grade } from '../../domain/proof.ts';
import type { ProofDecision, Witness } from '../../domain/proof-run.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { goalText, type Task } from '../../domain/task.ts';
import { redNames, type TestResults } from '../../domain/test-results.ts';
import { asksToCorrectTests } from '../../lib/asks-to-correct-tests.ts';
import { onOneLine, shortened } from '../../lib/text.ts';
import { BROKEN } from './break-code.ts';
import { isRedByCanary } from './canary/make-canary.ts';
import { failsToLoad, saysNotLoaded } from './failed-how.ts';
import { checksOf, endedOn, proverAgainst } from './prover/decide-prover.ts';

type Facts = Pick<
  IterationFacts,
  'run' | 'iteration' | 'commandRuns' | 'baseline' | 'proof' | 'task' | 'settings' | 'taskState' | 'prover'
>;

/** What is shown of a task by running things: how far each gate is a witness, the grade, and what speaks against the work. */
export function decideProof(facts: Facts): ProofDecision {
  const passed = gatesIn(facts).filter(({ outcome }) => outcome.kind === 'passed');
  const witnesses = passed.map((gate) => witnessOf(gate, facts));
  const demands = demandsOf(facts);
  const grade = gradeOf(facts, witnesses);
  return {
    ...{ grade, witnesses },
    changedDemands: demands.changed,
    against: [
      ...demands.unmet,
      ...checksAgainst(facts),
      ...proverAgainst(facts),
      ...missingGrade(facts, grade),
    ],
  };
}

/** Names that a sentence holds. */
const NAMED = 3;

function witnessOf(gate: CommandRun, facts: Facts): Witness {
  const { baseline, proof } = facts;
  const status = canaryStatus(gate, facts);
  const witness = { gate: gate.name, standing: status };
  // What only the agent's copy passes says nothing of what would land.
  if (proof === null || status === 'dead' || gate.place !== 'clean') return { ...witness, ...NOTHING_PROVEN };
  const known = { before: resultsBefore(baseline, gate.name), isAlive: status === 'alive' };
  const run = runOf(facts, 'taken-back', gate.name);
  if (run !== undefined) return { ...witness, ...provenBy(run, gate, known) };
  return { ...witness, ...(proof.isTakenBack ? NOTHING_PROVEN : provenSince(gate, known)) };
}

function resultsBefore(baseline: Facts['baseline'], gate: string): TestResults | null {
  return runBefore(baseline, gate)?.results ?? null;
}

function runOf(facts: Facts, why: Purpose, gate: string): CommandRun | undefined {
  return facts.proof === null ? undefined : runsOf(facts, why, gate)[0];
}

/** Dead: a failing test was seen to fail it at the baseline, and doesn't now. */
function canaryStatus({ name }: GateResult, facts: Facts): Witness['standing'] {
  const seen = canaryBefore(facts.baseline, name);
  const runs = facts.proof === null ? [] : runsOf(facts, 'canary', name);
  if (seen === null || runs.length === 0) return 'unknown';
  if (runs.every(({ outcome }) => outcome.kind === 'passed')) return 'dead';
  return runs.some(isRedByIt) ? 'alive' : 'unknown';
}

/** Whether the failing test is among those that failed; a gate that names none can't say. */
function isRedByIt({ outcome, results, put }: CommandRun): boolean {
  const canary = put?.canary ?? null;
  if (outcome.kind !== 'failed' || canary === null) return false;
  const failing = redNames(results);
  return failing.length === 0 || isRedByCanary({ failing, notLoaded: null }, canary);
}

type Proven = Pick<Witness, 'failToPass' | 'how'>;

const NOTHING_PROVEN: Proven = { failToPass: [], how: null };

type Known = { readonly before: TestResults | null; readonly isAlive: boolean };

function provenBy(
  { outcome, results, outputTail }: CommandRun,
  gate: GateResult,
  { before, isAlive }: Known,
): Proven {
  if (outcome.kind !== 'failed') return NOTHING_PROVEN;
  const failing = redNames(results);
  const named = failing.filter((name) => passes(gate, name, isAlive));
  if (named.length > 0) {
    return { failToPass: named, how: failsToLoad(outputTail) ? 'load' : 'test' };
  }
  if (!saysNotLoaded(outputTail)) return NOTHING_PROVEN;
  const there = new Set([...failing, ...(results?.passing ?? [])]);
  const missing = (gate.results?.passing ?? []).filter((name) => !there.has(name));
  const known = new Set(before?.passing ?? []);
  const fresh = missing.filter((name) => !known.has(name));
  const built = fresh.length > 0 ? fresh : missing;
  return built.length === 0 ? NOTHING_PROVEN : { failToPass: built, how: 'load' };
}

/** Where nothing changed but production code, the baseline is what it would be with that taken back. */
function provenSince(gate: GateResult, { before, isAlive }: Known): Proven {
  const named = redNames(before).filter((name) => passes(gate, name, isAlive));
  if (named.length === 0) return NOTHING_PROVEN;
  return { failToPass: named, how: named.some((name) => before?.failing.includes(name)) ? 'test' : 'load' };
}

/**
 * Whether a test passes in a run of a gate: it is named so, or all that were run do. A gate that counts none of them shows it by
 * passing, if it can fail.
 */
function passes({ outcome, results }: GateResult, name: string, isAlive: boolean): boolean {
  if (outcome.kind !== 'passed' || results?.failing.includes(name) === true) return false;
  if (results?.passing != null) return results.passing.includes(name);
  const tests = results?.tests ?? null;
  return tests === null ? isAlive : tests.run > 0 && tests.failed === 0;
}

/** What the tests of before say to the work. */
function demandsOf(facts: Facts): { readonly changed: string[]; readonly unmet: string[] } {
  const { baseline, proof, task } = facts;
  const changed: string[] = [];
  const unmet: string[] = [];
  for (const gate of gatesIn(facts)) {
    const run = runOf(facts, 'old-tests', gate.name);
    const before = resultsBefore(baseline, gate.name);
    if (proof === null || before === null) continue;
    const isGreen = (name: string) => gate.results?.failing.includes(name) !== true;
    const mayCorrect = asksToCorrectTests(goalText(task));
    const cutOff = before.failing.filter(
      (name) => !mayCorrect && isGreen(name) && isCutOff(gate, name, facts),
    );
    unmet.push(
      ...cutOff.map(
        (name) => `the test "${shown(name)}" was changed so that it passes whatever the code does`,
      ),
    );
    for (const name of redNames(run?.results).filter(isGreen)) {
      const wasRed = before.failing.includes(name);
      if (cutOff.includes(name) || (!wasRed && before.passing?.includes(name) !== true)) continue;
      const isDemanded = wasRed || (isNamed(task, name) && !isTakenAway(task, gate, name));
      if (mayCorrect || !isDemanded || proof.production.length === 0) changed.push(name);
      else
        unmet.push(
          `the test "${shown(name)}" still fails as it was: it was changed, and what it tests wasn't fixed`,
        );
    }
  }
  return { changed: [...new Set(changed)], unmet: [...new Set(unmet)].slice(0, NAMED) };
}

/**
 * Whether a test passes with code of which every function fails, while as it was it ran into that: fewer failures say so than with the tests of
 * before. Where passing tests aren't named, all of the gate's have to pass.
 */
function isCutOff({ name: gate, results }: GateResult, name: string, facts: Facts): boolean {
  const before = runOf(facts, 'broken-old-tests', gate);
  const now = runOf(facts, 'broken-code', gate);
  const timesBroken = ({ outcome, outputTail }: CommandRun) =>
    outcome.kind === 'passed' ? 1 : outputTail.split(BROKEN).length;
  if (before === undefined || now === undefined || timesBroken(before) <= timesBroken(now)) return false;
  const failing = redNames(now.results);
  const tests = now.results?.tests;
  if (results?.passing?.includes(name) === true && tests?.failed === failing.length)
    return !failing.includes(name);
  return now.outcome.kind === 'passed' && (tests?.run ?? 0) > 0;
}

/** Characters of a test's name in a sentence. */
const NAME_SHOWN = 120;

function shown(name: string): string {
  return shortened(onOneLine(name), NAME_SHOWN);
}

/** Shorter names are in any sentence. */
const LEAST_NAME = 6;

/** Names that only tests have. */
const OF_A_TEST = /^(?:tests?|it|should)(?:[_A-Z\d]|$)|(?:_test|Test|_spec|Spec)$/;
/** What is called so isn't there afterwards. */
const TAKES_AWAY = /\b(?:renam|remov|delet|drop|replac|retir|merg)\w*|\bmov(?:e|es|ing)\b|\bget rid of\b/i;

/**
 * Whether a task names a test: by its title in words, of which a few plain ones have to be quoted, as they may be about something else. A
 * title that is one name is that of the code, unless tests alone are called so.
 */
function isNamed(task: Task, name: string): boolean {
  const own_ = name.split(/ > |::|\/| › /).at(-1) ?? name;
  const goal = goalText(task);
  if (own_.length < LEAST_NAME || !goal.includes(own_)) return false;
  if (!/\s/.test(own_) && !OF_A_TEST.test(own_) && !isCalledTest(goal, own_)) return false;
  return (
    !/^\p{L}[\p{Ll}-]*(?: [\p{Ll}-]+){0,2}$/u.test(own_) ||
    [...'`"\''].some((quote) => goal.includes(quote + own_ + quote))
  );
}

/** Whether a text says "the test NAME" or "the NAME test". */
function isCalledTest(text: string, name: string): boolean {
  return ['', '`', '"', "'"].some((quote) => {
    const quoted = `${quote}${name}${quote}`;
    return text.includes(`test ${quoted}`) || text.includes(`${quoted} test`);
  });
}

/** Whether a task takes away what a test is called by, and no test is called so any more. */
function isTakenAway(task: Task, { results }: GateResult, name: string): boolean {
  return TAKES_AWAY.test(goalText(task)) && results?.passing?.includes(name) === false;
}

function checksAgainst(facts: Facts): string[] {
  return checksIn(facts)
    .filter(({ after: { outcome } }) => outcome.kind !== 'passed' && outcome.kind !== 'skipped')
    .map(({ command, after }) => {
      const last = after.outputTail.trim().split('\n').at(-1)?.trim() ?? '';
      return `check \`${shown(command)}\` fails${last === '' ? '' : `: ${shown(last)}`}`;
    });
}

function gradeOf(facts: Facts, witnesses: readonly Witness[]): Grade {
  const { settings } = facts;
  const green = gatesIn(facts)
    .filter(({ outcome }) => outcome.kind === 'passed')
    .map(({ name }) => name);
  const { heldOutGates, isBoxed } = settings;
  if (isBoxed && heldOutGates.some((name) => green.includes(name))) return 'held-out';
  const shownByCheck =
    checksIn(facts).some(
      ({ before, after }) => before.kind === 'failed' && after.outcome.kind === 'passed',
    ) ||
    // The prover's that are kept failed before the work.
    (checksOf(facts)?.checks ?? []).some(({ at }) => endedOn(facts, at) === 'passed');
  if (shownByCheck || witnesses.some(({ failToPass }) => failToPass.length > 0)) return 'tests';
  return green.length === 0 ? 'none' : 'gates';
}

const HELP: Readonly<Record<Grade, string>> = {
  none: '',
  gates: 'no gate ran that passes',
  tests: 'add a test that fails without your change',
  'held-out': 'no held-out gate passes',
};

/** What is required and isn't reached, once it was looked for. */
function missingGrade({ proof, settings, task }: Facts, grade: Grade): string[] {
  const wanted = higher(settings.requiredGrade, task.proof ?? 'none');
  if (proof === null || GRADES.indexOf(grade) >= GRADES.indexOf(wanted)) return [];
  return [`its proof is "${grade}", and "${wanted}" is required: ${HELP[wanted]}`];
}

function higher(one: Grade, other: Grade): Grade {
  return GRADES.indexOf(one) >= GRADES.indexOf(other) ? one : other;
}

/** Gates that can't fail any more. */
export function deadGates({ witnesses }: Pick<ProofDecision, 'witnesses'>): string[] {
  return witnesses.filter(({ standing: status }) => status === 'dead').map(({ gate }) => gate);
}
