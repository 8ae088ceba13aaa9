import { CONTENT } from './content.ts';
import { GIT_STATE } from './git-state.ts';
import { IGNORES_AND_NESTED } from './ignores-and-nested.ts';
import type { Scenario } from './scenario.ts';
import { SETTINGS } from './settings.ts';

/** Every exactness scenario, for the suite and the torture run alike. */
export const EXACTNESS_SCENARIOS: readonly Scenario[] = [
  ...CONTENT,
  ...GIT_STATE,
  ...IGNORES_AND_NESTED,
  ...SETTINGS,
];
