import type { TestResults } from '../../src/domain/test-results.ts';

/** What a gate reported, with all that isn't given unknown. */
export function results(over: Partial<TestResults> = {}): TestResults {
  return {
    ...{ runners: [], tests: null, failing: [], passing: null, coverage: null, none: false },
    ...{ notLoaded: null, focused: false, places: [], uncounted: [] },
    ...over,
  };
}
