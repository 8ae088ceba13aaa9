import { isTable, type KeyPath, type Table, valueAt } from './key-path.ts';

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
const equals =
  (harmless: unknown): Harmless =>
  (value) =>
    JSON.stringify(value) === JSON.stringify(harmless);
const trackerIsNot =
  (kind: string): Harmless =>
  (_, table) =>
    valueAt(table, ['tracker', 'kind']) !== kind;
const noWorkers: Harmless = (_, table) => valueAt(table, ['parallel', 'enabled']) !== true;

/** Returns rules for dotted keys, separated by blanks; `*` stands for a chosen name. */
function ignored(keys: string, harmless: Harmless, why: string): IgnoredKey[] {
  return keys.split(' ').map((key) => ({ path: key.split('.'), harmless, why }));
}

/** Returns rules for a section's keys, each with the value in new ralph-gold projects, which needs no warning. */
function unlessUsual(section: string, usual: Table, why: string): IgnoredKey[] {
  return Object.entries(usual).map(([key, value]) => ({
    path: [...section.split('.'), key],
    harmless: equals(value),
    why,
  }));
}

const OWN_RECORDS = 'ralph keeps its records itself (ralph status, ralph report)';
const ONE_PROMPT = 'every task uses [files] prompt';
const NO_WORKERS =
  'set [parallel] workers: each worker has a copy of its own, and results land one at a time';
const NO_SPECS = "specification files aren't part of the prompt; name them in the task";
const NO_JUDGE = 'no agent judges the diff; [proof] prover = "AGENT" has one write checks that decide';
const SUPERVISED =
  'ralph run needs no supervisor: it waits for agents itself; [notify] sets how you are notified';

/** Settings that are the same for everyone; their fixed value needs no warning. */
const FIXED: readonly IgnoredKey[] = [
  ...unlessUsual(
    'interventions',
    { max_interventions_per_run: 0 },
    'max_interventions_per_task limits those of each task, and [budget] what a list of tasks costs',
  ),
  ...unlessUsual(
    'notify',
    { webhook_format: 'json' },
    'the address decides: hooks.slack.com, and what ends in /slack, get the form of Slack',
  ),
  ...unlessUsual('checkpoints', { keep: 20 }, 'the newest 20 checkpoints are always kept'),
  ...unlessUsual(
    'notify',
    { email: [] },
    'mail is sent by [notify] command; docs/CONFIGURATION.md, "Mail", has the line',
  ),
  ...unlessUsual(
    'gates',
    { on_missing: 'fail' },
    'a gate without its tool keeps runs from starting, unless its own entry in commands has on_missing',
  ),
  ...unlessUsual(
    'proof',
    { when: 'missing' },
    'the prover is asked where a task has no Check: and no gate is held out',
  ),
  ...unlessUsual(
    'proof',
    { prover_model: '' },
    'the prover has the model of its agent: [runners.NAME] model',
  ),
  ...unlessUsual(
    'proof',
    { mutant_time: 120 },
    'the mutants of a task always have 2 minutes, or max_time where that is less',
  ),
  ...unlessUsual(
    'prompt',
    { notes_limit: 20_000, feedback_limit: 12_000 },
    'a prompt always has up to 20,000 characters of notes and 12,000 of feedback',
  ),
  ...['context_reinforcement', 'resource_throttling', 'checkpoint_rollback', 'emergency_stop'].flatMap(
    (type) =>
      unlessUsual(
        `interventions.${type}`,
        { max_attempts: 0 },
        'of the five, only soft_correction has a limit of its own; max_interventions_per_task is that of all',
      ),
  ),
  ...unlessUsual(
    'adaptive_timeout',
    { linger: 60 },
    'an agent of plain text that said DONE is always ended after a minute of silence, or half of idle_timeout',
  ),
  ...unlessUsual(
    'snapshot',
    { max_file_mb: 0 },
    'files of any size are stored; name large ones in .gitignore',
  ),
  ...unlessUsual('interventions', { max_events: 1000 }, 'events.json always lists the newest 1000 events'),
  ...unlessUsual(
    'review.cache',
    { max_entries: 1000, max_size: 1000 },
    'the 1000 analyses that were used last are always kept',
  ),
  ...unlessUsual('output', { keep_runs: 50 }, 'the folders of the newest 50 runs are always kept'),
  ...unlessUsual('output', { humour: true }, 'the Wiggum Break always says its line'),
  ...unlessUsual(
    'review.risk',
    {
      file_read: 0.1,
      file_creation: 0.3,
      file_modification: 0.4,
      network_request: 0.6,
      system_command: 0.7,
      file_deletion: 0.8,
      unknown: 0.8,
      out_of_scope: 0.3,
      privilege: 0.2,
      dangerous_pattern: 0.2,
      repeated_failures: [0.1, 0.2, 0.4],
    },
    'the risks of actions are always the same; the thresholds say what follows from them',
  ),
  ...unlessUsual(
    'review.risk',
    { allow_first_time: true },
    'what would only be warned about is always allowed the first time',
  ),
  ...unlessUsual(
    'review.rationality',
    { goal_alignment: 0.4, progression: 0.3, efficiency: 0.2, completeness: 0.1 },
    'the weights are always 0.4, 0.3, 0.2 and 0.1; the thresholds say what follows',
  ),
  ...unlessUsual('human', { whitelist_days: 90 }, 'whitelist entries always expire after 90 days'),
  ...ignored('human.gates.*.enabled', equals(true), 'human gates are always on'),
  ...Object.entries({
    'GATE-AP-RECOVERY': 90,
    'GATE-AP-FALSE-POSITIVE': 365,
    'GATE-AP-DESTRUCTIVE': 365,
    MANUAL: 90,
  }).flatMap(([gate, days]) =>
    unlessUsual(
      `human.gates.${gate}`,
      { retention_days: days },
      `its decisions are always kept ${days} days`,
    ),
  ),
  ...ignored(
    'human.gates.GATE-AP-RECOVERY.signature human.gates.MANUAL.signature',
    equals(false),
    'its decisions never need a signature',
  ),
  ...ignored(
    'human.gates.GATE-AP-DESTRUCTIVE.signature',
    equals('critical'),
    'its decisions need a signature where the severity is critical',
  ),
  ...ignored(
    'human.gates.MANUAL.on_timeout',
    equals('block'),
    'after its timeout an action is always denied',
  ),
  ...unlessUsual(
    'policy.checkpoint',
    { stop_above: 0.8 },
    'at a checkpoint, a run always stops above 80 % of the budget',
  ),
  ...unlessUsual(
    'notify',
    { tries: 3, retry_delay: 1, timeout: 10 },
    'each channel is always tried 3 times, for up to 10 s, 1 s and 2 s apart',
  ),
];

/** Keys that ralph doesn't have, in the order of lookup. */
export const IGNORED_KEYS: readonly IgnoredKey[] = [
  ...ignored(
    'loop.rate_limit_per_hour modes.*.rate_limit_per_hour',
    equals(0),
    'ralph waits where an agent reports a usage limit ([loop] max_wait)',
  ),
  ...ignored(
    'loop.sleep_seconds_between_iters modes.*.sleep_seconds_between_iters',
    equals(0),
    'iterations follow each other without a break',
  ),
  ...ignored(
    'loop.skip_blocked_tasks modes.*.skip_blocked_tasks',
    equals(true),
    'blocked tasks are always skipped; ralph unblock starts one again',
  ),
  ...ignored('loop.batch_enabled modes.*.batch_enabled', equals(false), 'an attempt works at one task'),
  ...ignored('loop.adaptive', off, 'timeouts adapt by [adaptive_timeout]'),
  ...unlessUsual('files', { plan: '.ralph/PROMPT_plan.md' }, "ralph doesn't write plans yet"),
  ...unlessUsual('files', { judge: '.ralph/PROMPT_judge.md' }, NO_JUDGE),
  ...ignored('gates.llm_judge', off, NO_JUDGE),
  ...ignored('gates.llm_judge_enabled', equals(false), NO_JUDGE),
  ...ignored(
    'gates.llm_judge_agent gates.llm_judge_prompt gates.llm_judge_max_diff_chars',
    (_, table) => valueAt(table, ['gates', 'llm_judge_enabled']) !== true,
    NO_JUDGE,
  ),
  ...unlessUsual('files', { review: '.ralph/PROMPT_review.md' }, 'no second agent reviews the changes yet'),
  ...ignored('files.prompt_docs files.prompt_hotfix files.prompt_exploration', never, ONE_PROMPT),
  ...ignored('files.progress', never, OWN_RECORDS),
  ...ignored('files.specs_dir', never, NO_SPECS),
  ...ignored('tracker.plugin', equals(''), 'ralph has no plug-ins for trackers'),
  ...ignored('tracker.web', trackerIsNot('web_analysis'), "ralph doesn't look for tasks in web pages"),
  ...ignored(
    'tracker.github',
    trackerIsNot('github'),
    "gh's own sign-in and the repository's remote are used, and issues keep their other labels",
  ),
  ...ignored('git.base_branch', equals(''), 'branches start at the current commit'),
  ...ignored(
    'git.amend_if_needed',
    (_, table) => valueAt(table, ['git', 'commit']) === 'never',
    'each commit is a new one',
  ),
  ...ignored('gates.precommit_hook', equals(false), 'commits run the hooks of the repository'),
  ...ignored('gates.fail_fast', never, 'every gate runs, so that the agent gets all failures'),
  ...ignored('gates.output_mode', never, '[gates] output_limit bounds what is shown of a gate'),
  ...ignored('gates.smart', off, 'give a gate of [[gates.commands]] paths = ["src/**"] instead'),
  ...ignored('gates.review', off, 'no second agent reviews the changes yet'),
  ...ignored('gates.prd_update', off, 'ralph ticks the task list itself'),
  ...ignored('gates.syntax_check', off, 'add its command to [gates] commands'),
  ...ignored(
    'prompt.enable_limits prompt.max_specs_files prompt.max_specs_chars prompt.max_single_spec_chars ' +
      'prompt.truncate_long_specs prompt.specs_inclusion_order',
    never,
    NO_SPECS,
  ),
  ...ignored(
    'prompt.context_total_budget prompt.context_progress_max_lines prompt.context_progress_max_chars ' +
      'prompt.context_prune_on_build prompt.context_archive_old_entries prompt.context_archive_dir',
    never,
    'ralph bounds what a prompt has of notes and feedback',
  ),
  ...ignored('parallel.enabled', equals(false), NO_WORKERS),
  ...ignored('parallel.max_workers parallel.strategy parallel.merge_policy', noWorkers, NO_WORKERS),
  ...ignored('parallel.worktree_root', noWorkers, NO_WORKERS),
  ...FIXED,
  ...ignored('output.verbosity', equals('normal'), 'use ralph --verbose or --quiet'),
  ...ignored('output.format', equals('text'), 'use ralph --format json'),
  ...ignored(
    'adaptive_timeout.default_mode_timeout',
    never,
    'every mode here has a timeout of its own ([modes.NAME] timeout)',
  ),
  ...ignored(
    'adaptive_timeout.complexity.*.description adaptive_timeout.complexity.*.level',
    always,
    'it is a description',
  ),
  ...unlessUsual('unblock', { require_reason: true }, 'a reason for unblocking is always optional'),
  ...unlessUsual('unblock', { allow_batch_unblock: true }, 'ralph unblock --filter is always there'),
  ...ignored(
    'interventions.policy_mode',
    never,
    'ralph acts on what it finds; [interventions] enabled = false switches that off',
  ),
  ...ignored('interventions.lookback_iterations', never, "the agent's last 5 iterations count"),
  ...ignored(
    'interventions.confidence_threshold',
    never,
    'each finding has a confidence of its own ([interventions.weights.NAME] confidence)',
  ),
  ...unlessUsual(
    'interventions',
    { dedupe_window_iterations: 10, max_recommendations_per_task: 3, retention_days: 30 },
    'ralph acts on what it finds and keeps no list of recommendations',
  ),
  ...ignored('ux', always, 'it says which commands its documents show first'),
  ...unlessUsual(
    'supervisor',
    {
      heartbeat_seconds: 60,
      sleep_seconds_between_runs: 5,
      max_runtime_seconds: 0,
      on_no_progress_limit: 'stop',
      on_rate_limit: 'wait',
      notify_enabled: true,
      notify_events: ['complete', 'stopped', 'error'],
      notify_backend: 'auto',
      notify_command_argv: [],
    },
    SUPERVISED,
  ),
  ...unlessUsual(
    'diagnostics',
    { enabled: true, check_gates: true, validate_prd: true },
    'ralph doctor always checks all of it',
  ),
  ...unlessUsual(
    'state',
    {
      auto_cleanup_stale: false,
      validate_on_startup: true,
      warn_on_prd_modified: true,
      protect_current_task: true,
      protect_recent_hours: 1,
    },
    OWN_RECORDS,
  ),
  ...unlessUsual('stats', { track_duration: true, track_cost: false }, OWN_RECORDS),
  ...unlessUsual(
    'progress',
    { show_velocity: true, show_burndown: true, chart_width: 60 },
    'ralph has no such charts',
  ),
  ...unlessUsual(
    'templates',
    { builtin: ['bug-fix', 'feature', 'refactor'], custom_dir: '.ralph/templates' },
    'ralph has no templates for tasks',
  ),
  ...ignored('init', always, 'ralph init never overwrites existing files'),
  ...ignored('authorization', off, 'the review of actions and [box] decide what an agent may write'),
  ...ignored('harness', off, 'ralph replay decides recorded runs again'),
  ...ignored('repoprompt', off, "ralph doesn't use Repo Prompt"),
  ...ignored('watch', off, "ralph doesn't start runs when files change"),
  // Sections of ralph-gold's settings that are empty once their ineffective keys are taken out: they don't stop a run either.
  ...ignored('supervisor', isEmptyTable, SUPERVISED),
  ...ignored('diagnostics', isEmptyTable, 'ralph doctor always checks all of it'),
  ...ignored('state stats', isEmptyTable, OWN_RECORDS),
  ...ignored('output progress templates', isEmptyTable, 'ralph has no such thing'),
  ...ignored('safety', isEmptyTable, '[review] and [interventions] hold these settings'),
];

function isEmptyTable(value: unknown): boolean {
  return isTable(value) && Object.keys(value).length === 0;
}
