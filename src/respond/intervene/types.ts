import type { InterventionSettings } from '../../domain/config.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type {
  Assessment,
  Intervention,
  InterventionRecord,
  InterventionType,
  Throttle,
} from '../../domain/intervention.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import type { Score } from '../table.ts';

type Facts =
  | 'task'
  | 'taskState'
  | 'agent'
  | 'iteration'
  | 'endedAt'
  | 'configuredLimits'
  | 'limits'
  | 'resources'
  | 'timeoutSeconds'
  | 'checkpoints'
  | 'effectiveness'
  | 'handled'
  | 'observed'
  | 'changes'
  | 'doneTitles';

export type InterventionInput = Readonly<Pick<IterationFacts, Facts>> & {
  readonly settings: InterventionSettings;
  /** Your templates for soft corrections, by issue. */
  readonly texts: Readonly<Record<string, string>>;
  readonly findings: readonly Finding[];
  /**
   * State of the task after the attempt. `blocked`: only rollback and stop are possible; `done`: only critical findings
   * are answered.
   */
  readonly taskAfter: 'open' | 'blocked' | 'done';
  /** Whether the attempt changed files in a way that may be good. */
  readonly progressed: boolean;
  /** Whether the attempt failed, so that a finding which corrections don't cure leads to a recovery. */
  readonly recovers: boolean;
};

export type Rung = {
  readonly type: InterventionType;
  /** Reason for the step, as the end of a sentence. */
  readonly why: string;
};

export type Choice = Rung & {
  readonly finding: Finding;
  readonly score: Score;
  /** Whether the step is stricter than the one before, which didn't help. */
  readonly escalated: boolean;
  readonly tooSoon: boolean;
  /** Text by a handler; `null`: the built-in text is used. */
  readonly text: string | null;
};

export type InterventionDecision = {
  readonly interventions: readonly Intervention[];
  /** Interventions that were due but came too soon. They count as carried out. */
  readonly leftOut: readonly InterventionRecord[];
  readonly assessed: readonly Assessment[];
  /** Issues around which the next prompt is rebuilt. */
  readonly reinforce: readonly string[];
  /** Lowered limits; `null`: the configured ones. */
  readonly throttle: Throttle | null;
  /** Why the task waits for you: a rollback is due, but no checkpoint is safe. `null`: it doesn't wait. */
  readonly parkedBecause: string | null;
  /** Steps that you can choose from if the task waits, the most likely first. */
  readonly recovery: readonly string[];
  /** Sentence that says that the task's interventions are used up, which blocks the task; `null`: they aren't. */
  readonly limitReached: string | null;
  /** The most severe finding that corrections didn't cure; `null`: none. */
  readonly uncured: Finding | null;
};
