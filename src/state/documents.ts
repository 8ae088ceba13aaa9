import { ReviewSummary } from 'ralph-actions/forms/record';
import { snakeKey } from 'ralph-kit/snake-keys';
import * as z from 'zod/mini';
import { RECOVERY_ENDS, Recovery, RecoveryTry } from '../domain/human/recovery.ts';
import { Lesson } from '../domain/policy.ts';
import { InterventionEvent } from '../domain/records/event.ts';
import { GoldProfile } from '../domain/records/profile.ts';
import { AgentProfile, StateCore } from '../domain/records/state.ts';

/**
 * Returns the schema with keys in snake_case, for views of the journal under `.ralph/`. Views are only read if there is
 * no journal. Unknown fields are allowed everywhere.
 */

function inSnakeCase(type: z.core.$ZodType): z.core.$ZodType {
  const { def } = (type as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return z.looseObject(snakeShape(def.shape));
    case 'array':
      return z.array(inSnakeCase(def.element));
    case 'nullable':
      return z.nullable(inSnakeCase(def.innerType));
    case 'union':
      return z.union(def.options.map(inSnakeCase));
    case 'record':
      return z.record(def.keyType, inSnakeCase(def.valueType));
    case 'default':
      return z._default(inSnakeCase(def.innerType), def.defaultValue);
    case 'optional':
      return z.optional(inSnakeCase(def.innerType));
    default:
      return type;
  }
}

function snakeShape(shape: z.core.$ZodLooseShape): Record<string, z.core.$ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([key, type]) => [snakeKey(key), inSnakeCase(type)]));
}

export const StateDocument = z.looseObject({
  $schema: z.literal('ralph.state.v1'),
  ...snakeShape(StateCore.shape),
});

const SpentFields = {
  tokens: z.number(),
  /** US dollars as reported by agents. */
  cost_usd: z.number(),
  /** US dollars estimated by `[budget.prices]`, where agents reported none. */
  estimated_usd: z.number(),
};

export const MetricsDocument = z.looseObject({
  $schema: z.literal('ralph.metrics.v1'),
  iterations: z.number(),
  tasks: z.looseObject({
    done: z.number(),
    blocked: z.number(),
    parked: z.number(),
    in_progress: z.number(),
  }),
  /** Totals of the runs that `state.json` lists. */
  recent_runs: z.looseObject({ count: z.number(), ...SpentFields }),
  spend: z.looseObject({
    ...SpentFields,
    by_task: z.array(
      z.looseObject({
        task_id: z.string(),
        ...SpentFields,
        by_model: z.array(
          z.looseObject({ agent: z.string(), model: z.nullable(z.string()), ...SpentFields }),
        ),
      }),
    ),
    by_agent: z.array(z.looseObject({ agent: z.string(), ...SpentFields })),
    by_model: z.array(z.looseObject({ agent: z.string(), model: z.nullable(z.string()), ...SpentFields })),
  }),
  reviews: z.looseObject({
    ...ReviewSummary.shape,
    cache_hit_rate: z.nullable(z.number()),
    avg_review_time_us: z.nullable(z.number()),
    /** Number of reviews up to a time in µs; `null`: longer than all classes. */
    review_times: z.array(z.looseObject({ up_to_us: z.nullable(z.number()), count: z.number() })),
  }),
  interventions: z.looseObject({
    total_interventions: z.number(),
    interventions_by_type: z.record(z.string(), z.number()),
    interventions_by_severity: z.record(z.string(), z.number()),
    intervention_rate_per_100_iterations: z.number(),
    /** Share of judged interventions that helped; `null`: none was judged. */
    avg_remediation_success_rate: z.nullable(z.number()),
    cells: z.array(
      z.looseObject({
        intervention_type: z.string(),
        issue_type: z.string(),
        applied: z.number(),
        escalated: z.number(),
        /** How many interventions had which outcome; `open`: the task's next attempt decides it. */
        outcome: z.looseObject({
          helped: z.number(),
          not_helped: z.number(),
          no_further_attempt: z.number(),
          open: z.number(),
        }),
        /** Share of judged interventions that helped; `null`: none was judged. */
        effectiveness: z.nullable(z.number()),
      }),
    ),
  }),
  /** Numbers of human gates. A share of nothing is `null`. */
  human_gates: z.looseObject({ open: z.number(), refused: z.number() }),
  /** Numbers of events, with archived ones. */
  events: z.looseObject({
    total: z.number(),
    by_type: z.record(z.string(), z.number()),
    by_severity: z.record(z.string(), z.number()),
  }),
});

export const RecoveryDocument = z.looseObject({
  $schema: z.literal('ralph.recovery.v1'),
  ...snakeShape(z.omit(Recovery, { ended: true, tries: true }).shape),
  status: z.enum(['open', ...RECOVERY_ENDS]),
  ended_at: z.nullable(z.string()),
  failed_attempts: z.number(),
  /** The first iteration is the one that began the recovery. */
  iterations: z.array(inSnakeCase(RecoveryTry)),
  /** Steps after each attempt, in order. */
  phases: z.array(
    z.looseObject({
      phase: z.enum(['pause', 'diagnose', 'adapt', 'retry', 'escalate', 'end']),
      iteration: z.number(),
      at: z.string(),
      text: z.string(),
    }),
  ),
});

export const EventsDocument = z.looseObject({
  $schema: z.literal('ralph_gold.interventions.v1'),
  events: z.array(InterventionEvent),
});

export const ProfileDocument = z.looseObject({
  $schema: z.literal('ralph_gold.profile.v2'),
  profiles: z.array(
    z.looseObject({
      ...GoldProfile,
      ...snakeShape(z.omit(AgentProfile, { thresholdExceeded: true }).shape),
      /** The agent's newest events, oldest first. */
      intervention_history: z.array(z.omit(InterventionEvent, { id: true, run: true, worker: true })),
    }),
  ),
});

export const LessonsDocument = z.looseObject({
  $schema: z.literal('ralph.lessons.v1'),
  lessons: z.array(z.looseObject(snakeShape(Lesson.shape))),
});
