/** Settings by dotted key, as flags give them. */
export type Settings = Readonly<Record<string, unknown>>;

/** The naive loop: a claim is believed, nothing is fed back, nothing adapts, nothing corrects. */
const NAIVE: Settings = {
  'loop.completion': 'unchecked',
  'loop.no_progress_limit': 1000,
  'interventions.enabled': false,
  'adaptive_timeout.enabled': false,
  'policy.checkpoint.every': 0,
  'policy.checkpoint.every_tasks': 0,
};

/** Checked claims and nothing that follows from them: what feedback is compared with. */
const CHECKED: Settings = { ...NAIVE, 'loop.completion': 'claim' };

/** Arms that are built in; `full` is the shipped defaults. */
export const ARMS: Readonly<Record<string, Settings>> = {
  baseline: NAIVE,
  detection: CHECKED,
  'adaptive-timeout': { ...NAIVE, 'adaptive_timeout.enabled': true },
  interventions: { ...CHECKED, 'interventions.enabled': true },
  'proof-off': { 'proof.mode': 'off' },
  full: {},
  checks: {},
  'proof-tests': { 'proof.require': 'tests' },
};

/** The arm whose tasks name commands that show them (`Check:`), in suites of tasks with `code`. */
export const CHECKED_TASKS = 'checks';

export const ARM_NAMES = Object.keys(ARMS);
