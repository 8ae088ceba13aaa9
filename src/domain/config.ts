import * as z from 'zod/mini';
import { ReviewSettings } from '../lib/actions/settings.ts';
import { AGENT_OUTPUTS } from '../lib/agents.ts';
import { count, nonnegative, positive, ratio, Seconds, section, strings } from '../lib/settings-section.ts';
import { parseHostEntry } from './box/network.ts';
import { HumanSettings } from './human/settings.ts';
import { Grade } from './proof.ts';
import { Price } from './spend.ts';
import { TRACKER_KINDS } from './task.ts';
import { Parses } from './test-results.ts';
import { Role, WorkflowKind } from './workflow/roles.ts';

/** `[workflow]`: who works on a task beside the maker (docs/WORKFLOWS.md). */
export const WorkflowSettings = section({
  /** `solo`: the maker alone; `standard`: reviewed; `thorough`: planned and reviewed. */
  kind: z._default(WorkflowKind, 'solo'),
  /** Cycles of work and review before the task waits for you. */
  max_cycles: z._default(z.int().check(z.minimum(1)), 3),
  roles: z._default(
    z.partialRecord(
      Role,
      z.strictObject({
        /** The agent of the run by default. */
        agent: z.optional(z.string()),
        model: z.optional(z.string()),
        /** Your own prompt; `.ralph/PROMPT_ROLE.md` where there is one. */
        template: z.optional(z.string()),
        /** The agent that stands in at the second time; by default another one that the run knows. */
        replacement: z.optional(z.string()),
      }),
    ),
    {},
  ),
});

/** `[budget]`: what the work may cost until the list is done or you begin a new budget; 0: no limit. */
export const BudgetSettings = section({
  /** US dollars. */
  money: z._default(nonnegative, 0),
  /** Input and output. */
  tokens: z._default(count, 0),
  iterations: z._default(count, 0),
  wall_time: z._default(Seconds, 0),
  prices: z._default(z.record(z.string(), Price), {}),
});

/** `[policy]`: when a run saves its work and hands off, and what stops it. */
export const PolicySettings = section({
  checkpoint: section({
    /** 0: not by this. */
    every: z._default(Seconds, 2700),
    every_tasks: z._default(count, 3),
  }),
  break: section({
    /** Any three failures of the agent in a row, and the attempts of one task as its cycles. */
    strict: z._default(z.boolean(), false),
  }),
});

/** One of the five interventions. */
const InterventionSection = section({ enabled: z._default(z.boolean(), true) });

/** Ways to tell you of an emergency stop; `slack` is the webhook. */
const NOTIFICATION_CHANNELS = ['email', 'slack', 'webhook', 'command', 'desktop'] as const;

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

const HostText = z.string().check(({ value, issues }) => {
  const parsed = parseHostEntry(value);
  if (!parsed.ok) issues.push({ code: 'custom', message: `expected ${parsed.problem}`, input: value });
});
const Network = z.union([z.enum(['on', 'off']), z.array(HostText)]);

/** A regular expression as JavaScript has it, without its slashes; the case of letters doesn't matter. */
const RegExpText = z.string().check(z.minLength(1), z.refine(isRegExp, 'expected a regular expression'));

function isRegExp(text: string): boolean {
  try {
    new RegExp(text, 'i');
    return true;
  } catch {
    return false;
  }
}

export const Runner = z.strictObject({
  /** Program and arguments; `-` alone: prompt on standard input, `{prompt}` inline, `{prompt_file}` its path. */
  argv: z.optional(strings),
  output: z.optional(z.enum(AGENT_OUTPUTS)),
  /** How it is spoken to, in place of `output`. */
  protocol: z.optional(z.enum(['acp'])),
  env: z.optional(z.record(z.string(), z.string())),
  /** Names of your variables that it gets, with `*` for anything, beside those that every program gets. */
  inherit: z.optional(strings),
  model: z.optional(z.string()),
  extra_args: z.optional(strings),
  /** The cheaper model from 80 % of the budget on. */
  downgrade: z.optional(z.string()),
  /** Tokens that it can read at once. */
  context_window: z.optional(z.int().check(z.minimum(1))),
  /** Of plain text: what its last lines say when it reached a usage limit, or when its service is down. */
  limit: z.optional(RegExpText),
  outage: z.optional(RegExpText),
  /** Scenario file of the scripted agent. */
  scenario: z.optional(z.string()),
});
export type Runner = z.infer<typeof Runner>;

export const Mode = z.strictObject({
  timeout: z.optional(Seconds),
  agent: z.optional(z.string()),
  /** These stand in for the same keys of `[loop]` while the mode is in use. */
  max_iterations: z.optional(count),
  max_attempts_per_task: z.optional(z.int().check(z.minimum(1))),
  no_progress_limit: z.optional(z.int().check(z.minimum(1))),
});

/** `[adaptive_timeout]`: what the time limit of an attempt is made of (spec 2). */
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

/** `[interventions]`: what the controller goes by (spec 3-interventions); recorded with each iteration. */
export const InterventionSettings = section({
  enabled: z._default(z.boolean(), true),
  threshold_no_files: z._default(z.int().check(z.minimum(1)), 3),
  threshold_false_completion: z._default(z.int().check(z.minimum(1)), 2),
  feedback_rotation_days: z._default(nonnegative, 30),
  aggressive_mode: z._default(z.boolean(), false),
  mid_stream: z._default(z.boolean(), false),
  /** What an emergency stop holds up that concerns one task alone. */
  stop: z._default(z.enum(['task', 'run']), 'task'),
  max_interventions_per_task: z._default(count, 10),
  max_interventions_per_run: z._default(count, 0),
  /** Between two interventions for the same issue on the same task. */
  cooldown_seconds: z._default(Seconds, 30),
  soft_correction: section({
    enabled: z._default(z.boolean(), true),
    /** In a task's series of attempts; 0: no limit. */
    max_attempts: z._default(count, 3),
  }),
  context_reinforcement: InterventionSection,
  resource_throttling: InterventionSection,
  checkpoint_rollback: InterventionSection,
  emergency_stop: InterventionSection,
  custom_prompts_path: z._default(z.string(), ''),
  reinforcement_strength: z._default(z.enum(['light', 'medium', 'strong']), 'medium'),
  include_examples: z._default(z.boolean(), true),
  /** What is left of a limit after growth over 1.2, 1.5, 2.0 and 4.0. */
  reduction_factors: section({
    moderate: z._default(ratio, 0.85),
    high: z._default(ratio, 0.7),
    aggressive: z._default(ratio, 0.5),
    severe: z._default(ratio, 0.25),
  }),
  metrics_window_seconds: z._default(positive, 60),
  max_rollback_depth: z._default(count, 3),
  safe_checkpoint: section({
    /** Least share of the gates that pass there. */
    min_success_rate: z._default(ratio, 0.8),
    /** Time before it without a failed attempt of the task. */
    no_errors_seconds: z._default(Seconds, 60),
  }),
  /** Who is told of an emergency stop, of the channels of `[notify]`; empty: all of them. */
  notification_channels: z._default(z.array(z.enum(NOTIFICATION_CHANNELS)), []),
  preserve_incident_data_days: z._default(nonnegative, 30),
  auto_cleanup: z._default(z.boolean(), false),
  strategy: section({
    type: z._default(z.enum(['progressive', 'pattern_specific', 'custom']), 'progressive'),
    effectiveness_threshold: z._default(ratio, 0.6),
    escalation_delay_seconds: z._default(nonnegative, 120),
    /** ES module of the strategy `custom`. */
    module: z._default(z.string(), ''),
  }),
  handlers: z._default(z.record(z.string(), z.string()), {}),
  /** How sure the detection of an issue is and how much worse it makes things, where that is to be changed. */
  weights: z._default(
    z.record(z.string(), z.strictObject({ confidence: z.optional(ratio), impact_factor: z.optional(ratio) })),
    {},
  ),
});
export type InterventionSettings = z.infer<typeof InterventionSettings>;

/** So many copies of a work tree. */
const MOST_WORKERS = 64;

/** The whole configuration; the keys are those of `ralph.toml` (files.md, Configuration sections). */
export const Config = z.strictObject({
  loop: section({
    agent: z._default(z.string(), 'auto'),
    fallback: z._default(strings, []),
    /** The longest single wait for an agent that is not available; 0: never wait. */
    max_wait: z._default(Seconds, 21_600),
    mode: z._default(z.string(), 'speed'),
    /** Absent: three for each task that is open. */
    max_iterations: z.optional(count),
    max_attempts_per_task: z._default(z.int().check(z.minimum(1)), 3),
    no_progress_limit: z._default(z.int().check(z.minimum(1)), 3),
    completion: z._default(z.enum(['claim', 'gates', 'unchecked']), 'claim'),
    resume: z._default(z.boolean(), false),
    /** Between SIGTERM and SIGKILL. */
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
  }),
  git: section({
    branch_strategy: z._default(z.enum(['none', 'per_run', 'per_task']), 'none'),
    branch_prefix: z._default(z.string(), 'ralph/'),
    commit: z._default(z.enum(['never', 'on_done', 'every_iteration']), 'on_done'),
    message: z._default(z.string(), '{title} ({task_id})'),
    /** `checkpoints`: at each of `[policy.checkpoint]` and when a run ends; `on_done`: after each task that lands, too. */
    push: z._default(z.enum(['never', 'checkpoints', 'on_done']), 'never'),
    /** Opened for what is pushed, then kept up to date. */
    pull_request: z._default(z.enum(['never', 'draft', 'ready']), 'never'),
  }),
  gates: section({
    commands: z._default(z.array(GateEntry), []),
    setup: z._default(z.string(), 'auto'),
    /** Names of your variables that gates get in the box beside the ordinary ones; `*` stands for anything. */
    env: z._default(strings, []),
    timeout: z._default(Seconds, 600),
    parallel: z._default(z.boolean(), false),
    /** What git ignores and gates need, as paths and patterns of git's: the copies in which they decide have it from your checkout. */
    keep: z._default(strings, []),
    /** Characters of a failing gate's output that go into the feedback. */
    output_limit: z._default(count, 4000),
  }),
  proof: section({
    /** `off`: gates decide alone. */
    mode: z._default(z.enum(['on', 'off']), 'on'),
    /** The least grade with which work is done. */
    require: z._default(Grade, 'none'),
    /** For the further runs of gates that one task may cost. */
    max_time: z._default(Seconds, 600),
    /** The agent that writes checks of a task before its work begins; empty: none. */
    prover: z._default(z.string(), ''),
    /** Small mistakes in the changed lines that a done task's gates are tried with; 0: none. Mode "speed" tries none. */
    mutants: z._default(count, 5),
  }),
  box: section({
    /** `auto`: what of it works here; `require`: all of it, or nothing is run. */
    mode: z._default(z.enum(['auto', 'require', 'off']), 'auto'),
    /** Files and folders of the checkout that agents and gates see although they are neither committed nor ignored. */
    seed: z._default(strings, []),
    /** Paths beside the work tree that may be written: absolute, `~/…`, or relative to the repository. */
    writable: z._default(strings, []),
    /** Paths of the home folder, and other hidden ones, that are shown as they are, read-only. */
    readable: z._default(strings, []),
    /** Paths outside of the home folder, and in the repository, that can't be read. */
    hide: z._default(strings, []),
    /** Sockets that can be reached although they lie in a hidden place. */
    sockets: z._default(strings, []),
    /** What agents reach, and what they start: every host, this box alone, or listed hosts. */
    network: z._default(Network, 'on'),
    /** The same for gates, set-up commands and your hooks; absent: as `network`. */
    gate_network: z.optional(Network),
    /** Docker's and podman's sockets can be reached: who reaches them can leave the box. */
    docker: z._default(z.boolean(), false),
  }),
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
    /** Acceptance criteria that one attempt is asked to work at; 0: all. */
    batch_size: z._default(count, 0),
  }),
  checkpoints: section({
    retention_minutes: z._default(nonnegative, 30),
    keep: z._default(count, 20),
  }),
  snapshot: section({
    /** Globs of ignored files that count all the same. */
    include_ignored: z._default(strings, []),
  }),
  parallel: section({
    /** Attempts at once, each at another task and in a copy of its own. */
    workers: z._default(z.int().check(z.minimum(1), z.maximum(MOST_WORKERS)), 1),
    /** How many of them run gates at once; `auto`: by the processors. */
    gate_slots: z._default(z.union([z.literal('auto'), z.int().check(z.minimum(1))]), 'auto'),
  }),
  review: ReviewSettings,
  human: HumanSettings,
  policy: PolicySettings,
  workflow: WorkflowSettings,
  budget: BudgetSettings,
  notify: section({
    /** A command line of the shell; it gets the notification as JSON on standard input. */
    command: z._default(z.string(), ''),
    webhook: z._default(z.string(), ''),
    /** `slack`: the form that Slack and those who speak like it understand. */
    webhook_format: z._default(z.enum(['json', 'slack']), 'json'),
    /** Addresses that get a mail through the local `sendmail`. */
    email: z._default(strings, []),
    /** Notifications of the desktop; absent: the end of a run of five minutes or more, on a terminal. */
    desktop: z.optional(z.boolean()),
  }),
});
export type Config = z.infer<typeof Config>;

/** Built-in modes with their timeouts in seconds (files.md). */
export const BUILT_IN_MODES: Readonly<Record<string, { readonly timeout: number }>> = {
  speed: { timeout: 120 },
  quality: { timeout: 300 },
  exploration: { timeout: 600 },
};

/** Where a value came from, strongest last. */
export const CONFIG_LAYERS = ['built-in', 'user', 'project', 'environment', 'flag'] as const;
export type ConfigLayer = (typeof CONFIG_LAYERS)[number];

/** A mistake in a configuration: what happened, the value seen, the fix. */
export type ConfigProblem = {
  /** File name or variable name the value stands in. */
  readonly source: string;
  /** 1-based; `null` outside of files. */
  readonly line: number | null;
  readonly key: string;
  readonly message: string;
};
