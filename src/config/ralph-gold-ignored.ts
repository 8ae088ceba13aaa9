import { isTable, type KeyPath, keysIn, type Table, valueAt } from './key-path.ts';

/** Whether omitting a key changes nothing, so that no warning is needed. */
type Harmless = (value: unknown, table: Table) => boolean;

export type IgnoredKey = {
  readonly path: KeyPath;
  readonly harmless: Harmless;
  /** Why the key has no effect, or what to use. */
  readonly why: string;
};

const never: Harmless = () => false;
const always: Harmless = () => true;
const off: Harmless = (value) => valueAt(value, ['enabled']) !== true;
const noWorkers: Harmless = (_, table) => valueAt(table, ['parallel', 'enabled']) !== true;
const trackerIsNot =
  (kind: string): Harmless =>
  (_, table) =>
    valueAt(table, ['tracker', 'kind']) !== kind;

const OWN_RECORDS = 'ralph keeps its records itself (ralph status, ralph report)';
const NO_WORKERS =
  'set [parallel] workers: each worker has a copy of its own, and results land one at a time';
const NO_SPECS = "specification files aren't part of the prompt; name them in the task";
const NO_JUDGE = 'no agent judges the diff; [proof] prover = "AGENT" has one write checks that decide';
const SUPERVISED =
  'ralph run needs no supervisor: it waits for agents itself; [notify] sets how you are notified';
const WAITS_FOR_LIMITS = 'ralph waits where an agent reports a usage limit ([loop] max_wait)';
const NO_BREAK = 'iterations follow each other without a break';
const SKIPS_BLOCKED = 'blocked tasks are always skipped; ralph unblock starts one again';
const ONE_TASK = 'an attempt works at one task';
const CHECKS_ALL = 'ralph doctor always checks all of it';
const ONE_HAS_A_LIMIT =
  'of the five, only soft_correction has a limit of its own; max_interventions_per_task is that of all';

/**
 * Settings that are the same for everyone, and settings of ralph-gold without an effect here: the values of new projects,
 * which need no warning, as `SECTION: KEY = VALUE; …`, and why another value has no effect.
 */
const USUAL: Readonly<Record<string, string>> = {
  'interventions: max_interventions_per_run = 0':
    'max_interventions_per_task limits those of each task, and [budget] what a list of tasks costs',
  'notify: webhook_format = "json"':
    'the address decides: hooks.slack.com, and what ends in /slack, get the form of Slack',
  'checkpoints: keep = 20': 'the newest 20 checkpoints are always kept',
  'notify: email = []': 'mail is sent by [notify] command; docs/CONFIGURATION.md, "Mail", has the line',
  'gates: on_missing = "fail"':
    'a gate without its tool keeps runs from starting, unless its own entry in commands has on_missing',
  'proof: when = "missing"': 'the prover is asked where a task has no Check: and no gate is held out',
  'proof: prover_model = ""': 'the prover has the model of its agent: [runners.NAME] model',
  'proof: mutant_time = 120': 'the mutants of a task always have 2 minutes, or max_time where that is less',
  'prompt: notes_limit = 20000; feedback_limit = 12000':
    'a prompt always has up to 20,000 characters of notes and 12,000 of feedback',
  'interventions.context_reinforcement: max_attempts = 0': ONE_HAS_A_LIMIT,
  'interventions.resource_throttling: max_attempts = 0': ONE_HAS_A_LIMIT,
  'interventions.checkpoint_rollback: max_attempts = 0': ONE_HAS_A_LIMIT,
  'interventions.emergency_stop: max_attempts = 0': ONE_HAS_A_LIMIT,
  'adaptive_timeout: linger = 60':
    'an agent of plain text that said DONE is always ended after a minute of silence, or half of idle_timeout',
  'snapshot: max_file_mb = 0': 'files of any size are stored; name large ones in .gitignore',
  'interventions: max_events = 1000': 'events.json always lists the newest 1000 events',
  'review.cache: max_entries = 1000; max_size = 1000':
    'the 1000 analyses that were used last are always kept',
  'output: keep_runs = 50': 'the folders of the newest 50 runs are always kept',
  'output: humour = true': 'the Wiggum Break always says its line',
  'review.risk: file_read = 0.1; file_creation = 0.3; file_modification = 0.4; network_request = 0.6; system_command = 0.7; file_deletion = 0.8; unknown = 0.8; out_of_scope = 0.3; privilege = 0.2; dangerous_pattern = 0.2; repeated_failures = [0.1,0.2,0.4]':
    'the risks of actions are always the same; the thresholds say what follows from them',
  'review.risk: allow_first_time = true': 'what would only be warned about is always allowed the first time',
  'review.rationality: goal_alignment = 0.4; progression = 0.3; efficiency = 0.2; completeness = 0.1':
    'the weights are always 0.4, 0.3, 0.2 and 0.1; the thresholds say what follows',
  'human: whitelist_days = 90': 'whitelist entries always expire after 90 days',
  'human.gates.*: enabled = true': 'human gates are always on',
  'human.gates.GATE-AP-RECOVERY: retention_days = 90': 'its decisions are always kept 90 days',
  'human.gates.GATE-AP-FALSE-POSITIVE: retention_days = 365': 'its decisions are always kept 365 days',
  'human.gates.GATE-AP-DESTRUCTIVE: retention_days = 365': 'its decisions are always kept 365 days',
  'human.gates.MANUAL: retention_days = 90': 'its decisions are always kept 90 days',
  'human.gates.GATE-AP-RECOVERY: signature = false': 'its decisions never need a signature',
  'human.gates.MANUAL: signature = false': 'its decisions never need a signature',
  'human.gates.GATE-AP-DESTRUCTIVE: signature = "critical"':
    'its decisions need a signature where the severity is critical',
  'human.gates.MANUAL: on_timeout = "block"': 'after its timeout an action is always denied',
  'policy.checkpoint: stop_above = 0.8': 'at a checkpoint, a run always stops above 80 % of the budget',
  'notify: tries = 3; retry_delay = 1; timeout = 10':
    'each channel is always tried 3 times, for up to 10 s, 1 s and 2 s apart',
  'loop: rate_limit_per_hour = 0': WAITS_FOR_LIMITS,
  'modes.*: rate_limit_per_hour = 0': WAITS_FOR_LIMITS,
  'loop: sleep_seconds_between_iters = 0': NO_BREAK,
  'modes.*: sleep_seconds_between_iters = 0': NO_BREAK,
  'loop: skip_blocked_tasks = true': SKIPS_BLOCKED,
  'modes.*: skip_blocked_tasks = true': SKIPS_BLOCKED,
  'loop: batch_enabled = false': ONE_TASK,
  'modes.*: batch_enabled = false': ONE_TASK,
  'files: plan = ".ralph/PROMPT_plan.md"': "ralph doesn't write plans yet",
  'files: judge = ".ralph/PROMPT_judge.md"': NO_JUDGE,
  'gates: llm_judge_enabled = false': NO_JUDGE,
  'files: review = ".ralph/PROMPT_review.md"': 'no second agent reviews the changes yet',
  'tracker: plugin = ""': 'ralph has no plug-ins for trackers',
  'git: base_branch = ""': 'branches start at the current commit',
  'gates: precommit_hook = false': 'commits run the hooks of the repository',
  'parallel: enabled = false': NO_WORKERS,
  'output: verbosity = "normal"': 'use ralph --verbose or --quiet',
  'output: format = "text"': 'use ralph --format json',
  'unblock: require_reason = true': 'a reason for unblocking is always optional',
  'unblock: allow_batch_unblock = true': 'ralph unblock --filter is always there',
  'interventions: dedupe_window_iterations = 10; max_recommendations_per_task = 3; retention_days = 30':
    'ralph acts on what it finds and keeps no list of recommendations',
  'supervisor: heartbeat_seconds = 60; sleep_seconds_between_runs = 5; max_runtime_seconds = 0; on_no_progress_limit = "stop"; on_rate_limit = "wait"; notify_enabled = true; notify_events = ["complete","stopped","error"]; notify_backend = "auto"; notify_command_argv = []':
    SUPERVISED,
  'diagnostics: enabled = true; check_gates = true; validate_prd = true': CHECKS_ALL,
  'state: auto_cleanup_stale = false; validate_on_startup = true; warn_on_prd_modified = true; protect_current_task = true; protect_recent_hours = 1':
    OWN_RECORDS,
  'stats: track_duration = true; track_cost = false': OWN_RECORDS,
  'progress: show_velocity = true; show_burndown = true; chart_width = 60': 'ralph has no such charts',
  'templates: builtin = ["bug-fix","feature","refactor"]; custom_dir = ".ralph/templates"':
    'ralph has no templates for tasks',
};

/** Returns rules for values of new projects, of which others have no effect. */
function usual(written: string, why: string): IgnoredKey[] {
  const [section = '', values = ''] = written.split(': ');
  return values.split('; ').map((one) => {
    const [key = '', value = ''] = one.split(' = ');
    return { path: [...section.split('.'), key], harmless: (seen) => JSON.stringify(seen) === value, why };
  });
}

/** Returns rules for the keys `SECTION: KEY KEY`, or for the sections `SECTION SECTION`; `*` stands for a chosen name. */
function ignored(keys: string, harmless: Harmless, why: string): IgnoredKey[] {
  const paths = keys.includes(': ') ? keysIn(keys) : keys.split(' ').map((section) => [section]);
  return paths.map((path) => ({ path, harmless, why }));
}

/** Keys that ralph doesn't have, in the order of lookup. */
export const IGNORED_KEYS: readonly IgnoredKey[] = [
  ...Object.entries(USUAL).flatMap(([written, why]) => usual(written, why)),
  ...ignored('loop: adaptive', off, 'timeouts adapt by [adaptive_timeout]'),
  ...ignored('gates: llm_judge', off, NO_JUDGE),
  ...ignored(
    'gates: llm_judge_agent llm_judge_prompt llm_judge_max_diff_chars',
    (_, table) => valueAt(table, ['gates', 'llm_judge_enabled']) !== true,
    NO_JUDGE,
  ),
  ...ignored('files: prompt_docs prompt_hotfix prompt_exploration', never, 'every task uses [files] prompt'),
  ...ignored('files: progress', never, OWN_RECORDS),
  ...ignored('files: specs_dir', never, NO_SPECS),
  ...ignored('tracker: web', trackerIsNot('web_analysis'), "ralph doesn't look for tasks in web pages"),
  ...ignored(
    'tracker: github',
    trackerIsNot('github'),
    "gh's own sign-in and the repository's remote are used, and issues keep their other labels",
  ),
  ...ignored(
    'git: amend_if_needed',
    (_, table) => valueAt(table, ['git', 'commit']) === 'never',
    'each commit is a new one',
  ),
  ...ignored('gates: fail_fast', never, 'every gate runs, so that the agent gets all failures'),
  ...ignored('gates: output_mode', never, '[gates] output_limit bounds what is shown of a gate'),
  ...ignored('gates: smart', off, 'give a gate of [[gates.commands]] paths = ["src/**"] instead'),
  ...ignored('gates: review', off, 'no second agent reviews the changes yet'),
  ...ignored('gates: prd_update', off, 'ralph ticks the task list itself'),
  ...ignored('gates: syntax_check', off, 'add its command to [gates] commands'),
  ...ignored(
    'prompt: enable_limits max_specs_files max_specs_chars max_single_spec_chars truncate_long_specs specs_inclusion_order',
    never,
    NO_SPECS,
  ),
  ...ignored(
    'prompt: context_total_budget context_progress_max_lines context_progress_max_chars context_prune_on_build context_archive_old_entries context_archive_dir',
    never,
    'ralph bounds what a prompt has of notes and feedback',
  ),
  ...ignored('parallel: max_workers strategy merge_policy worktree_root', noWorkers, NO_WORKERS),
  ...ignored(
    'adaptive_timeout: default_mode_timeout',
    never,
    'every mode here has a timeout of its own ([modes.NAME] timeout)',
  ),
  ...ignored('adaptive_timeout.complexity.*: description level', always, 'it is a description'),
  ...ignored(
    'interventions: policy_mode',
    never,
    'ralph acts on what it finds; [interventions] enabled = false switches that off',
  ),
  ...ignored('interventions: lookback_iterations', never, "the agent's last 5 iterations count"),
  ...ignored(
    'interventions: confidence_threshold',
    never,
    'each finding has a confidence of its own ([interventions.weights.NAME] confidence)',
  ),
  ...ignored('ux', always, 'it says which commands its documents show first'),
  ...ignored('init', always, 'ralph init never overwrites existing files'),
  ...ignored('authorization', off, 'the review of actions and [box] decide what an agent may write'),
  ...ignored('harness', off, 'ralph replay decides recorded runs again'),
  ...ignored('repoprompt', off, "ralph doesn't use Repo Prompt"),
  ...ignored('watch', off, "ralph doesn't start runs when files change"),
  // Sections of ralph-gold's settings that are empty once their ineffective keys are taken out: they don't stop a run either.
  ...ignored('supervisor', isEmptyTable, SUPERVISED),
  ...ignored('diagnostics', isEmptyTable, CHECKS_ALL),
  ...ignored('state stats', isEmptyTable, OWN_RECORDS),
  ...ignored('output progress templates', isEmptyTable, 'ralph has no such thing'),
  ...ignored('safety', isEmptyTable, '[review] and [interventions] hold these settings'),
];

function isEmptyTable(value: unknown): boolean {
  return isTable(value) && Object.keys(value).length === 0;
}
