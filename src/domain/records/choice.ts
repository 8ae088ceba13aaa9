import { EMPTY_TASK } from 'ralph-task-lists/task';
import * as z from 'zod/mini';
import { StopSignalName } from '../exit.ts';
import { GateOutage } from '../gate.ts';
import { PolicyFacts } from '../policy.ts';
import { UNAVAILABLE_KINDS, Unavailable } from '../service.ts';
import { Task, TaskStatus } from '../task.ts';
import { AutoUnblock } from './blocked.ts';
import { RunControl } from './run-control.ts';
import { TaskState } from './state.ts';

export const ListedTask = z.pick(Task, {
  id: true,
  title: true,
  status: true,
  priority: true,
  dependsOn: true,
  assignee: true,
  problem: true,
});
export type ListedTask = z.infer<typeof ListedTask>;

/**
 * `runs/RUN/tasks-HASH.json`: the task list. Its file name is the hash of its content, so each version is written once.
 */
export const TaskListDocument = z.looseObject({
  $schema: z.literal('ralph.tasks.v1'),
  tasks: z.array(ListedTask),
});
export type TaskListDocument = z.infer<typeof TaskListDocument>;

/** Facts for comparing the task file with the journal (`loop/reconcile-tracker.ts`). */
export const ReconcileFacts = z.object({
  /** SHA-256 of the current task file. `accepted`: SHA-256 when ralph last wrote or accepted the file. */
  sha256: z.string(),
  accepted: z.nullable(z.string()),
  /** Whether an attempt was running when ralph was killed. Changes since then may be the agent's. */
  cutOff: z.boolean(),
  holdsBlocked: z.boolean(),
  /** Whether the marks of done tasks are committed at the end of a run. */
  commitsMarks: z.boolean(),
  /** Tasks that only ralph has as done or blocked, and tasks with a mark that no longer applies. */
  tasks: z.array(
    z.object({
      id: z.string(),
      done: z.boolean(),
      blocked: z.boolean(),
      /** Whether the task was unblocked or reopened, but still has its earlier mark. */
      staleMark: z.boolean(),
      /** Whether the mark is again as in HEAD, without a commit that changed it. */
      takenBack: z.boolean(),
      /** Whether the mark was already gone when ralph last accepted the task file. */
      wasTakenBack: z.boolean(),
      /** Whether ralph never wrote the mark to the task file. */
      unmarked: z._default(z.boolean(), false),
    }),
  ),
});
export type ReconcileFacts = z.infer<typeof ReconcileFacts>;

export const ReconcileStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mark'), taskId: z.string(), status: z.enum(['done', 'blocked', 'open']) }),
  z.object({ kind: z.literal('unblock'), taskId: z.string() }),
  /** The current task file is accepted. */
  z.object({
    kind: z.literal('accept'),
    /** Ids of done tasks whose marks you removed, so that they are open again. */
    reopened: z.array(z.string()),
    takenBack: z.array(z.string()),
  }),
]);
export type ReconcileStep = z.infer<typeof ReconcileStep>;

export const Reconciliation = z.object({ facts: ReconcileFacts, steps: z.array(ReconcileStep) });
export type Reconciliation = z.infer<typeof Reconciliation>;

export const AgentAvailability = z.object({
  name: z.string(),
  suspended: z.nullable(z.string()),
  unavailable: z.nullable(Unavailable),
  /** Start of an attempt that finds out whether the agent works again, ISO 8601 UTC; absent: there is none. */
  tried: z.optional(z.string()),
});
export type AgentAvailability = z.infer<typeof AgentAvailability>;

/** Facts for the choice of an agent (`decide/choice/available-agent.ts`). */
export const AgentFacts = z.object({
  /** The run's agent, followed by its substitutes; at least one agent. */
  agents: z.array(AgentAvailability),
  /** ISO 8601 UTC. */
  now: z.string(),
  maxWaitSeconds: z.number(),
  /** No attempt starts after this time (`--until`), ISO 8601 UTC; `null`: no limit. */
  runUntil: z.nullable(z.string()),
});
export type AgentFacts = z.infer<typeof AgentFacts>;

/** A wait of the loop for an agent. `until` is ISO 8601 UTC. */
export const Wait = z.object({ agent: z.string(), cause: z.enum(UNAVAILABLE_KINDS), until: z.string() });
export type Wait = z.infer<typeof Wait>;

/**
 * A task that waits until task `by` has ended. `paths`: files that both may change; empty: one of the two has to run
 * alone.
 */
export const Held = z.object({ id: z.string(), by: z.string(), paths: z.array(z.string()) });
export type Held = z.infer<typeof Held>;

/** Facts for choosing a task or ending the run (`decide/choice/choose-next.ts`). */
export const ChoiceFacts = z.object({
  /** Number of the newest journal record that the facts include. */
  seq: z.number(),
  tasks: z.string(),
  /** Tasks with another status than in `tasks-HASH.json`. */
  statuses: z.array(z.object({ id: z.string(), status: TaskStatus })),
  /** Ids of the requested tasks; `null`: all tasks. `asked`: their states, if none of them can start. */
  only: z.nullable(z.array(z.string())),
  asked: z.array(z.object({ id: z.string(), state: TaskState })),
  /** Tasks of `ralph retry-blocked` with their remaining attempts; `null`: all tasks. */
  among: z.nullable(z.array(z.object({ id: z.string(), attemptsLeft: z.number() }))),
  /** Automatic unblocks since the last choice. */
  autoUnblocked: z.array(AutoUnblock),
  availability: AgentFacts,
  /** Waits since the last choice that chose something else than to wait, with their facts. */
  waits: z.array(z.object({ facts: AgentFacts, wait: Wait })),
  checkpoints: z.array(z.object({ facts: PolicyFacts, due: z.enum(['tasks', 'time']) })),
  /** Reconciliations since the last choice, except those without steps. */
  reconciled: z.array(Reconciliation),
  /** Id of the newest incident that pauses all runs until you resolve it; `null`: none. */
  incident: z.nullable(z.string()),
  /** Gates that are down. `needing`: tasks that need them. `null`: no gate is down. */
  outage: z._default(z.nullable(z.extend(GateOutage, { needing: z.array(z.string()) })), null),
  /** Tasks and their agents whose finished work gets a new verdict once a gate is no longer down. */
  finished: z._default(z.array(z.object({ id: z.string(), agent: z.string() })), []),
  /** Ids of tasks whose verified results wait for you. */
  results: z._default(z.array(z.string()), []),
  waiting: z.array(z.string()),
  signal: z.nullable(StopSignalName),
  control: RunControl,
  /** Number of iterations of this run, without those ended by a cause outside the work. */
  iterations: z.number(),
  maxIterations: z.number(),
  idleIterations: z.number(),
  noProgressLimit: z.number(),
  policy: PolicyFacts,
  /** Ids of tasks that you put first, in order. */
  first: z._default(z.array(z.string()), []),
  freeWorkers: z._default(z.number(), 1),
  workers: z._default(
    z.object({
      working: z.array(z.string()),
      held: z.array(Held),
    }),
    { working: [], held: [] },
  ),
});
export type ChoiceFacts = z.infer<typeof ChoiceFacts>;

/** Returns the tasks of a choice: the list on disk, with the statuses that changed since. */
export function listedTasks({ tasks }: TaskListDocument, statuses: ChoiceFacts['statuses']): readonly Task[] {
  const changed = new Map(statuses.map(({ id, status }) => [id, status]));
  return tasks.map((task) => ({ ...EMPTY_TASK, ...task, status: changed.get(task.id) ?? task.status }));
}
