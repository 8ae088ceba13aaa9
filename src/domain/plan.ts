import * as z from 'zod/mini';

/** Maximum number of characters of a title, for a plan that an agent writes. */
const MOST_TITLE = 200;
/** Maximum number of characters of a criterion. */
const MOST_CRITERION = 500;
/** Maximum number of characters of a command. */
const MOST_COMMAND = 500;
/** Maximum number of tasks of one plan. */
const MOST_PLANNED = 40;
/** Maximum number of criteria, files, gates or dependencies of one task. */
const MOST_OF_TASK = 20;

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const names = z.array(text(MOST_TITLE)).check(z.maxLength(MOST_OF_TASK));

/** A plan as an agent has to write it (`schemas/plan.v1.schema.json`). */
export const PlanAnswer = z.object({
  /** Code from the question, which the answer repeats: a quoted older plan lacks it. */
  nonce: z.optional(z.string()),
  tasks: z
    .array(
      z.object({
        /** Name by which `depends_on` refers to the task; absent: the task's number in the plan, from 1. */
        id: z.optional(text(MOST_TITLE)),
        title: text(MOST_TITLE),
        /** `check`: a shell command that fails before the task is done, and passes after. */
        criteria: z
          .array(
            z.union([
              text(MOST_CRITERION),
              z.object({ text: text(MOST_CRITERION), check: z.nullish(text(MOST_COMMAND)) }),
            ]),
          )
          .check(z.maxLength(MOST_OF_TASK)),
        files: z.nullish(names),
        /** Tasks of the plan by `id` or number, and tasks of the list by id. */
        depends_on: z.nullish(z.array(z.union([text(MOST_TITLE), z.int()])).check(z.maxLength(MOST_OF_TASK))),
        /** Names of gates that must pass for this task even if they failed before. */
        gates: z.nullish(names),
        minutes: z.nullish(z.number().check(z.positive())),
      }),
    )
    .check(z.minLength(1), z.maxLength(MOST_PLANNED)),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

/** A planned task that isn't in the list yet. Each text is one line. */
export const PlannedTask = z.object({
  id: z.string(),
  title: z.string(),
  /** Shell command that checks the criterion; `null`: none does. */
  criteria: z.array(z.object({ text: z.string(), check: z.nullable(z.string()) })),
  files: z.array(z.string()),
  /** Ids of planned tasks, or of tasks in the list. */
  dependsOn: z.array(z.string()),
  gates: z.array(z.string()),
  minutes: z.nullable(z.number()),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

export const ProposedBy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan'), agent: z.string(), idea: z.string() }),
  z.object({ kind: z.literal('split'), agent: z.string(), taskId: z.string() }),
  z.object({
    kind: z.literal('attempt'),
    agent: z.string(),
    run: z.string(),
    iteration: z.number(),
    taskId: z.string(),
  }),
]);

/** Tasks that wait for your approval; none is in the list yet. */
export const Proposal = z.object({
  /** Id of the proposal: `P-1`, `P-2`, … */
  id: z.string(),
  /** ISO 8601 UTC. */
  at: z.string(),
  by: ProposedBy,
  tasks: z.array(PlannedTask),
});
export type Proposal = z.infer<typeof Proposal>;

export const PROPOSALS_KEPT = 20;
/** Number of criteria above which a task is too large for one attempt (docs/UNBLOCK_GUIDE.md). */
export const MANY_CRITERIA = 5;
export const MOST_PROPOSED = 5;
