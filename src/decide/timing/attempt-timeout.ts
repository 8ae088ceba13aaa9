import { percentile } from 'ralph-kit/percentile';
import { adaptationOf } from '../../domain/human/recovery.ts';
import type { TaskState } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import type { Classification } from './classify.ts';
import { type AdaptiveTimeout, DEFAULT_LEVEL, type Level, levelNamed, levelsOf } from './levels.ts';

/** Number of finished attempts, by level and agent, from which on their durations count (docs/ADAPTIVE_TIMEOUT.md). */
export const LEARNED_FROM = 5;
const LEARNED_SHARE = 0.9;
const LEARNED_FACTOR = 1.25;

export type TimeoutFacts = {
  readonly task: Pick<Task, 'timeoutSeconds'>;
  readonly taskState: Pick<TaskState, 'attempts' | 'timeoutSeconds' | 'recovering'>;
  /** Mode of the run. `timeoutSeconds`: `null` if the mode has none. */
  readonly mode: { readonly name: string; readonly timeoutSeconds: number | null };
  readonly classification: Classification;
  readonly settings: AdaptiveTimeout;
  /** Durations of the agent's finished attempts at this level, in milliseconds. */
  readonly durationsMs: readonly number[];
};

export type AttemptTimeout = {
  readonly seconds: number;
  /** Reason such as "540 s = 120 × 3.0 (ui_heavy: 'Dashboard') × 1.5^1", or "8 s (set in the task)". */
  readonly reason: string;
  readonly level: string;
  /** Why you should check this time limit, which is used all the same; `null`: there is no reason to. */
  readonly warning: string | null;
  /** Bound that changed the limit; `null`: none did. */
  readonly capped: 'min' | 'max' | null;
};

export function previousTimeouts({ attempts }: Pick<TaskState, 'attempts'>): number {
  return attempts.filter(({ verdict }) => verdict === 'timed_out').length;
}

/**
 * Returns the time limit of the coming attempt (docs/ADAPTIVE_TIMEOUT.md). Your own timeout, from the unblock or
 * the task, is used as it is. Otherwise it is mode × level × a factor for earlier timeouts, at least as long as
 * attempts at the level took, between `min_timeout` and `max_timeout`.
 */
export function attemptTimeout(facts: TimeoutFacts): AttemptTimeout {
  const { task, taskState, mode, classification, settings } = facts;
  const { level } = classification;
  if (taskState.timeoutSeconds != null) {
    return given(taskState.timeoutSeconds, 'set when the task was unblocked', level, settings);
  }
  if (task.timeoutSeconds !== null) return given(task.timeoutSeconds, 'set in the task', level, settings);
  if (!settings.enabled) return fixed(mode, level, settings);
  return adapted(facts);
}

function given(seconds: number, whose: string, level: string, settings: AdaptiveTimeout): AttemptTimeout {
  const above = seconds > settings.max_timeout;
  const limit = figure(settings.max_timeout);
  return {
    seconds,
    reason: `${figure(seconds)} s (${whose})`,
    level,
    warning: above
      ? `The timeout of ${figure(seconds)} s (${whose}) is above max_timeout (${limit} s); it is used anyway.`
      : null,
    capped: null,
  };
}

/** Returns the time limit with `enabled = false`: without adapting and without bounds. */
function fixed(mode: TimeoutFacts['mode'], level: string, settings: AdaptiveTimeout): AttemptTimeout {
  const base = levelNamed(levelsOf(settings), DEFAULT_LEVEL);
  const seconds = mode.timeoutSeconds ?? base.baseSeconds;
  const whose =
    mode.timeoutSeconds === null
      ? `base of ${base.name}: mode ${mode.name} has no timeout`
      : `mode ${mode.name}`;
  return { seconds, reason: `${figure(seconds)} s (${whose})`, level, warning: null, capped: null };
}

function adapted({ taskState, mode, classification, settings, durationsMs }: TimeoutFacts): AttemptTimeout {
  const levels = levelsOf(settings);
  const level = levelNamed(levels, classification.level);
  const base = mode.timeoutSeconds ?? level.baseSeconds;
  const multiplier = settings.complexity_scaling ? level.multiplier : 1;
  const timeouts = settings.failure_scaling ? previousTimeouts(taskState) : 0;
  const factor = settings.timeout_multiplier_per_failure;
  const recovery = adaptationOf(taskState.recovering)?.timeoutFactor ?? 1;
  const scaled = base === 0 ? 0 : base * multiplier * factor ** timeouts * recovery;
  const learned = settings.learned ? learnedSeconds(durationsMs) : null;
  const wanted = Math.max(scaled, learned ?? 0);
  const seconds = toMilliseconds(Math.min(Math.max(wanted, settings.min_timeout), settings.max_timeout));
  const capped = wanted > settings.max_timeout ? 'max' : wanted < settings.min_timeout ? 'min' : null;
  const terms = [
    mode.timeoutSeconds === null ? `${figure(base)} (base of ${level.name})` : figure(base),
    ...(settings.complexity_scaling
      ? [`${decimal(multiplier)} (${whyLevel(levels, level, classification)})`]
      : []),
    ...(timeouts > 0 ? [`${decimal(factor)}^${timeouts}`] : []),
    ...(recovery > 1 ? [`${decimal(recovery)} (${taskState.recovering?.id})`] : []),
  ];
  const reason = [
    `${figure(seconds)} s = ${terms.length === 1 ? `${terms[0]} (mode ${mode.name})` : terms.join(' × ')}`,
    ...(learned !== null && learned > scaled
      ? [`at least 90th percentile of ${durationsMs.length} attempts × ${LEARNED_FACTOR}`]
      : []),
    ...(capped === 'max' ? ['at most max_timeout'] : []),
    ...(capped === 'min' ? ['at least min_timeout'] : []),
  ].join(', ');
  return { seconds, reason, level: level.name, warning: null, capped };
}

/** Returns seconds that were learned from durations; `null`: there are too few. */
function learnedSeconds(durationsMs: readonly number[]): number | null {
  if (durationsMs.length < LEARNED_FROM) return null;
  return ((percentile(durationsMs, LEARNED_SHARE) ?? 0) / 1000) * LEARNED_FACTOR;
}

/** Returns a text such as "ui_heavy: 'Dashboard'", which is shorter than the classification's reason. */
function whyLevel(levels: readonly Level[], level: Level, classification: Classification): string {
  const { level: classified, source, matches, criteria, raised } = classification;
  if (classified !== level.name) return `${level.name}: ${classified} isn't a level`;
  if (source === 'task') return `${level.name}: set in the task`;
  // If the number of criteria raised the level, the word in the text belongs to the level below.
  const spoken = levels[levels.indexOf(level) - (raised ? 1 : 0)]?.name;
  const [first] = matches;
  const other = source === 'default' ? 'default' : 'by its form';
  const why = first?.level === spoken ? `'${first?.word}'` : other;
  return `${level.name}: ${why}${raised ? `, ${criteria} criteria` : ''}`;
}

/** Rounds to milliseconds, because timers aren't finer. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function figure(seconds: number): string {
  return String(toMilliseconds(seconds));
}

/** Returns a number such as "3.0", "1.5" or "1.25". */
function decimal(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
