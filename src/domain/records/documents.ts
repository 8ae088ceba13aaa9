import * as z from 'zod/mini';
import { EventSeverity } from '../severity.ts';
import { UNAVAILABLE_KINDS } from './state.ts';

/**
 * The JSON documents under `.ralph/`, as you and other programs read them. They are views: written from the
 * journal's fold, read back only when there is no journal. Unknown fields are allowed everywhere.
 */

const AttemptDocument = z.looseObject({
  run: z.string(),
  iteration: z.number(),
  agent: z.string(),
  mode: z.string(),
  started_at: z.string(),
  duration_ms: z.number(),
  timeout_seconds: z.number(),
  verdict: z.string(),
  cause: z.string(),
  files_changed: z.number(),
  failed_gates: z.array(z.string()),
  missing_tools: z.array(z.looseObject({ gate: z.string(), tool: z.string() })),
  tree: z.string(),
});

const BlockedDocument = z.looseObject({
  reason: z.string(),
  detail: z.string(),
  at: z.string(),
  run: z.string(),
  iteration: z.number(),
  attempts: z.array(AttemptDocument),
  output_tail: z.string(),
  failed_gate_tail: z.string(),
});

const TaskDocument = z.looseObject({
  attempts: z.array(AttemptDocument),
  in_progress: z.boolean(),
  blocked: z.nullable(BlockedDocument),
  parked: z.boolean(),
  done_by: z.nullable(
    z.looseObject({
      kind: z.enum(['verdict', 'commit', 'issue', 'you', 'import']),
      title: z.string(),
      at: z.string(),
    }),
  ),
  uncommitted_paths: z.array(z.string()),
  timeout_seconds: z.nullable(z.number()),
  history: z.array(z.looseObject({ at: z.string(), reason: z.string() })),
  unblocks: z.looseObject({ total: z.number(), automatic: z.number() }),
  stale_mark: z.nullable(z.enum(['blocked', 'done'])),
});

const RunDocument = z.looseObject({
  run: z.string(),
  started_at: z.string(),
  ended_at: z.nullable(z.string()),
  agent: z.string(),
  mode: z.string(),
  pid: z.number(),
  host: z.string(),
  ending: z.nullable(z.string()),
  exit_code: z.nullable(z.number()),
  iterations: z.number(),
  done: z.array(z.string()),
  blocked: z.array(z.string()),
  cost_usd: z.number(),
  tokens: z.number(),
});

/** `.ralph/state.json` */
export const StateDocument = z.looseObject({
  $schema: z.literal('ralph.state.v1'),
  /** Number of the newest journal record that it holds. */
  seq: z.number(),
  counters: z.looseObject({ iteration: z.number(), event: z.number() }),
  tasks: z.record(z.string(), TaskDocument),
  remembered_ids: z.array(z.looseObject({ id: z.string(), title: z.string(), index: z.number() })),
  runs: z.array(RunDocument),
  workplaces: z.array(
    z.looseObject({
      worker: z.number(),
      worktree: z.string(),
      open_iteration: z.nullable(
        z.looseObject({ run: z.string(), iteration: z.number(), task_id: z.string() }),
      ),
    }),
  ),
  feedback: z.array(z.looseObject({ at: z.string(), kind: z.string(), text: z.string() })),
  baseline: z.nullable(z.looseObject({ tree: z.string(), taken_at: z.string() })),
  tracker_sha256: z.nullable(z.string()),
  /** The tracker that the first run fixed. */
  tracker: z.nullable(z.looseObject({ kind: z.string(), path: z.string(), others: z.array(z.string()) })),
  imports: z.boolean(),
  heads: z.looseObject({ known: z.nullable(z.string()), agents: z.array(z.string()) }),
  idle_iterations: z.number(),
});

/** `.ralph/metrics.json` */
export const MetricsDocument = z.looseObject({
  $schema: z.literal('ralph.metrics.v1'),
  iterations: z.number(),
  tasks: z.looseObject({
    done: z.number(),
    blocked: z.number(),
    parked: z.number(),
    in_progress: z.number(),
  }),
  /** Over the runs that `state.json` lists. */
  recent_runs: z.looseObject({ count: z.number(), tokens: z.number(), cost_usd: z.number() }),
  /** What was applied. */
  interventions: z.looseObject({
    total_interventions: z.number(),
    interventions_by_type: z.record(z.string(), z.number()),
    interventions_by_severity: z.record(z.string(), z.number()),
    intervention_rate_per_100_iterations: z.number(),
    /** Share of the judged interventions that helped; `null` where none was judged. */
    avg_remediation_success_rate: z.nullable(z.number()),
    /** By intervention and issue. */
    cells: z.array(
      z.looseObject({
        intervention_type: z.string(),
        issue_type: z.string(),
        applied: z.number(),
        /** How many of them went a rung up. */
        escalated: z.number(),
        /** `open`: the next attempt of the task will tell. */
        outcome: z.looseObject({
          helped: z.number(),
          not_helped: z.number(),
          no_further_attempt: z.number(),
          open: z.number(),
        }),
        /** Share of the judged ones that helped; `null` where none was judged. */
        effectiveness: z.nullable(z.number()),
      }),
    ),
  }),
  /** Recorded events, archived ones included. */
  events: z.looseObject({
    total: z.number(),
    by_type: z.record(z.string(), z.number()),
    by_severity: z.record(z.string(), z.number()),
  }),
});

/** `.ralph/interventions/events.json` */
export const EventsDocument = z.looseObject({
  $schema: z.literal('ralph_gold.interventions.v1'),
  events: z.array(
    z.looseObject({
      id: z.string(),
      iteration: z.number(),
      run: z.string(),
      worker: z.number(),
      event_type: z.string(),
      timestamp: z.string(),
      severity: EventSeverity,
      details: z.record(z.string(), z.unknown()),
      remediation_attempted: z.boolean(),
    }),
  ),
});

const ProfileFields = {
  agent_id: z.string(),
  total_iterations: z.number(),
  no_files_count: z.number(),
  false_completion_count: z.number(),
  avg_files_per_iteration: z.number(),
  avg_evidence_count: z.number(),
  last_reinforcement: z.nullable(z.string()),
  intervention_threshold_exceeded: z.boolean(),
};

/** One agent of `.ralph/interventions/profile.json`. */
export const ProfileEntry = z.looseObject({
  ...ProfileFields,
  files_changed: z.number(),
  evidence_count: z.number(),
  done_count: z.number(),
  suspended: z.nullable(z.string()),
  unavailable: z.nullable(
    z.object({
      kind: z.enum(UNAVAILABLE_KINDS),
      message: z.string(),
      since: z.string(),
      until: z.nullable(z.string()),
      tries: z.number(),
      reset_known: z.boolean(),
    }),
  ),
  window: z.array(z.object({ iteration: z.number(), no_files: z.boolean(), false_completion: z.boolean() })),
  levels: z.record(
    z.string(),
    z.object({ attempts: z.number(), done: z.number(), durations_ms: z.array(z.number()) }),
  ),
});
export type ProfileEntry = z.infer<typeof ProfileEntry>;

/** `.ralph/interventions/profile.json` */
export const ProfileDocument = z.looseObject({
  $schema: z.literal('ralph_gold.profile.v2'),
  profiles: z.array(ProfileEntry),
});

/** The same file as ralph-gold writes it: one agent. */
export const ProfileDocumentV1 = z.looseObject({
  $schema: z.literal('ralph_gold.profile.v1'),
  ...ProfileFields,
});
