import type { GateResult } from '../../domain/gate.ts';
import { redNames } from '../../domain/test-results.ts';

/** Result of one test in a gate's run. `not_loaded`: it failed before its body was reached. */
export type TestOutcome = 'passes' | 'fails' | 'not_loaded' | 'unknown';

const LOAD =
  /Cannot find module|MODULE_NOT_FOUND|ERR_MODULE|SyntaxError|does not provide an export|ImportError|ModuleNotFoundError|Failed to (?:resolve|load)|Transform failed|could not compile|build failed|COMPILATION ERROR|Compilation failed|error TS\d+/;
const FAILED = /Assert|expect\(|assert|panicked|--- FAIL/;

/** Returns whether a suite failed only because it couldn't be loaded or built, by the end of its output. */
export function failsToLoad(output: string): boolean {
  return LOAD.test(output) && !FAILED.test(output);
}

export function hasUnloaded(output: string): boolean {
  return LOAD.test(output);
}

type Run = Pick<GateResult, 'outcome' | 'results' | 'outputTail'>;

/**
 * Returns a test's result in a run.
 * @param test Name of the test; `null` for all tests of the gate.
 * @param isAlive The gate can fail, so its passing counts even without a number of tests.
 */
export function testOutcome(
  { outcome, results, outputTail }: Run,
  test: string | null,
  isAlive = true,
): TestOutcome {
  if (outcome.kind !== 'passed' && outcome.kind !== 'failed') return 'unknown';
  const [isPassed, tests] = [outcome.kind === 'passed', results?.tests ?? null];
  if (test === null) {
    if (isPassed) return 'passes';
    return failsToLoad(outputTail) ? 'not_loaded' : 'fails';
  }
  if (redNames(results).includes(test))
    return isUnloaded(test, { results, outputTail }) ? 'not_loaded' : 'fails';
  if (results?.passing != null) return results.passing.includes(test) ? 'passes' : 'unknown';
  if (tests === null) return isPassed && isAlive ? 'passes' : 'unknown';
  // All failures are named, so other tests passed, provided that any did: a crash ends all later tests.
  const failed = isPassed ? 0 : (results?.failing.length ?? 0);
  return tests.passed > 0 && tests.failed === failed && results?.notLoaded == null ? 'passes' : 'unknown';
}

/** Matches the path that runners report for a file they couldn't load. */
const FILE = /^\S*(?:[/\\]|\.\w{1,4}$)\S*$/;

function isUnloaded(test: string, { results, outputTail }: Pick<Run, 'results' | 'outputTail'>): boolean {
  if (results?.notLoaded?.includes(test) === true || /_FailedTest\b/.test(test)) return true;
  return failsToLoad(outputTail) || (FILE.test(test) && LOAD.test(outputTail));
}
