import type { AgentAdapter } from 'ralph-agents/protocol';
import type { ChoiceFacts } from '../../domain/records/choice.ts';
import type { IterationDecisions } from '../../domain/records/iteration.ts';
import type { RunStop } from '../../domain/records/run-record.ts';
import type { Task } from '../../domain/task.ts';
import type { Outlook } from '../../tell/index.ts';
import type { LoadedTracker } from '../context.ts';
import type { RunDocuments } from '../run-documents.ts';
import type { PlannedReview } from '../watch/review-session.ts';

export type Chosen = {
  readonly task: Task;
  readonly why: string;
  readonly adapter: AgentAdapter;
  readonly review: PlannedReview;
  readonly reviewOf: (adapter: AgentAdapter) => PlannedReview;
  readonly choice: ChoiceFacts;
  readonly tracker: LoadedTracker;
  readonly tasks: readonly Task[];
  readonly documents: RunDocuments;
  readonly outlook: Outlook;
  /** The agent before, and why it was replaced; `null`: the agent is the same. */
  readonly takesOver: { readonly from: string; readonly reason: string } | null;
};

export type IterationOutcome = {
  readonly decisions: IterationDecisions;
  /** Why the agent's review hook didn't work; `null`: it did, or the agent has none. */
  readonly hookLost: string | null;
  /**
   * Milliseconds of the agent, and of the gates with everything after them; `null`: unknown, because other workers had
   * turns in between.
   */
  readonly took: { readonly agentMs: number; readonly gatesMs: number } | null;
  /** Why the run can't continue; `null`: it can. */
  readonly stop: RunStop | null;
};
