import type { TestResults } from '../../src/domain/test-results.ts';

/** Returns test results of a gate in which everything that isn't given is unknown. */
export function results(over: Partial<TestResults> = {}): TestResults {
  return {
    ...{ runners: [], tests: null, failing: [], passing: null, coverage: null, none: false },
    ...{ notLoaded: null, focused: false, places: [], uncounted: [] },
    ...over,
  };
}
