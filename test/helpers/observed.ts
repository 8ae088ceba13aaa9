import type { Observed } from '../../src/domain/observed.ts';

export const EMPTY_OBSERVED: Observed = {
  actions: [],
  actionCount: 0,
  fileOperations: 0,
  errors: [],
  results: [],
  samples: [],
  writes: null,
  corrections: [],
};
