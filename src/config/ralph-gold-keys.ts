import { type KeyPath, type Table, valueAt } from './key-path.ts';

// The keys of a ralph-gold configuration that this program spells differently or does not have. Keys that both spell
// alike (max_iterations, no_progress_limit, commands, argv, …) are in neither table.

/** `undefined` drops the key: its value means what happens anyway. */
export type Convert = (value: unknown, table: Table) => unknown;

export type MovedKey = { readonly from: KeyPath; readonly to: KeyPath; readonly convert: Convert };

export const same: Convert = (value) => value;

function moved(from: string, to: string, convert = same): MovedKey {
  return { from: from.split('.'), to: to.split('.'), convert };
}

export const MOVED_KEYS: readonly MovedKey[] = [
  moved('files.prd', 'tracker.path'),
  moved('files.agents', 'files.notes', (value) =>
    typeof value === 'string' ? [...new Set(['AGENTS.md', value])] : value,
  ),
  moved('tracker.github.label_filter', 'tracker.label'),
  moved('tracker.github.close_on_done', 'tracker.close_on_done'),
  moved('tracker.github.comment_on_done', 'tracker.comment_on_done'),
  moved('git.auto_commit', 'git.commit', (value) =>
    value === true ? 'on_done' : value === false ? 'never' : value,
  ),
  moved('git.commit_message_template', 'git.message', (value) =>
    typeof value === 'string' ? value.replaceAll('{story_id}', '{task_id}') : value,
  ),
  moved('adaptive_timeout.enable_complexity_scaling', 'adaptive_timeout.complexity_scaling'),
  moved('adaptive_timeout.enable_failure_scaling', 'adaptive_timeout.failure_scaling'),
  moved('parallel.max_workers', 'parallel.workers', (value, table) =>
    valueAt(table, ['parallel', 'enabled']) === true ? value : undefined,
  ),
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

/** In ralph-gold, 0 switches the blocking of tasks off. No series of attempts gets as long as this. */
export const NEVER_BLOCK = 1_000_000;

/** Whether leaving a key out changes nothing, so that it needs no warning. */
type Harmless = (value: unknown, table: Table) => boolean;

export type IgnoredKey = { readonly path: KeyPath; readonly harmless: Harmless };

const always: Harmless = () => true;
const never: Harmless = () => false;
const off: Harmless = (value) => valueAt(value, ['enabled']) === false;
const equals =
  (harmless: unknown): Harmless =>
  (value) =>
    value === harmless;
const trackerIsNot =
  (kind: string): Harmless =>
  (_, table) =>
    valueAt(table, ['tracker', 'kind']) !== kind;

/** Dotted keys, separated by blanks, for which the same holds; `*` stands for the name of a mode. */
function ignored(keys: string, harmless: Harmless): IgnoredKey[] {
  return keys.split(' ').map((key) => ({ path: key.split('.'), harmless }));
}

/** Keys of one section. */
function ignoredIn(section: string, keys: string, harmless: Harmless): IgnoredKey[] {
  return keys.split(' ').map((key) => ({ path: [section, key], harmless }));
}

export const IGNORED_KEYS: readonly IgnoredKey[] = [
  ...ignored('loop.rate_limit_per_hour modes.*.rate_limit_per_hour', equals(0)),
  ...ignored('loop.sleep_seconds_between_iters modes.*.sleep_seconds_between_iters', equals(0)),
  ...ignored('loop.skip_blocked_tasks modes.*.skip_blocked_tasks', equals(true)),
  ...ignored('loop.batch_enabled modes.*.batch_enabled', equals(false)),
  // Written into every project by ralph-gold's own set-up; the texts are built in here.
  ...ignoredIn('files', 'plan judge review', always),
  ...ignoredIn('files', 'prompt_docs prompt_hotfix prompt_exploration progress specs_dir', never),
  ...ignored('loop.adaptive', off),
  ...ignored('tracker.plugin', equals('')),
  ...ignored('tracker.web', trackerIsNot('web_analysis')),
  ...ignored('tracker.github', trackerIsNot('github')),
  ...ignored('git.base_branch', equals('')),
  ...ignored('git.amend_if_needed', (_, table) => (valueAt(table, ['git', 'commit']) ?? 'never') === 'never'),
  ...ignored('gates.precommit_hook', equals(false)),
  ...ignoredIn('gates', 'fail_fast output_mode max_output_lines', never),
  ...ignoredIn('gates', 'smart review prd_update syntax_check', off),
  ...ignoredIn(
    'prompt',
    'enable_limits max_specs_files max_specs_chars max_single_spec_chars truncate_long_specs specs_inclusion_order ' +
      'context_total_budget context_progress_max_lines context_progress_max_chars context_prune_on_build ' +
      'context_archive_old_entries context_archive_dir',
    never,
  ),
  ...ignored(
    'parallel.enabled',
    (value, table) => value !== true || valueAt(table, ['parallel', 'workers']) !== undefined,
  ),
  ...ignoredIn('parallel', 'worktree_root strategy merge_policy', always),
  ...ignored('output.verbosity', equals('normal')),
  ...ignored('output.format', equals('text')),
  ...ignored('adaptive_timeout.default_mode_timeout', never),
  ...ignoredIn('unblock', 'require_reason allow_batch_unblock', always),
  // Of `ralph supervise` there, a loop around the loop: `ralph run` never reads it.
  ...ignored('supervisor', always),
  ...ignored('authorization harness repoprompt watch', off),
  ...ignored('diagnostics init progress state stats templates', always),
];
