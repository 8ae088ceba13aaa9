import type { KeyPath, Table } from './key-path.ts';
import { valueAt } from './key-path.ts';

// What ralph-gold's configuration reference names and this program spells differently or does not have. Keys that
// both spell alike (max_iterations, no_progress_limit, commands, argv, …) are in neither table.

export type MovedKey = {
  readonly from: KeyPath;
  readonly to: KeyPath;
  /** `undefined` drops the key: its value means what happens anyway. */
  readonly convert: (value: unknown, table: Table) => unknown;
};

const same = (value: unknown): unknown => value;

export const MOVED_KEYS: readonly MovedKey[] = [
  { from: ['files', 'prd'], to: ['tracker', 'path'], convert: same },
  {
    from: ['files', 'agents'],
    to: ['files', 'notes'],
    convert: (value) => (typeof value === 'string' ? [...new Set(['AGENTS.md', value])] : value),
  },
  { from: ['tracker', 'github', 'label_filter'], to: ['tracker', 'label'], convert: same },
  { from: ['tracker', 'github', 'close_on_done'], to: ['tracker', 'close_on_done'], convert: same },
  { from: ['tracker', 'github', 'comment_on_done'], to: ['tracker', 'comment_on_done'], convert: same },
  {
    from: ['git', 'auto_commit'],
    to: ['git', 'commit'],
    convert: (value) => (value === true ? 'on_done' : value === false ? 'never' : value),
  },
  {
    from: ['git', 'commit_message_template'],
    to: ['git', 'message'],
    convert: (value) => (typeof value === 'string' ? value.replaceAll('{story_id}', '{task_id}') : value),
  },
  {
    from: ['adaptive_timeout', 'enable_complexity_scaling'],
    to: ['adaptive_timeout', 'complexity_scaling'],
    convert: same,
  },
  {
    from: ['adaptive_timeout', 'enable_failure_scaling'],
    to: ['adaptive_timeout', 'failure_scaling'],
    convert: same,
  },
  {
    from: ['parallel', 'max_workers'],
    to: ['parallel', 'workers'],
    convert: (value, table) => (valueAt(table, ['parallel', 'enabled']) === true ? value : undefined),
  },
];

/** Words for the same thing. A `note` says where it is not quite the same. */
export const RENAMED_VALUES: readonly {
  readonly path: KeyPath;
  readonly from: string;
  readonly to: string;
  readonly note: string | null;
}[] = [
  { path: ['tracker', 'kind'], from: 'github_issues', to: 'github', note: null },
  { path: ['git', 'branch_strategy'], from: 'task', to: 'per_task', note: null },
  {
    path: ['git', 'branch_strategy'],
    from: 'per_prd',
    to: 'per_run',
    note: '"per_prd" is read as "per_run": one branch for each run',
  },
];

export type IgnoredKey = {
  readonly path: KeyPath;
  /** True when leaving it out changes nothing: then nobody needs to hear of it. */
  readonly harmless: (value: unknown, table: Table) => boolean;
};

const never = (): boolean => false;
const equals =
  (...harmless: readonly unknown[]) =>
  (value: unknown): boolean =>
    harmless.includes(value);
const off = (value: unknown): boolean => valueAt(value, ['enabled']) === false;

function ignored(section: string, keys: readonly string[], harmless: IgnoredKey['harmless']): IgnoredKey[] {
  return keys.map((key) => ({ path: [section, key], harmless }));
}

/** In ralph-gold, 0 switches the blocking of tasks off. No series of attempts gets as long as this. */
export const NEVER_BLOCK = 1_000_000;

const LOOP_KEYS: readonly (readonly [string, IgnoredKey['harmless']])[] = [
  ['rate_limit_per_hour', equals(0)],
  ['sleep_seconds_between_iters', equals(0)],
  ['skip_blocked_tasks', equals(true)],
  ['batch_enabled', equals(false)],
];

/** `*` stands for the name of a mode. */
export const IGNORED_KEYS: readonly IgnoredKey[] = [
  ...LOOP_KEYS.flatMap(([key, harmless]) => [
    { path: ['loop', key], harmless },
    { path: ['modes', '*', key], harmless },
  ]),
  // Written into every project by ralph-gold's own set-up; the texts are built in here.
  ...ignored('files', ['plan', 'judge', 'review'], () => true),
  ...ignored('files', ['prompt_docs', 'prompt_hotfix', 'prompt_exploration', 'progress', 'specs_dir'], never),
  { path: ['loop', 'adaptive'], harmless: off },
  { path: ['tracker', 'plugin'], harmless: equals('') },
  {
    path: ['tracker', 'web'],
    harmless: (_, table) => valueAt(table, ['tracker', 'kind']) !== 'web_analysis',
  },
  {
    path: ['tracker', 'github'],
    harmless: (_, table) => valueAt(table, ['tracker', 'kind']) !== 'github',
  },
  { path: ['git', 'base_branch'], harmless: equals('') },
  {
    path: ['git', 'amend_if_needed'],
    harmless: (_, table) => (valueAt(table, ['git', 'commit']) ?? 'never') === 'never',
  },
  { path: ['gates', 'precommit_hook'], harmless: equals(false) },
  ...ignored('gates', ['fail_fast', 'output_mode', 'max_output_lines'], never),
  { path: ['gates', 'smart'], harmless: off },
  ...ignored('gates', ['review', 'prd_update', 'syntax_check'], off),
  ...ignored(
    'prompt',
    [
      'enable_limits',
      'max_specs_files',
      'max_specs_chars',
      'max_single_spec_chars',
      'truncate_long_specs',
      'specs_inclusion_order',
      'context_total_budget',
      'context_progress_max_lines',
      'context_progress_max_chars',
      'context_prune_on_build',
      'context_archive_old_entries',
      'context_archive_dir',
    ],
    never,
  ),
  {
    path: ['parallel', 'enabled'],
    harmless: (value, table) => value !== true || valueAt(table, ['parallel', 'workers']) !== undefined,
  },
  ...ignored('parallel', ['worktree_root', 'strategy', 'merge_policy'], () => true),
  { path: ['output', 'verbosity'], harmless: equals('normal') },
  { path: ['output', 'format'], harmless: equals('text') },
  ...ignored('adaptive_timeout', ['default_mode_timeout'], never),
  ...ignored('unblock', ['require_reason', 'allow_batch_unblock'], () => true),
  // Of `ralph supervise` there, a loop around the loop: `ralph run` never reads it.
  { path: ['supervisor'], harmless: () => true },
  ...['authorization', 'harness', 'repoprompt', 'watch'].map((section) => ({
    path: [section],
    harmless: off,
  })),
  ...['diagnostics', 'init', 'progress', 'state', 'stats', 'templates'].map((section) => ({
    path: [section],
    harmless: () => true,
  })),
];
