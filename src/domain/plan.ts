import * as z from 'zod/mini';

/** Characters of a title, of a criterion, and of a command. */
const MOST_TITLE = 200;
const MOST_CRITERION = 500;
const MOST_COMMAND = 500;
/** Tasks of one plan; criteria, files and names of each. */
const MOST_PLANNED = 40;
const MOST_OF_TASK = 20;

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const names = z.array(text(MOST_TITLE)).check(z.maxLength(MOST_OF_TASK));

/** The plan that an agent answers with (`schemas/plan.v1.schema.json`). */
export const PlanAnswer = z.object({
  /** What the question asks to repeat. */
  nonce: z.optional(z.string()),
  tasks: z
    .array(
      z.object({
        /** What `depends_on` calls it; absent: its number in the plan, from 1. */
        id: z.optional(text(MOST_TITLE)),
        title: text(MOST_TITLE),
        /** `check`: a command for a shell that fails before the task is done, and passes after. */
        criteria: z
          .array(
            z.union([
              text(MOST_CRITERION),
              z.object({ text: text(MOST_CRITERION), check: z.nullish(text(MOST_COMMAND)) }),
            ]),
          )
          .check(z.maxLength(MOST_OF_TASK)),
        /** Paths and globs of what it changes. */
        files: z.nullish(names),
        /** Tasks of the plan, by id or number, and tasks of the list, by id. */
        depends_on: z.nullish(z.array(z.union([text(MOST_TITLE), z.int()])).check(z.maxLength(MOST_OF_TASK))),
        /** Gates that must pass although they failed before. */
        gates: z.nullish(names),
        /** How long an agent will take, as far as the planner can tell. */
        minutes: z.nullish(z.number().check(z.positive())),
      }),
    )
    .check(z.minLength(1), z.maxLength(MOST_PLANNED)),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

/** A task that isn't in the list yet. All texts are on one line each. */
export const PlannedTask = z.object({
  /** In the plan alone. */
  id: z.string(),
  title: z.string(),
  /** `check`: `null` where the criterion is shown otherwise. */
  criteria: z.array(z.object({ text: z.string(), check: z.nullable(z.string()) })),
  files: z.array(z.string()),
  /** Ids in the plan, else in the list. */
  dependsOn: z.array(z.string()),
  gates: z.array(z.string()),
  minutes: z.nullable(z.number()),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

/** Whose idea a proposal was. */
export const ProposedBy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan'), agent: z.string(), idea: z.string() }),
  /** In the place of a task. */
  z.object({ kind: z.literal('split'), agent: z.string(), taskId: z.string() }),
  /** Beside its work at a task. */
  z.object({
    kind: z.literal('attempt'),
    agent: z.string(),
    run: z.string(),
    iteration: z.number(),
    taskId: z.string(),
  }),
]);

/** Tasks that wait for your yes: nothing of them is in the list. */
export const Proposal = z.object({
  /** `P-1`, `P-2`, … */
  id: z.string(),
  /** ISO 8601 UTC. */
  at: z.string(),
  by: ProposedBy,
  tasks: z.array(PlannedTask),
});
export type Proposal = z.infer<typeof Proposal>;

/** Proposals that the state keeps, the newest. */
export const PROPOSALS_KEPT = 20;
/** Acceptance criteria beyond which a task is too large for one attempt (spec 2, Suggested strategies). */
export const MANY_CRITERIA = 5;
/** Tasks that an agent may propose in one attempt. */
export const MOST_PROPOSED = 5;
