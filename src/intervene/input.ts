import type { Finding } from '../domain/finding.ts';
import type {
  Assessment,
  Intervention,
  InterventionCell,
  KnownCheckpoint,
  Limits,
  Resources,
  Throttle,
} from '../domain/intervention.ts';
import type { HandlerOutcome, InterventionSettings } from '../domain/intervention-settings.ts';
import type { Observed } from '../domain/observed.ts';
import type { TaskState } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';

/** Everything that the controller goes by. */
export type ControlInput = {
  /** Of this iteration. */
  readonly findings: readonly Finding[];
  readonly task: Task;
  /** Before this iteration. */
  readonly taskState: TaskState;
  readonly agent: string;
  readonly iteration: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly settings: InterventionSettings;
  /**
   * `open`: there will be a next attempt; `blocked`: there will be none, and only rollback and stop act; `done`: the
   * task is verified, and only critical findings act.
   */
  readonly standing: 'open' | 'blocked' | 'done';
  /** Limits of the configuration, and those in force in this attempt. */
  readonly configured: Limits;
  readonly limits: Limits;
  readonly resources: Resources;
  readonly timeoutSeconds: number;
  /** Oldest first; only such as can be gone back to without undoing verified tasks or a person's work. */
  readonly checkpoints: readonly KnownCheckpoint[];
  readonly effectiveness: readonly InterventionCell[];
  /** Before this iteration. */
  readonly runInterventions: number;
  /** Answers of a person's modules; the issue is `strategy` for the custom strategy's. */
  readonly handled: readonly HandlerOutcome[];
  /** Soft corrections that already reached the running agent in this attempt. */
  readonly corrections: Observed['corrections'];
  readonly progress: { readonly changedPaths: readonly string[]; readonly doneTitles: readonly string[] };
};

export type ControlDecision = {
  readonly interventions: readonly Intervention[];
  /** What became of earlier ones. */
  readonly assessed: readonly Assessment[];
  /** Issues by which the next prompt is rebuilt. */
  readonly reinforce: readonly string[];
  /** Limits of the coming attempts; `null`: the configuration's. */
  readonly throttle: Throttle | null;
  /** Why a person has to take over: a rollback is called for and there is nothing safe to go back to. */
  readonly parkedBecause: string | null;
  /** One sentence: the task's interventions are used up, so it is to be blocked. */
  readonly limitReached: string | null;
};
