import {
  type Assessment,
  actionKey,
  assess,
  describeAction,
  type Goal,
  gravity,
  leftAfter,
  madeAfter,
  NO_HISTORY,
  openCache,
  type ReviewHistory,
  type Rule,
  reviewRecord,
  stillLeft,
  watchedPlace,
  withAction,
  withResult,
} from 'ralph-actions/review';
import type { Action } from 'ralph-kit/actions/action';
import type { FailedRule } from 'ralph-kit/actions/review';
import {
  type LeftBehind,
  NOTHING_MADE,
  type ReviewPlace,
  type Ruling,
  type RunPlace,
  type TrustedGit,
} from 'ralph-kit/actions/review';
import { countReview, NO_REVIEWS, type ReviewRecord } from 'ralph-kit/actions/review-record';
import type { ReviewSettings } from 'ralph-kit/actions/settings';
import { redact } from 'ralph-kit/redact';
import { onOneLine, shortened } from 'ralph-kit/text';
import type { Clock } from '../../domain/ports.ts';
import { type HookAbilities, inForce, type ReviewFacts } from '../../domain/review.ts';
import { warmUp } from './warm-up.ts';

const BLOCKED_KEPT = 50;
/** Maximum number of characters of a command that can't be slow to review by itself. */
const SHORT = 1000;
const FAILED_KEPT = 20;
/** Maximum number of characters of a failed rule's error. */
const LONGEST_ERROR = 300;

export type ReviewerOptions = {
  readonly agent: string;
  readonly iteration: number;
  readonly taskId: string;
  readonly place: RunPlace;
  readonly settings: ReviewSettings;
  readonly rules: readonly Rule[];
  readonly goal: Goal | null;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs' | 'processorMs'>;
  readonly hide: (text: string) => string;
  /** Start of the attempt, in milliseconds since 1970. */
  readonly beganAt: number;
  readonly left: readonly LeftBehind[];
  /** Knowledge about trusted git settings, shared by the attempts of a run; `null`: there is no run. */
  readonly trustedGit: TrustedGit | null;
  /** Called for each action that would be allowed. Returns false if the limit of operations is reached. */
  readonly within: (action: Action) => boolean;
  /** Called for each judged action before it is answered. An exception denies the action. */
  readonly onReview: (record: ReviewRecord, action: Action) => void;
};

export type Reviewer = {
  readonly warmUp: () => void;
  /**
   * Judges an action, counts it and records it.
   * @param instead Ruling that replaces the review's own.
   */
  readonly judge: (
    action: Action,
    can: HookAbilities,
    mode: ReviewRecord['mode'],
    instead?: Ruling,
  ) => Ruling;
  /** Returns the current ruling without counting or recording it. */
  readonly preview: (action: Action, can: HookAbilities) => Ruling;
  readonly onEnd: (action: Action, ok: boolean) => void;
  readonly counted: () => Pick<
    ReviewFacts,
    'numbers' | 'allowed' | 'denied' | 'harmless' | 'blocked' | 'failedRules' | 'left'
  >;
};

/** Milliseconds of wall time that a review may take. */
const LATE_MS = 2000;

/** Crossing the limit ends the attempt, so the refused action doesn't count as denied. */
const OVER_THE_LIMIT: Ruling = {
  decision: 'deny',
  rule: 'limit_file_operations',
  reason: 'The limit of file operations of this attempt is reached, and the attempt ends here.',
};

export function openReviewer(options: ReviewerOptions, unseenInput: boolean): Reviewer {
  const { settings, rules, goal, clock, agent, iteration, hide } = options;
  const cache = openCache(settings.cache);
  const tally = openTally();
  let place = placeAtBegin(options, unseenInput);
  let history: ReviewHistory = NO_HISTORY;
  let number = 0;

  function assessed(action: Action, begin: number): { assessment: Assessment; hit: boolean } {
    const known = cache.find(action, begin);
    const { place: watched, asked } = watchedPlace(place, action);
    const context = { settings, rules, goal, history };
    // A review is late by its processor time, which a busy machine doesn't use up. The wall clock only catches reviews
    // that hang.
    const lateFrom = (from: number) => {
      const used = clock.processorMs();
      return () =>
        clock.processorMs() - used > settings.performance.max_review_time_ms ||
        clock.monotonicMs() - from > LATE_MS;
    };
    const first = assess(action, watched, context, { known, isLate: lateFrom(begin) });
    // A short command that was late is reviewed again: only a command that is slow by itself is late twice.
    const again = (action.command?.length ?? 0) <= SHORT && isLate(first.ruling);
    const assessment = again
      ? assess(action, watched, context, { isLate: lateFrom(clock.monotonicMs()) })
      : first;
    if (known === null && !asked() && assessment.analysis.failed.length === 0)
      cache.keep(action, assessment.analysis, begin);
    return { assessment, hit: known !== null };
  }

  const start = place;
  const context = { settings, rules, goal, history: NO_HISTORY };
  return {
    warmUp: () => warmUp((command) => assess(commandAction(command), start, context)),
    preview: (action, can) => inForce(assessed(action, clock.monotonicMs()).assessment.ruling, can),
    judge: (action, can, mode, instead) => {
      const begin = clock.monotonicMs();
      const { assessment: own, hit } = assessed(action, begin);
      const assessment = instead === undefined ? own : { ...own, ruling: instead };
      const ruling = inForce(assessment.ruling, can);
      const isOver = ruling.decision !== 'deny' && !options.within(action);
      const answer = isOver ? OVER_THE_LIMIT : ruling;
      const blocked = answer.decision === 'deny';
      const { signature, analysis } = assessment;
      const entry = { action, key: actionKey(action), signature, blocked, gates: goal?.gates ?? [] };
      history = withAction(history, entry);
      if (!blocked) place = { ...place, made: madeAfter(analysis.effects, place) };
      if (options.trustedGit !== null) options.trustedGit.git = place.made.git;
      number += 1;
      const duration_us = Math.round((clock.monotonicMs() - begin) * 1000);
      const record = reviewRecord(
        {
          id: `R-${iteration}-${number}`,
          at: clock.now(),
          iteration,
          task_id: options.taskId,
          agent,
          mode,
          action,
          answer,
          duration_us,
          cache_hit: hit,
        },
        isOver ? { ...assessment, ruling: OVER_THE_LIMIT } : assessment,
        hide,
      );
      tally.add(record, action, answer, assessment, isOver);
      options.onReview(record, action);
      return answer;
    },
    onEnd: (action, ok) => {
      history = withResult(history, actionKey(action), ok);
    },
    counted: () => ({
      ...tally.counted(),
      left: leftAfter(place.made, options.left, options.place, options.beganAt),
    }),
  };
}

function commandAction(command: string): Action {
  const rest = { id: null, paths: [], content: [], network: null, cwd: null, input: { command } };
  return { kind: 'system_command', tool: 'Bash', command, ...rest };
}

function placeAtBegin(
  { place, beganAt, left, trustedGit }: ReviewerOptions,
  unseenInput: boolean,
): ReviewPlace {
  const paths = stillLeft(left, place).map(({ path }) => path);
  const existed = (path: string) => (place.bornAt(path) ?? beganAt) < beganAt;
  const writtenText = (path: string) => place.textSince(path, beganAt);
  return { ...place, unseenInput, existed, writtenText, made: { ...NOTHING_MADE, ...trustedGit, paths } };
}

function isLate(ruling: Ruling): boolean {
  return ruling.decision === 'deny' && ruling.rule === 'too_late';
}

function openTally() {
  let numbers = NO_REVIEWS;
  const counts = { allowed: 0, denied: 0, harmless: 0 };
  const blocked: ReviewFacts['blocked'] = [];
  const failed = new Map<string, FailedRule>();
  return {
    add: (record: ReviewRecord, action: Action, answer: Ruling, assessment: Assessment, isOver: boolean) => {
      numbers = countReview(numbers, record);
      for (const { rule, error } of assessment.analysis.failed)
        if (!failed.has(rule) && failed.size < FAILED_KEPT)
          failed.set(rule, { rule, error: shortened(onOneLine(redact(error, [])), LONGEST_ERROR) });
      if (isOver) return;
      if (answer.decision !== 'deny') counts.allowed += 1;
      else if (answer.harmless) counts.harmless += 1;
      else {
        counts.denied += 1;
        const { rule, reason } = answer;
        const refused = { tool: action.tool, action: describeAction(action), rule, reason };
        if (blocked.length < BLOCKED_KEPT) blocked.push({ ...refused, severity: gravity(assessment) });
      }
    },
    counted: () => ({ numbers, ...counts, blocked, failedRules: [...failed.values()] }),
  };
}
