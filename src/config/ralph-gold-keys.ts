import { isTable, type KeyPath, type Table, valueAt } from './key-path.ts';

// Keys of ralph-gold and earlier documents that are spelled differently here. Equal spellings (max_iterations,
// no_progress_limit, commands, argv, …) aren't listed; removed keys are in ralph-gold-ignored.ts.

/** `undefined` drops a key whose value is the default behaviour. */
export type Convert = (value: unknown, table: Table) => unknown;

export type MovedKey = {
  readonly from: KeyPath;
  readonly to: KeyPath;
  readonly convert: Convert;
  /** Values in new ralph-gold projects, which match the default behaviour and need no note. */
  readonly usual: (value: unknown) => boolean;
};

export const identity: Convert = (value) => value;

function moved(
  from: string,
  to: string,
  convert = identity,
  usual: MovedKey['usual'] = () => false,
): MovedKey {
  return { from: from.split('.'), to: to.split('.'), convert, usual };
}

/** Sections with everything below them. */
export const MOVED_SECTIONS: readonly { readonly from: KeyPath; readonly to: KeyPath }[] = [
  { from: ['safety', 'step_reviewer'], to: ['review'] },
  { from: ['safety', 'interventions'], to: ['interventions'] },
  { from: ['step_reviewer'], to: ['review'] },
  { from: ['loop', 'modes'], to: ['modes'] },
  { from: ['repo_prompt'], to: ['repoprompt'] },
  { from: ['output_control'], to: ['output'] },
];

/** Settings of single interventions that moved to `[interventions]`, accepted in both places. */
const OF_INTERVENTIONS: readonly (readonly [section: string, key: string, to: string])[] = [
  ['soft_correction', 'custom_prompts_path', 'interventions.custom_prompts_path'],
  ['context_reinforcement', 'reinforcement_strength', 'interventions.reinforcement_strength'],
  ['context_reinforcement', 'include_examples', 'interventions.include_examples'],
  ['resource_throttling', 'metrics_window_seconds', 'interventions.metrics_window_seconds'],
  ['resource_throttling', 'reduction_factors.moderate', 'interventions.reduction_factors.moderate'],
  ['resource_throttling', 'reduction_factors.high', 'interventions.reduction_factors.high'],
  ['resource_throttling', 'reduction_factors.aggressive', 'interventions.reduction_factors.aggressive'],
  ['resource_throttling', 'reduction_factors.severe', 'interventions.reduction_factors.severe'],
  ['checkpoint_rollback', 'max_rollback_depth', 'interventions.max_rollback_depth'],
  ['checkpoint_rollback', 'checkpoint_retention_minutes', 'checkpoints.retention_minutes'],
  [
    'checkpoint_rollback',
    'safe_checkpoint_criteria.min_success_rate',
    'interventions.safe_checkpoint.min_success_rate',
  ],
  [
    'checkpoint_rollback',
    'safe_checkpoint_criteria.no_errors_duration_seconds',
    'interventions.safe_checkpoint.no_errors_seconds',
  ],
  ['emergency_stop', 'auto_cleanup', 'interventions.auto_cleanup'],
  ['emergency_stop', 'notification_channels', 'interventions.notification_channels'],
  ['emergency_stop', 'preserve_incident_data_days', 'interventions.preserve_incident_data_days'],
];

const INTERVENTION_KEYS = OF_INTERVENTIONS.flatMap(([section, key, to]) => [
  moved(`interventions.${section}.${key}`, to),
  ...(to === `interventions.${key}` ? [] : [moved(`interventions.${key}`, to)]),
]);

/** Characters per line: `max_output_lines` counts lines, `output_limit` characters. */
const LINE = 80;

export const MOVED_KEYS: readonly MovedKey[] = [
  moved('files.prd', 'tracker.path'),
  moved(
    'files.agents',
    'files.notes',
    (value) => (typeof value === 'string' ? [...new Set(['AGENTS.md', value])] : value),
    (value) => value === '.ralph/AGENTS.md',
  ),
  moved('tracker.plugin_path', 'tracker.plugin'),
  moved('tracker.github.label_filter', 'tracker.label'),
  moved('tracker.github.close_on_done', 'tracker.close_on_done'),
  moved('tracker.github.comment_on_done', 'tracker.comment_on_done'),
  moved(
    'git.auto_commit',
    'git.commit',
    (value) => (value === true ? 'on_done' : value === false ? 'never' : value),
    (value) => value === false,
  ),
  moved('git.commit_message_template', 'git.message', (value) =>
    typeof value === 'string' ? value.replaceAll('{story_id}', '{task_id}') : value,
  ),
  moved(
    'gates.max_output_lines',
    'gates.output_limit',
    (value) => (typeof value === 'number' ? value * LINE : value),
    (value) => value === 50,
  ),
  moved('review.performance.async_threshold', 'review.async_threshold'),
  moved('review.cache.ttl_minutes', 'review.cache.ttl_seconds', (value) =>
    typeof value === 'number' ? value * 60 : value,
  ),
  moved('gates.smart_enabled', 'gates.smart.enabled'),
  moved('adaptive_timeout.enable_complexity_scaling', 'adaptive_timeout.complexity_scaling'),
  moved('adaptive_timeout.enable_failure_scaling', 'adaptive_timeout.failure_scaling'),
  moved('interventions.max_interventions_per_execution', 'interventions.max_interventions_per_task'),
  moved('interventions.intervention_cooldown_seconds', 'interventions.cooldown_seconds'),
  ...INTERVENTION_KEYS,
];

/** Keys moved below each chosen name. */
export const MOVED_OF_EACH: readonly {
  readonly parent: KeyPath;
  readonly from: string;
  readonly to: string;
}[] = [
  { parent: ['modes'], from: 'runner_timeout_seconds', to: 'timeout' },
  { parent: ['adaptive_timeout', 'complexity'], from: 'base_timeout_seconds', to: 'base_timeout' },
];

/** Timeouts of every mode in the file without its own; `builtIn: false`: only of modes that aren't built in. */
export const TIMEOUTS_OF_ALL_MODES: readonly { readonly from: KeyPath; readonly builtIn: boolean }[] = [
  { from: ['loop', 'runner_timeout_seconds'], builtIn: true },
  { from: ['adaptive_timeout', 'base_timeout'], builtIn: true },
  { from: ['adaptive_timeout', 'base_timeout_seconds'], builtIn: true },
  // The key applied to modes without a timeout, which built-in ones have.
  { from: ['adaptive_timeout', 'default_mode_timeout'], builtIn: false },
];

/** Tables with names of yours, whose spelling stays. */
export const USER_NAMES: readonly KeyPath[] = [
  ...['runners', 'runners.*.env', 'modes', 'loop.modes', 'adaptive_timeout.complexity'],
  ...['interventions.handlers', 'interventions.weights', 'budget.prices', 'human.gates', 'human.people'],
].map((path) => path.split('.'));

/** Equivalent values; `note` says where the meaning differs slightly. */
export const RENAMED_VALUES: readonly {
  readonly path: KeyPath;
  readonly from: string | boolean;
  readonly to: string;
  readonly note: string | null;
}[] = [
  { path: ['tracker', 'kind'], from: 'github_issues', to: 'github', note: null },
  {
    path: ['tracker', 'kind'],
    from: 'beads',
    to: 'auto',
    note: '"beads" is read as "auto": ralph can\'t read its tasks, only a task file',
  },
  {
    path: ['tracker', 'kind'],
    from: 'web_analysis',
    to: 'auto',
    note: '"web_analysis" is read as "auto": ralph doesn\'t look for tasks in web pages, only in a task file',
  },
  { path: ['review', 'mode'], from: 'sync', to: 'blocking', note: null },
  { path: ['git', 'push'], from: false, to: 'never', note: null },
  { path: ['git', 'push'], from: true, to: 'checkpoints', note: 'true is read as "checkpoints"' },
  { path: ['git', 'pull_request'], from: false, to: 'never', note: null },
  { path: ['git', 'pull_request'], from: true, to: 'ready', note: 'true is read as "ready"' },
  { path: ['git', 'branch_strategy'], from: 'task', to: 'per_task', note: null },
  {
    path: ['git', 'branch_strategy'],
    from: 'per_prd',
    to: 'per_run',
    note: '"per_prd" is read as "per_run": one branch for each run',
  },
];

/** ralph-gold's 0 never blocks tasks; no series of attempts gets this long. */
export const NEVER_BLOCK = 1_000_000;

export function namesAt(table: Table, path: KeyPath): string[] {
  const value = valueAt(table, path);
  return isTable(value) ? Object.keys(value) : [];
}
