import * as z from 'zod/mini';
import { StopSignalName } from '../exit.ts';
import { GateOutage } from '../gate.ts';
import { PolicyFacts } from '../policy.ts';
import { EMPTY_TASK, Task, TaskStatus } from '../task.ts';
import { AutoUnblock } from './blocked.ts';
import { RunControl } from './run-control.ts';
import { TaskState, UNAVAILABLE_KINDS, Unavailable } from './state.ts';

/** A task as far as the choice of the next one and the account of the progress go by it. */
export const ListedTask = z.pick(Task, {
  id: true,
  title: true,
  status: true,
  priority: true,
  dependsOn: true,
  problem: true,
});
export type ListedTask = z.infer<typeof ListedTask>;

/** `runs/RUN/tasks-HASH.json`: the list of tasks; named for its content, so written once however often it is used. */
export const TaskListDocument = z.looseObject({
  $schema: z.literal('ralph.tasks.v1'),
  tasks: z.array(ListedTask),
});
export type TaskListDocument = z.infer<typeof TaskListDocument>;

/** Where task file and journal may differ (`loop/reconcile-tracker.ts`). */
export const ReconcileFacts = z.object({
  /** SHA-256 of the task file, and of the one that ralph last wrote or accepted. */
  sha256: z.string(),
  accepted: z.nullable(z.string()),
  /** An attempt was open when ralph ended: what changed since isn't yours. */
  cutOff: z.boolean(),
  holdsBlocked: z.boolean(),
  /** Marks of what is done are committed at the end of a run. */
  commitsMarks: z.boolean(),
  /** Tasks that ralph knows as done or blocked and the task file doesn't call so, and those with a stale mark. */
  tasks: z.array(
    z.object({
      id: z.string(),
      done: z.boolean(),
      blocked: z.boolean(),
      /** It was unblocked or reopened, and the mark is still there. */
      staleMark: z.boolean(),
      /** Its mark went back to what HEAD has, by no commit. */
      takenBack: z.boolean(),
      /** So it was when ralph last accepted the task file. */
      wasTakenBack: z.boolean(),
    }),
  ),
});
export type ReconcileFacts = z.infer<typeof ReconcileFacts>;

export const ReconcileStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mark'), taskId: z.string(), status: z.enum(['done', 'blocked', 'open']) }),
  z.object({ kind: z.literal('unblock'), taskId: z.string() }),
  /** The task file as it is now becomes the accepted one. */
  z.object({
    kind: z.literal('accept'),
    /** Done tasks whose mark you removed. */
    reopened: z.array(z.string()),
    /** Tasks whose mark was taken back and isn't written again. */
    takenBack: z.array(z.string()),
  }),
]);
export type ReconcileStep = z.infer<typeof ReconcileStep>;

/** One reconciliation: what was seen and what was done about it. */
export const Reconciliation = z.object({ facts: ReconcileFacts, steps: z.array(ReconcileStep) });
export type Reconciliation = z.infer<typeof Reconciliation>;

/** How an agent of the run stands. */
export const AgentAvailability = z.object({
  name: z.string(),
  /** Why it is suspended. */
  suspended: z.nullable(z.string()),
  unavailable: z.nullable(Unavailable),
  /** When an attempt began that tries whether it works again; absent: none does. ISO 8601 UTC. */
  tried: z.optional(z.string()),
});
export type AgentAvailability = z.infer<typeof AgentAvailability>;

/** What the choice between the agents goes by (`decide/choice/available-agent.ts`). */
export const AgentFacts = z.object({
  /** The agent of the run and those that stand in for it, in their order; at least one. */
  agents: z.array(AgentAvailability),
  /** ISO 8601 UTC. */
  now: z.string(),
  maxWaitSeconds: z.number(),
  /** From then on no attempt is begun (`--until`); ISO 8601 UTC, `null`: whenever. */
  runUntil: z.nullable(z.string()),
});
export type AgentFacts = z.infer<typeof AgentFacts>;

/** Why the loop waits: which agent it waits for, what for, and until when (ISO 8601 UTC). */
export const Wait = z.object({ agent: z.string(), cause: z.enum(UNAVAILABLE_KINDS), until: z.string() });
export type Wait = z.infer<typeof Wait>;

/** A task that waits for another one to end; `paths`: both may change these, none: one of them has to work alone. */
export const Held = z.object({ id: z.string(), by: z.string(), paths: z.array(z.string()) });
export type Held = z.infer<typeof Held>;

/** What was seen when the loop chose between a task and its end (`decide/choice/choose-next.ts`). */
export const ChoiceFacts = z.object({
  /** Number of the newest journal record of the state that was seen. */
  seq: z.number(),
  /** File name of the list of tasks in the run's folder. */
  tasks: z.string(),
  /** Tasks whose status is another one than in that list. */
  statuses: z.array(z.object({ id: z.string(), status: TaskStatus })),
  /** The tasks asked for, `null`: all; where none of them can start, what is known of them. */
  only: z.nullable(z.array(z.string())),
  asked: z.array(z.object({ id: z.string(), state: TaskState })),
  /** The tasks to be retried (`ralph retry-blocked`), with the attempts that each has left; `null`: all tasks. */
  among: z.nullable(z.array(z.object({ id: z.string(), attemptsLeft: z.number() }))),
  /** What was unblocked without being asked since the last choice. */
  autoUnblocked: z.array(AutoUnblock),
  /** How the agents of the run stand. */
  availability: AgentFacts,
  /** What was waited for since the last choice that was not a wait, and what that followed from. */
  waits: z.array(z.object({ facts: AgentFacts, wait: Wait })),
  /** Checkpoints that were taken since the last choice, and what that followed from. */
  checkpoints: z.array(z.object({ facts: PolicyFacts, due: z.enum(['tasks', 'time']) })),
  /** What was reconciled since the last choice; where there was nothing to do it is left out. */
  reconciled: z.array(Reconciliation),
  /** The newest incident that no run may pass before you resolved it. */
  incident: z.nullable(z.string()),
  /** Gates that are down, and the tasks that need them; `null`: none is. */
  outage: z._default(z.nullable(z.extend(GateOutage, { needing: z.array(z.string()) })), null),
  /** Tasks of which finished work waits to be judged again, as a gate was down, with the agent that did it. */
  finished: z._default(z.array(z.object({ id: z.string(), agent: z.string() })), []),
  /** Tasks whose verified results wait for you to let them land. */
  results: z._default(z.array(z.string()), []),
  /** Open incidents at which one task waits. */
  waiting: z.array(z.string()),
  signal: z.nullable(StopSignalName),
  /** What you asked of the run from another terminal. */
  control: RunControl,
  /** Iterations of this run so far, without those that a cause outside of the work ended. */
  iterations: z.number(),
  maxIterations: z.number(),
  idleIterations: z.number(),
  noProgressLimit: z.number(),
  policy: PolicyFacts,
  /** Tasks that you want to go before all others, the first one first. */
  first: z._default(z.array(z.string()), []),
  /** Workers that could start a task now. */
  freeWorkers: z._default(z.number(), 1),
  workers: z._default(
    z.object({
      /** Tasks that other workers are at. */
      working: z.array(z.string()),
      /** Tasks that don't start beside one of those. */
      held: z.array(Held),
    }),
    { working: [], held: [] },
  ),
});
export type ChoiceFacts = z.infer<typeof ChoiceFacts>;

/** The tasks that a choice went by, from the list on disk. */
export function listedTasks({ tasks }: TaskListDocument, statuses: ChoiceFacts['statuses']): readonly Task[] {
  const changed = new Map(statuses.map(({ id, status }) => [id, status]));
  return tasks.map((task) => ({ ...EMPTY_TASK, ...task, status: changed.get(task.id) ?? task.status }));
}
