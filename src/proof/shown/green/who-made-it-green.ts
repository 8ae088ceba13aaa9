import type { CommandRun, Purpose } from '../../../domain/command-run.ts';
import { gatesIn, runsOf } from '../../../domain/command-runs.ts';
import { isRed } from '../../../domain/gate.ts';
import { resultsBefore, runBefore } from '../../../domain/gate-baseline.ts';
import type { ProofFacts } from '../../../domain/proof-run.ts';
import type { IterationFacts } from '../../../domain/records/iteration.ts';
import { goalText, type Task } from '../../../domain/task.ts';
import { ranNoTest, redNames } from '../../../domain/test-results.ts';
import { hadNothingToStart } from '../../../ecosystems/index.ts';
import { asksToChange } from '../../../lib/asks-to-change.ts';
import { firstFew, onOneLine, pathText, shortened } from '../../../lib/text.ts';
import { hasUnloaded, type TestOutcome, testOutcome } from '../test-outcome.ts';

type Facts = Pick<IterationFacts, 'commandRuns' | 'baseline' | 'task' | 'taskState'> & {
  readonly proof: ProofFacts;
};

/** A gate that passes, or one of its tests, which is to be green by the work. */
type Demand = {
  readonly gate: CommandRun;
  /** `null`: the gate names none. */
  readonly test: string | null;
  /** It was red at the start; otherwise the task names it. */
  readonly wasRed: boolean;
};

/** What made demands green. */
export type Greens = {
  /** The demand was changed and isn't met, and the task doesn't ask for that; sentences. */
  readonly bent: readonly string[];
  /** Names of tests that pass as they are by now, and fail as they were. */
  readonly changed: readonly string[];
};

/**
 * What made it green: of each test or gate that was red at the start, and each test that the task names. The work did where the same test fails in its
 * body without the work, or passes as it was before; otherwise the demand was bent. Of what wasn't run nothing is known, and nothing said.
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

/** Without a text nothing says that a test is right, unless code was changed for it. */
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

/** Whether a test that a task names is to pass as it was: not where the task asks for another one, or takes away what the test is of. */
function isDemanded(task: Task, without: TestOutcome): boolean {
  const goal = goalText(task);
  if (asksToChange(goal, 'tests')) return false;
  return !TAKES_AWAY.test(goal) || without === 'passes' || without === 'not_loaded';
}

/** What the test says to the work, with all as it was before that could have been bent. */
function asBefore({ gate, test, wasRed }: Demand, facts: Facts): TestOutcome {
  const why: Purpose = wasRed ? 'as-demanded' : 'old-tests';
  const outcomes = runsOf(facts, why, gate.name).map((run) =>
    test === null && (isOfBuild(run, facts) || hadNothingToRun(run)) ? 'unknown' : testOutcome(run, test),
  );
  // What was red once and green once says nothing against it.
  return outcomes.find((one) => one === 'passes') ?? outcomes[0] ?? 'unknown';
}

/** What the test says without the work: to the code of before. */
export function withoutWork(
  { name }: Pick<CommandRun, 'name'>,
  test: string | null,
  facts: Pick<IterationFacts, 'commandRuns' | 'baseline'> & { readonly proof: ProofFacts },
): TestOutcome {
  const { baseline, proof } = facts;
  const run = runsOf(facts, 'taken-back', name)[0];
  if (run !== undefined) {
    const outcome = testOutcome(run, test);
    // A test that isn't there doesn't fail without the work either.
    return outcome === 'unknown' && run.outcome.kind === 'passed' ? 'passes' : outcome;
  }
  // The code of before is that of now.
  if (proof.production.length === 0) return 'passes';
  const before = resultsBefore(baseline, name);
  if (proof.isTakenBack || before === null || test === null) return 'unknown';
  // Nothing else changed, so that it was run at the start.
  if (before.failing.includes(test)) return 'fails';
  return before.notLoaded?.includes(test) === true ? 'not_loaded' : 'unknown';
}

/**
 * Half a fix, with an easier test: it fails without the work, and the test of before still fails. Not where the task takes away what the test is
 * of, or asks for another one.
 */
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

/** What a build needs may be in the same file as a limit: that it isn't built doesn't say which of them is missing. */
function isOfBuild({ outputTail, name }: CommandRun, { proof, baseline }: Facts): boolean {
  const paths = proof.putBack.find(({ gate }) => gate === name)?.paths ?? [];
  return (
    paths.some((path) => BUILDS.test(path)) &&
    hasUnloaded(outputTail) &&
    resultsBefore(baseline, name)?.tests === null
  );
}

/** Before there was a script, a project or a test, a gate asked for nothing to pass. */
function hadNothingToRun({ results, outputTail }: CommandRun): boolean {
  const hadNoTest = results !== null && redNames(results).length === 0 && ranNoTest(results);
  return hadNoTest || hadNothingToStart(outputTail);
}

/** Files that say how a project is built as well as how it is checked. */
const BUILDS =
  /(?:^|\/)(?:pom\.xml|CMakeLists\.txt|setup\.py|mix\.exs|build\.sbt|Rakefile)$|\.gradle(?:\.kts)?$|\.(?:cs|fs|vb)proj$|\.(?:props|targets)$/;

/** Tests that pass by now, passed or were red at the start, and fail as they were. */
function changedIn(gate: CommandRun, facts: Facts): string[] {
  const before = resultsBefore(facts.baseline, gate.name);
  if (before === null) return [];
  const runs = [...runsOf(facts, 'old-tests', gate.name), ...runsOf(facts, 'as-demanded', gate.name)];
  return runs
    .flatMap(({ results }) => redNames(results))
    .filter((name) => gate.results?.failing.includes(name) !== true)
    .filter((name) => before.failing.includes(name) || before.passing?.includes(name) === true);
}

/** Characters of a test's name in a sentence, and paths. */
const NAME_SHOWN = 120;
const PATHS_SHOWN = 3;

function sentenceOf({ gate, test }: Demand, { proof }: Facts): string {
  const paths = proof.putBack.find((one) => one.gate === gate.name)?.paths ?? [];
  const files = paths.length === 0 ? '' : ` (${firstFew(paths.map(pathText), PATHS_SHOWN)})`;
  const what = test === null ? `gate "${gate.name}"` : `the test "${shortened(onOneLine(test), NAME_SHOWN)}"`;
  return `${what} still fails as it was${files}: that was changed, and what it checks wasn't fixed. Put it back and fix the code, or report BLOCKED if the task can't be done so`;
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
  const title = name.split(/ > |::|\/| › /).at(-1) ?? name;
  const goal = goalText(task);
  if (title.length < LEAST_NAME || !goal.includes(title)) return false;
  if (!/\s/.test(title) && !OF_A_TEST.test(title) && !isCalledTest(goal, title)) return false;
  return (
    !/^\p{L}[\p{Ll}-]*(?: [\p{Ll}-]+){0,2}$/u.test(title) ||
    [...'`"\''].some((quote) => goal.includes(quote + title + quote))
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
function isTakenAway(task: Task, { results }: CommandRun, name: string): boolean {
  return TAKES_AWAY.test(goalText(task)) && results?.passing?.includes(name) === false;
}
