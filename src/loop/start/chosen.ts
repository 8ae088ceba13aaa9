import type { Outlook } from '../../decide/index.ts';
import type { AgentAdapter } from '../../domain/agent.ts';
import type { ChoiceFacts } from '../../domain/records/choice.ts';
import type { IterationDecisions } from '../../domain/records/iteration.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import type { Task } from '../../domain/task.ts';
import type { LoadedTracker } from '../context.ts';
import type { RunDocuments } from '../run-documents.ts';
import type { PlannedReview } from '../watch/review-session.ts';

/** What an iteration begins with. */
export type Chosen = {
  readonly task: Task;
  /** Why this one. */
  readonly why: string;
  /** Of the agent that works at it. */
  readonly adapter: AgentAdapter;
  /** How its actions are reviewed. */
  readonly review: PlannedReview;
  /** How those of the other roles are. */
  readonly reviewOf: (adapter: AgentAdapter) => PlannedReview;
  readonly choice: ChoiceFacts;
  readonly tracker: LoadedTracker;
  /** All tasks with overlaid status. */
  readonly tasks: readonly Task[];
  readonly documents: RunDocuments;
  readonly outlook: Outlook;
  /** The agent that worked before this one, and why it doesn't any more; `null`: the same one did. */
  readonly takesOver: { readonly from: string; readonly reason: string } | null;
};

export type IterationOutcome = {
  readonly decisions: IterationDecisions;
  /** Why the agent's hook isn't in force; `null` where it is, or there was none. */
  readonly hookLost: string | null;
  /** How long the agent took, and the gates with all that followed; `null`: others had their turn in between. In milliseconds. */
  readonly took: { readonly agentMs: number; readonly gatesMs: number } | null;
  /** Why the run can't continue; `null`: it can. */
  readonly stop: RunStop | null;
};
