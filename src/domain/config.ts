import { ReviewSettings } from 'ralph-actions/forms/settings';
import { AGENT_OUTPUTS } from 'ralph-agents/known';
import { BoxSettings } from 'ralph-box/protocol/settings';
import { count, nonnegative, positive, ratio, Seconds, section, strings } from 'ralph-kit/settings-section';
import { TRACKER_KINDS } from 'ralph-task-lists';
import * as z from 'zod/mini';
import { HumanSettings } from './human/settings.ts';
import { Grade } from './proof.ts';
import { Price } from './spend.ts';
import { Parses } from './test-results.ts';
import { Role, WorkflowKind } from './workflow/roles.ts';

/** `[workflow]`: roles that work on a task beside the maker (docs/WORKFLOWS.md). */
export const WorkflowSettings = section({
  kind: z._default(WorkflowKind, 'solo'),
  max_cycles: z._default(z.int().check(z.minimum(1)), 3),
  roles: z._default(
    z.partialRecord(
      Role,
      z.strictObject({
        agent: z.optional(z.string()),
        model: z.optional(z.string()),
        template: z.optional(z.string()),
        replacement: z.optional(z.string()),
      }),
    ),
    {},
  ),
});

/** `[budget]`: limits until the list is done or you begin a new budget; 0: no limit. */
export const BudgetSettings = section({
  money: z._default(nonnegative, 0),
  tokens: z._default(count, 0),
  iterations: z._default(count, 0),
  wall_time: z._default(Seconds, 0),
  prices: z._default(z.record(z.string(), Price), {}),
});

/** `[policy]`: when a run saves its work and hands off, and when it stops. */
export const PolicySettings = section({
  checkpoint: section({
    every: z._default(Seconds, 2700),
    every_tasks: z._default(count, 3),
  }),
  break: section({
    strict: z._default(z.boolean(), false),
  }),
});

const InterventionSection = section({ enabled: z._default(z.boolean(), true) });

/** Ways to notify you of an emergency stop. */
const NOTIFICATION_CHANNELS = [
  'email',
  'slack',
  'webhook',
  'command',
  'desktop',
  'telegram',
  'ntfy',
] as const;

/** Returns the channel of `[notify]` that a name in `[interventions] notification_channels` means. */
export function channelOf(name: (typeof NOTIFICATION_CHANNELS)[number]) {
  if (name === 'slack') return 'webhook';
  return name === 'email' ? 'command' : name;
}

export const GateEntry = z.union([
  z.string(),
  z.strictObject({
    name: z.optional(z.string()),
    run: z.string(),
    timeout: z.optional(Seconds),
    on_missing: z.optional(z.enum(['fail', 'warn', 'skip'])),
    paths: z.optional(strings),
    required: z.optional(z.boolean()),
    box: z.optional(z.boolean()),
    parses: z.optional(z.union([Parses, z.array(Parses)])),
    held_out: z.optional(z.string().check(z.minLength(1))),
  }),
]);

/** A JavaScript regular expression without slashes; it ignores case. */
const RegExpText = z.string().check(z.minLength(1), z.refine(isRegExp, 'expected a regular expression'));

function isRegExp(text: string): boolean {
  try {
    new RegExp(text, 'i');
    return true;
  } catch {
    return false;
  }
}

/** Where an agent's JSON output has its text: member names separated by dots, `*` for each item of a list. */
const JsonOutput = z.templateLiteral([
  'json:',
  z.string().check(z.regex(/^(?:[\w-]+|\*)(?:\.(?:[\w-]+|\*))*$/)),
]);

export const Runner = z.strictObject({
  argv: z.optional(strings),
  output: z.optional(z.union([z.enum(AGENT_OUTPUTS), JsonOutput])),
  protocol: z.optional(z.enum(['acp'])),
  env: z.optional(z.record(z.string(), z.string())),
  inherit: z.optional(strings),
  model: z.optional(z.string()),
  extra_args: z.optional(strings),
  downgrade: z.optional(z.string()),
  context_window: z.optional(z.int().check(z.minimum(1))),
  limit: z.optional(RegExpText),
  outage: z.optional(RegExpText),
  scenario: z.optional(z.string()),
});
export type Runner = z.infer<typeof Runner>;

export const Mode = z.strictObject({
  timeout: z.optional(Seconds),
  agent: z.optional(z.string()),
  max_iterations: z.optional(count),
  max_attempts_per_task: z.optional(z.int().check(z.minimum(1))),
  no_progress_limit: z.optional(z.int().check(z.minimum(1))),
});

/** `[adaptive_timeout]`: how the time limit of an attempt is calculated (docs/ADAPTIVE_TIMEOUT.md). */
export const AdaptiveTimeoutSettings = section({
  enabled: z._default(z.boolean(), true),
  complexity_scaling: z._default(z.boolean(), true),
  failure_scaling: z._default(z.boolean(), true),
  learned: z._default(z.boolean(), true),
  max_timeout: z._default(Seconds, 3600),
  min_timeout: z._default(Seconds, 60),
  timeout_multiplier_per_failure: z._default(z.number().check(z.minimum(1)), 1.5),
  idle_timeout: z._default(Seconds, 600),
  complexity: z._default(
    z.record(
      z.string(),
      z.strictObject({
        multiplier: z.optional(positive),
        base_timeout: z.optional(Seconds),
        keywords: z.optional(strings),
      }),
    ),
    {},
  ),
});

/** `[interventions]` (docs/INTERVENTIONS.md); recorded with each iteration. */
export const InterventionSettings = section({
  enabled: z._default(z.boolean(), true),
  threshold_no_files: z._default(z.int().check(z.minimum(1)), 3),
  threshold_false_completion: z._default(z.int().check(z.minimum(1)), 2),
  feedback_rotation_days: z._default(nonnegative, 30),
  aggressive_mode: z._default(z.boolean(), false),
  mid_stream: z._default(z.boolean(), false),
  stop: z._default(z.enum(['task', 'run']), 'task'),
  max_interventions_per_task: z._default(count, 10),
  cooldown_seconds: z._default(Seconds, 30),
  soft_correction: section({
    enabled: z._default(z.boolean(), true),
    max_attempts: z._default(count, 3),
  }),
  context_reinforcement: InterventionSection,
  resource_throttling: InterventionSection,
  checkpoint_rollback: InterventionSection,
  emergency_stop: InterventionSection,
  custom_prompts_path: z._default(z.string(), ''),
  reinforcement_strength: z._default(z.enum(['light', 'medium', 'strong']), 'medium'),
  include_examples: z._default(z.boolean(), true),
  reduction_factors: section({
    moderate: z._default(ratio, 0.85),
    high: z._default(ratio, 0.7),
    aggressive: z._default(ratio, 0.5),
    severe: z._default(ratio, 0.25),
  }),
  metrics_window_seconds: z._default(positive, 60),
  max_rollback_depth: z._default(count, 3),
  safe_checkpoint: section({
    min_success_rate: z._default(ratio, 0.8),
    no_errors_seconds: z._default(Seconds, 60),
  }),
  notification_channels: z._default(z.array(z.enum(NOTIFICATION_CHANNELS)), []),
  preserve_incident_data_days: z._default(nonnegative, 30),
  auto_cleanup: z._default(z.boolean(), false),
  strategy: section({
    type: z._default(z.enum(['progressive', 'pattern_specific', 'custom']), 'progressive'),
    effectiveness_threshold: z._default(ratio, 0.6),
    escalation_delay_seconds: z._default(nonnegative, 120),
    module: z._default(z.string(), ''),
  }),
  handlers: z._default(z.record(z.string(), z.string()), {}),
  weights: z._default(
    z.record(z.string(), z.strictObject({ confidence: z.optional(ratio), impact_factor: z.optional(ratio) })),
    {},
  ),
});
export type InterventionSettings = z.infer<typeof InterventionSettings>;

const MOST_WORKERS = 64;

/**
 * The whole configuration. Its keys are those of `ralph.toml` (docs/CONFIGURATION.md); what each means is in
 * `config/key-descriptions.json`, which editors show.
 */
export const Config = z.strictObject({
  loop: section({
    agent: z._default(z.string(), 'auto'),
    fallback: z._default(strings, []),
    max_wait: z._default(Seconds, 21_600),
    mode: z._default(z.string(), 'speed'),
    max_iterations: z.optional(count),
    max_attempts_per_task: z._default(z.int().check(z.minimum(1)), 3),
    no_progress_limit: z._default(z.int().check(z.minimum(1)), 3),
    completion: z._default(z.enum(['claim', 'gates', 'unchecked']), 'claim'),
    resume: z._default(z.boolean(), false),
    grace: z._default(Seconds, 5),
  }),
  files: section({
    prompt: z._default(z.string(), '.ralph/PROMPT_build.md'),
    notes: z._default(strings, ['AGENTS.md', '.ralph/AGENTS.md']),
    feedback: z._default(z.string(), '.ralph/FEEDBACK.md'),
  }),
  tracker: section({
    kind: z._default(z.enum(['auto', ...TRACKER_KINDS]), 'auto'),
    path: z._default(z.string(), ''),
    label: z._default(z.string(), ''),
    comment_on_done: z._default(z.boolean(), false),
    close_on_done: z._default(z.boolean(), false),
    trust_commits: z._default(z.boolean(), true),
    skip_assigned: z._default(z.boolean(), false),
    states: z._default(
      z.partialRecord(z.enum(['open', 'in_progress', 'done', 'blocked', 'waiting', 'given_up']), strings),
      {},
    ),
  }),
  git: section({
    branch_strategy: z._default(z.enum(['none', 'per_run', 'per_task']), 'none'),
    branch_prefix: z._default(z.string(), 'ralph/'),
    commit: z._default(z.enum(['never', 'on_done', 'every_iteration']), 'on_done'),
    message: z._default(z.string(), '{title} ({task_id})'),
    push: z._default(z.enum(['never', 'checkpoints', 'on_done']), 'never'),
    pull_request: z._default(z.enum(['never', 'draft', 'ready']), 'never'),
  }),
  gates: section({
    commands: z._default(z.array(GateEntry), []),
    setup: z._default(z.string(), 'auto'),
    env: z._default(strings, []),
    timeout: z._default(Seconds, 600),
    parallel: z._default(z.boolean(), false),
    keep: z._default(strings, []),
    output_limit: z._default(count, 4000),
  }),
  proof: section({
    mode: z._default(z.enum(['on', 'off']), 'on'),
    require: z._default(Grade, 'none'),
    max_time: z._default(Seconds, 600),
    prover: z._default(z.string(), ''),
    mutants: z._default(count, 5),
  }),
  box: BoxSettings,
  runners: z._default(z.record(z.string(), Runner), {}),
  modes: z._default(z.record(z.string(), Mode), {}),
  prompt: section({
    constraints: z._default(strings, []),
    boundaries: z._default(strings, []),
    goals: z._default(strings, []),
  }),
  interventions: InterventionSettings,
  adaptive_timeout: AdaptiveTimeoutSettings,
  unblock: section({
    auto: z._default(z.boolean(), false),
    auto_suggest: z._default(z.boolean(), true),
    max_auto_unblock_attempts: z._default(count, 1),
  }),
  limits: section({
    max_file_operations: z._default(count, 500),
    max_memory_mb: z._default(count, 8192),
    max_tokens: z._default(count, 0),
    max_execution_time: z._default(Seconds, 0),
    batch_size: z._default(count, 0),
  }),
  checkpoints: section({
    retention_minutes: z._default(nonnegative, 30),
  }),
  snapshot: section({
    include_ignored: z._default(strings, []),
  }),
  parallel: section({
    workers: z._default(z.int().check(z.minimum(1), z.maximum(MOST_WORKERS)), 1),
    gate_slots: z._default(z.union([z.literal('auto'), z.int().check(z.minimum(1))]), 'auto'),
  }),
  review: ReviewSettings,
  human: HumanSettings,
  policy: PolicySettings,
  workflow: WorkflowSettings,
  budget: BudgetSettings,
  notify: section({
    command: z._default(z.string(), ''),
    webhook: z._default(z.string(), ''),
    desktop: z.optional(z.boolean()),
    telegram: z.optional(z.int()),
    ntfy: z._default(z.string(), ''),
  }),
});
export type Config = z.infer<typeof Config>;

/** Built-in modes with their timeouts in seconds (docs/CONFIGURATION.md). */
export const BUILT_IN_MODES: Readonly<Record<string, { readonly timeout: number }>> = {
  speed: { timeout: 120 },
  quality: { timeout: 300 },
  exploration: { timeout: 600 },
};

/** Sources of a configured value. Later ones override earlier ones. */
export const CONFIG_LAYERS = ['built-in', 'user', 'project', 'environment', 'flag'] as const;
export type ConfigLayer = (typeof CONFIG_LAYERS)[number];

export type ConfigProblem = {
  readonly source: string;
  /** Line from 1; `null`: the value isn't in a file. */
  readonly line: number | null;
  readonly key: string;
  readonly message: string;
};
