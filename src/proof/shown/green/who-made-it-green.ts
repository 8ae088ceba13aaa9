import { hadNothingToStart } from 'ralph-ecosystems';
import { asksToChange } from 'ralph-kit/asks-to-change';
import { firstFew, onOneLine, pathText, shortened } from 'ralph-kit/text';
import type { CommandRun, Purpose } from '../../../domain/command-run.ts';
import { gatesIn, runsOf } from '../../../domain/command-runs.ts';
import { isRed } from '../../../domain/gate.ts';
import { resultsBefore, runBefore } from '../../../domain/gate-baseline.ts';
import type { ProofFacts } from '../../../domain/proof-run.ts';
import type { IterationFacts } from '../../../domain/records/iteration.ts';
import { goalText, type Task } from '../../../domain/task.ts';
import { ranNoTest, redNames } from '../../../domain/test-results.ts';
import { hasUnloaded, type TestOutcome, testOutcome } from '../test-outcome.ts';

type Facts = Pick<IterationFacts, 'commandRuns' | 'baseline' | 'task' | 'taskState'> & {
  readonly proof: ProofFacts;
};

/** A gate that passes, or one of its tests, which the work has to make green. */
type Demand = {
  readonly gate: CommandRun;
  /** `null` if the gate names no tests. */
  readonly test: string | null;
  /** The demand was red at the start; otherwise the task names the test. */
  readonly wasRed: boolean;
};

export type Greens = {
  /** Sentences on demands that were changed instead of met, without the task asking for it. */
  readonly bent: readonly string[];
  /** Names of tests that pass in their current form and fail in their earlier one. */
  readonly changed: readonly string[];
};

/**
 * Returns what made each demand green: a test or gate that was red at the start, or a test that the task names. It was the work if the same
 * test fails in its body without the work, or passes in its earlier form; otherwise the demand was bent. Without a run, nothing is
 * reported.
 */
export function whoMadeItGreen(facts: Facts): Greens {
  const demands = gatesIn(facts)
    .filter(({ outcome }) => outcome.kind === 'passed')
    .flatMap((gate) => demandsOf(gate, facts));
  const bent = demands.filter((demand) => isBent(demand, facts));
  const isFine = facts.taskState.decisions.approved.length > 0 || isUnasked(facts);
  const names = bent.flatMap(({ test }) => test ?? []);
  const changed = gatesIn(facts).flatMap((gate) => changedIn(gate, facts));
  return {
    bent: isFine ? [] : [...new Set(bent.map((demand) => sentenceOf(demand, facts)))],
    changed: [...new Set(isFine ? [...names, ...changed] : changed.filter((name) => !names.includes(name)))],
  };
}

/** Only changed code is a sign that a test is right, if the task has no text. */
function isUnasked({ task, proof }: Facts): boolean {
  return goalText(task).trim() === '' && proof.production.length === 0;
}

function demandsOf(gate: CommandRun, { baseline, task }: Facts): Demand[] {
  const before = resultsBefore(baseline, gate.name);
  const outcome = runBefore(baseline, gate.name)?.outcome;
  const red = isRed(outcome) ? redNames(before) : [];
  const named = (before?.passing ?? []).filter(
    (name) => isNamed(task, name) && !isTakenAway(task, gate, name),
  );
  const tests = outcome?.kind === 'failed' && red.length === 0 ? [null] : red;
  return [
    ...tests.map((test) => ({ gate, test, wasRed: true })),
    ...named.map((test) => ({ gate, test, wasRed: false })),
  ];
}

function isBent(demand: Demand, facts: Facts): boolean {
  const { gate, test, wasRed } = demand;
  const before = asBefore(demand, facts);
  const without = withoutWork(gate, test, facts);
  if (!wasRed)
    return before === 'fails' && facts.proof.production.length > 0 && isDemanded(facts.task, without);
  if (isNameless(demand, facts)) return before === 'fails';
  if (isUnloadedBefore(demand, facts)) {
    const reached = runsOf(facts, 'broken-code', gate.name)[0];
    return (
      facts.proof.production.length === 0 && before === 'not_loaded' && reached?.outcome.kind !== 'failed'
    );
  }
  if (before !== 'fails' || without === 'unknown') return false;
  return without !== 'fails' || stillFails(demand, facts);
}

/** Returns whether a named test has to pass in its earlier form: not if the task asks to change tests, or removes the tested code. */
function isDemanded(task: Task, without: TestOutcome): boolean {
  const goal = goalText(task);
  if (asksToChange(goal, 'tests')) return false;
  return !TAKES_AWAY.test(goal) || without === 'passes' || without === 'not_loaded';
}

/** Returns a test's result on the work with everything restored that could have been bent. */
function asBefore({ gate, test, wasRed }: Demand, facts: Facts): TestOutcome {
  const why: Purpose = wasRed ? 'as-demanded' : 'old-tests';
  const outcomes = runsOf(facts, why, gate.name).map((run) =>
    test === null && (isOfBuild(run, facts) || hadNothingToRun(run)) ? 'unknown' : testOutcome(run, test),
  );
  // A test that was red once and green once isn't evidence against the work.
  return outcomes.find((one) => one === 'passes') ?? outcomes[0] ?? 'unknown';
}

export function withoutWork(
  { name }: Pick<CommandRun, 'name'>,
  test: string | null,
  facts: Pick<IterationFacts, 'commandRuns' | 'baseline'> & { readonly proof: ProofFacts },
): TestOutcome {
  const { baseline, proof } = facts;
  const run = runsOf(facts, 'taken-back', name)[0];
  if (run !== undefined) {
    const outcome = testOutcome(run, test);
    // A test that doesn't exist can't fail without the work.
    return outcome === 'unknown' && run.outcome.kind === 'passed' ? 'passes' : outcome;
  }
  if (proof.production.length === 0) return 'passes';
  const before = resultsBefore(baseline, name);
  if (proof.isTakenBack || before === null || test === null) return 'unknown';
  // Only production code changed, so the run at the start was the one without the work.
  if (before.failing.includes(test)) return 'fails';
  return before.notLoaded?.includes(test) === true ? 'not_loaded' : 'unknown';
}

/** Returns whether half a fix came with an easier test: the earlier one still fails. Never if the task asks to change or remove tests. */
function stillFails({ gate, test }: Demand, facts: Facts): boolean {
  const goal = goalText(facts.task);
  if (TAKES_AWAY.test(goal) || asksToChange(goal, 'tests')) return false;
  const runs = runsOf(facts, 'old-tests', gate.name);
  return runs.length > 0 && runs.every((run) => testOutcome(run, test) === 'fails');
}

function isNameless({ gate, test }: Demand, { baseline }: Facts): boolean {
  return test === null && (resultsBefore(baseline, gate.name)?.tests?.failed ?? 0) === 0;
}

function isUnloadedBefore({ gate, test }: Demand, { baseline }: Facts): boolean {
  const before = resultsBefore(baseline, gate.name);
  return test !== null && before?.notLoaded?.includes(test) === true;
}

/** Build settings may be in the same file as a limit, so a failed build doesn't say which of them is missing. */
function isOfBuild({ outputTail, name }: CommandRun, { proof, baseline }: Facts): boolean {
  const paths = proof.putBack.find(({ gate }) => gate === name)?.paths ?? [];
  return (
    paths.some((path) => BUILDS.test(path)) &&
    hasUnloaded(outputTail) &&
    resultsBefore(baseline, name)?.tests === null
  );
}

/** A gate demanded nothing while there was no script, project or test. */
function hadNothingToRun({ results, outputTail }: CommandRun): boolean {
  const hadNoTest = results !== null && redNames(results).length === 0 && ranNoTest(results);
  return hadNoTest || hadNothingToStart(outputTail);
}

const BUILDS =
  /(?:^|\/)(?:pom\.xml|CMakeLists\.txt|setup\.py|mix\.exs|build\.sbt|Rakefile)$|\.gradle(?:\.kts)?$|\.(?:cs|fs|vb)proj$|\.(?:props|targets)$/;

/** Returns tests that pass now, passed or were red at the start, and fail in their earlier form. */
function changedIn(gate: CommandRun, facts: Facts): string[] {
  const before = resultsBefore(facts.baseline, gate.name);
  if (before === null) return [];
  const runs = [...runsOf(facts, 'old-tests', gate.name), ...runsOf(facts, 'as-demanded', gate.name)];
  return runs
    .flatMap(({ results }) => redNames(results))
    .filter((name) => gate.results?.failing.includes(name) !== true)
    .filter((name) => before.failing.includes(name) || before.passing?.includes(name) === true);
}

/** `NAME_SHOWN` characters of a test's name, and `PATHS_SHOWN` paths, are in a sentence. */
const NAME_SHOWN = 120;
const PATHS_SHOWN = 3;

function sentenceOf({ gate, test }: Demand, { proof }: Facts): string {
  const paths = proof.putBack.find((one) => one.gate === gate.name)?.paths ?? [];
  const files = paths.length === 0 ? '' : ` (${firstFew(paths.map(pathText), PATHS_SHOWN)})`;
  const what = test === null ? `gate "${gate.name}"` : `the test "${shortened(onOneLine(test), NAME_SHOWN)}"`;
  return `${what} still fails as it was${files}: that was changed, and what it checks wasn't fixed. Put it back and fix the code, or report BLOCKED if the task can't be done so`;
}

/** Characters of a test's name; a shorter one occurs in any sentence. */
const LEAST_NAME = 6;

const OF_A_TEST = /^(?:tests?|it|should)(?:[_A-Z\d]|$)|(?:_test|Test|_spec|Spec)$/;
/** Words of a task after which a name no longer exists. */
const TAKES_AWAY = /\b(?:renam|remov|delet|drop|replac|retir|merg)\w*|\bmov(?:e|es|ing)\b|\bget rid of\b/i;

/**
 * Returns whether a task names a test by the words of its title. A few plain words have to be quoted, as they may be about something else.
 * A title that is one name counts as code, unless only tests have such names.
 */
function isNamed(task: Task, name: string): boolean {
  const title = name.split(/ > |::|\/| › /).at(-1) ?? name;
  const goal = goalText(task);
  if (title.length < LEAST_NAME || !goal.includes(title)) return false;
  if (!/\s/.test(title) && !OF_A_TEST.test(title) && !isCalledTest(goal, title)) return false;
  return (
    !/^\p{L}[\p{Ll}-]*(?: [\p{Ll}-]+){0,2}$/u.test(title) ||
    [...'`"\''].some((quote) => goal.includes(quote + title + quote))
  );
}

function isCalledTest(text: string, name: string): boolean {
  return ['', '`', '"', "'"].some((quote) => {
    const quoted = `${quote}${name}${quote}`;
    return text.includes(`test ${quoted}`) || text.includes(`${quoted} test`);
  });
}

function isTakenAway(task: Task, { results }: CommandRun, name: string): boolean {
  return TAKES_AWAY.test(goalText(task)) && results?.passing?.includes(name) === false;
}
