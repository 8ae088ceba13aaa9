import { own } from 'ralph-kit/own';
import type { Config } from '../../domain/config.ts';
import { openRequestsOf } from '../../domain/human/state.ts';
import type { Ports } from '../../domain/ports.ts';
import type { AutoUnblock, StrategyFacts, Suggestion, Unblocking } from '../../domain/records/blocked.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import { allDurations } from '../../domain/records/profile.ts';
import { type AgentProfile, type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { suggestStrategy } from '../../tell/index.ts';
import { classify, levelsOf } from '../timing/index.ts';

export type SuggestOptions = {
  readonly state: State;
  readonly config: Config;
  readonly tracker: string;
  readonly exists: Ports['exists'];
};

export function strategyFacts(task: Task, options: SuggestOptions): StrategyFacts {
  const { state, config, tracker, exists } = options;
  const { blocked, unblocks } = taskStateOf(state, task.id);
  const { level } = classify(task, levelsOf(config.adaptive_timeout));
  const { auto, max_auto_unblock_attempts } = config.unblock;
  const current = blocked?.attempts.at(-1)?.agent ?? null;
  const profiles = Object.values(state.profiles);
  return {
    taskId: task.id,
    tracker,
    acceptance: task.acceptance,
    // A ticked criterion counts as done when deciding what is left, but it proves nothing.
    met: [...new Set([...shownIn(task, state), ...task.ticked])].sort((one, other) => one - other),
    blocked,
    unblocks: unblocks.total,
    reviewAfter: auto ? Math.max(1, max_auto_unblock_attempts) : 1,
    level,
    levelDurationsMs: profiles.flatMap((profile) => allDurations(levelRecord(profile, level))),
    maxTimeoutSeconds: config.adaptive_timeout.max_timeout,
    agents: [...new Set([...configuredAgents(config), ...(current === null ? [] : [current])])].flatMap(
      (name) => {
        const profile = own(state.profiles, name);
        if (profile === undefined || (profile.suspended !== null && name !== current)) return [];
        const { attempts, done } = levelRecord(profile, level) ?? { attempts: 0, done: 0 };
        return [{ name, attempts, done }];
      },
    ),
    log: blocked !== null && exists(iterationPath(blocked)) ? blocked.iteration : null,
  };
}

/** Returns the indexes, from 0, of criteria that the newest recorded attempt showed to be met. */
function shownIn({ id, acceptance }: Task, { runs }: State): number[] {
  const work = runs.flatMap((run) => run.work).findLast(({ taskId }) => taskId === id);
  const shown = new Set(
    work?.criteria.filter(({ standing: status }) => status === 'shown').map(({ text }) => text),
  );
  return acceptance.flatMap((text, at) => (shown.has(text.trim()) ? [at] : []));
}

export function suggestFor(task: Task, options: SuggestOptions): Suggestion {
  return suggestStrategy(strategyFacts(task, options));
}

function levelRecord({ levels }: AgentProfile, level: string) {
  return own(levels, level);
}

function configuredAgents({ loop, modes, runners }: Config): string[] {
  const ofModes = Object.values(modes).flatMap(({ agent }) => agent ?? []);
  return [loop.agent, ...loop.fallback, ...ofModes, ...Object.keys(runners)];
}

type UnblockOptions = {
  /** Tasks as in the task list, before ralph's own statuses are applied. */
  readonly listed: readonly Task[];
  readonly automatic: boolean;
  readonly fresh: boolean;
  readonly continues?: boolean;
  /** Current time, ISO 8601 UTC. */
  readonly now: string;
};

/** Returns whether the task is blocked or waiting, in ralph's state or by a valid mark in the task list. */
export function isBlocked(state: State, listed: readonly Task[], taskId: string): boolean {
  const { blocked, staleMark, parked, decisions } = taskStateOf(state, taskId);
  // A task that waits at a human gate is decided there.
  if (openRequestsOf(state.human, taskId).length > 0) return false;
  const isHeld = blocked !== null || parked || decisions.manual !== null;
  return isHeld || (staleMark !== 'blocked' && hasMark(listed, taskId));
}

function hasMark(listed: readonly Task[], taskId: string): boolean {
  return listed.some(({ id, status }) => id === taskId && status === 'blocked');
}

export function unblockRecords(unblockings: readonly Unblocking[], options: UnblockOptions): JournalBody[] {
  const { listed, automatic, fresh, continues = false, now } = options;
  return unblockings.flatMap(({ taskId, strategy, reason, timeoutSeconds, guidance }): JournalBody[] => [
    {
      type: 'task_unblocked',
      taskId,
      reason,
      timeoutSeconds,
      strategy,
      automatic,
      marked: hasMark(listed, taskId),
      fresh,
      ...(continues ? { continues } : {}),
    },
    ...(guidance === null
      ? []
      : [
          {
            type: 'feedback_added' as const,
            entry: {
              at: now,
              taskId,
              iteration: null,
              kind: 'guidance',
              source: automatic ? ('suggestion' as const) : ('person' as const),
              text: guidance,
            },
          },
        ]),
  ]);
}

/** Returns the unblocking by a suggestion; `null`: you have to do something first, or another agent is needed. */
export function unblockingOf(
  facts: StrategyFacts,
  suggestion: Suggestion,
  agent: string | null,
): Unblocking | null {
  const { strategy, reason, first, timeoutSeconds, guidance } = suggestion;
  const needsAnother = suggestion.agent !== null && suggestion.agent !== agent;
  if (first !== null || needsAnother) return null;
  return { taskId: facts.taskId, strategy, reason, timeoutSeconds, guidance };
}

/**
 * Returns the tasks to unblock automatically. Only more time is tried, at most `limit` times until a task is done,
 * because prompts already have all other advice.
 */
export function planAutoUnblock({ limit, candidates }: Omit<AutoUnblock, 'unblocked'>): Unblocking[] {
  return candidates.flatMap(({ automatic, facts }) => {
    if (automatic >= limit) return [];
    const suggestion = suggestStrategy(facts);
    if (suggestion.strategy !== 'increase_timeout') return [];
    return unblockingOf(facts, suggestion, null) ?? [];
  });
}
