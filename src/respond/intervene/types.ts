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
  | 'runInterventions'
  | 'handled'
  | 'observed'
  | 'changes'
  | 'doneTitles';

/** The facts of an iteration that interventions are decided by. */
export type InterventionInput = Readonly<Pick<IterationFacts, Facts>> & {
  readonly settings: InterventionSettings;
  /** Your templates for soft corrections, by issue. */
  readonly texts: Readonly<Record<string, string>>;
  /** Of this iteration. */
  readonly findings: readonly Finding[];
  /**
   * `open`: there will be a next attempt; `blocked`: there will be none, and only rollback and stop act; `done`: the
   * task is verified, and only critical findings act.
   */
  readonly taskAfter: 'open' | 'blocked' | 'done';
  /** The attempt changed files, and nothing speaks against them. */
  readonly progressed: boolean;
  /** The attempt failed, and what is not cured leads to a recovery. */
  readonly recovers: boolean;
};

export type Rung = {
  readonly type: InterventionType;
  /** Why this one, as the end of a sentence. */
  readonly why: string;
};

/** The intervention that one finding calls for. */
export type Choice = Rung & {
  readonly finding: Finding;
  readonly score: Score;
  /** Stricter than the one before, as that did not help. */
  readonly escalated: boolean;
  /** The intervention would come too soon after the ones before. */
  readonly tooSoon: boolean;
  /** Text of a handler instead of the built-in one. */
  readonly text: string | null;
};

export type InterventionDecision = {
  readonly interventions: readonly Intervention[];
  /** Interventions that are due and come too soon: they count, and nothing is done. */
  readonly leftOut: readonly InterventionRecord[];
  /** The outcomes of earlier ones. */
  readonly assessed: readonly Assessment[];
  /** Issues by which the next prompt is rebuilt. */
  readonly reinforce: readonly string[];
  /** Limits of the coming attempts; `null`: the configuration's. */
  readonly throttle: Throttle | null;
  /** Why the task waits for you: it calls for a rollback, and there is nothing safe to go back to. */
  readonly parkedBecause: string | null;
  /** What you can do then, the most likely first; else none. */
  readonly recovery: readonly string[];
  /** One sentence: the task's interventions are used up, so it is to be blocked. */
  readonly limitReached: string | null;
  /** The gravest finding that its corrections did not cure; `null`: there is none. */
  readonly uncured: Finding | null;
};
