import type { GateResult } from '../../domain/gate.ts';
import { redNames } from '../../domain/test-results.ts';

/** What a run of a gate says of one of its tests. `not_loaded`: the test failed before its body was reached. */
export type TestOutcome = 'passes' | 'fails' | 'not_loaded' | 'unknown';

/** How a suite says that it couldn't be loaded or built. */
const LOAD =
  /Cannot find module|MODULE_NOT_FOUND|ERR_MODULE|SyntaxError|does not provide an export|ImportError|ModuleNotFoundError|Failed to (?:resolve|load)|Transform failed|could not compile|build failed|COMPILATION ERROR|Compilation failed|error TS\d+/;
/** How tests say that they failed. */
const FAILED = /Assert|expect\(|assert|panicked|--- FAIL/;

/** Whether a suite failed as it couldn't be loaded or built, by what it printed last. */
export function failsToLoad(output: string): boolean {
  return LOAD.test(output) && !FAILED.test(output);
}

/** Whether something in it couldn't be loaded or built. */
export function hasUnloaded(output: string): boolean {
  return LOAD.test(output);
}

type Run = Pick<GateResult, 'outcome' | 'results' | 'outputTail'>;

/**
 * What a run says of a test.
 *
 * @param test Its name; `null`: all of the gate's together.
 * @param isAlive The gate can fail: its passing says something, even if it counts no test.
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
  // All that failed are named, so that every other one passed: if any did, as a crash ends all tests behind it.
  const failed = isPassed ? 0 : (results?.failing.length ?? 0);
  return tests.passed > 0 && tests.failed === failed && results?.notLoaded == null ? 'passes' : 'unknown';
}

/** What runners call a file by that they couldn't load. */
const FILE = /^\S*(?:[/\\]|\.\w{1,4}$)\S*$/;

function isUnloaded(test: string, { results, outputTail }: Pick<Run, 'results' | 'outputTail'>): boolean {
  if (results?.notLoaded?.includes(test) === true || /_FailedTest\b/.test(test)) return true;
  return failsToLoad(outputTail) || (FILE.test(test) && LOAD.test(outputTail));
}
