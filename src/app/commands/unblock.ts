import { hostname } from 'node:os';
import { join } from 'node:path';
import { waitingForBlocked } from '../../blocked/index.ts';
import { isBlocked, unblockRecords } from '../../decide/index.ts';
import type { Unblocking } from '../../domain/blocked.ts';
import { StoreError } from '../../domain/ports.ts';
import { systemClock } from '../../io/clock.ts';
import { liveHolder } from '../../io/store/index.ts';
import { formatDuration, parseDuration } from '../../lib/duration.ts';
import { nearest } from '../../lib/nearest.ts';
import { loadTasks, reconcileTracker } from '../../loop/index.ts';
import { taskFinder } from '../../tasks/index.ts';
import { type CommandResult, type Failure, failure, success } from '../result.ts';
import { type ProjectInput, storeFailure, type Workspace } from '../setup/project.ts';
import {
  type BlockedEntry,
  blockedSaid,
  filtered,
  type OpenedBlocked,
  openBlocked,
} from './blocked-tasks.ts';

export type UnblockInput = ProjectInput & {
  /** Ids or 1-based numbers. */
  readonly tasks: readonly string[];
  readonly filter: string | null;
  /** Seconds or a duration, as typed. */
  readonly timeout: string | null;
  readonly timeoutMultiplier: string | null;
  readonly reason: string | null;
};

/** What the history says where the person gave no reason. */
const NO_REASON = 'unblocked by hand';

/** `ralph unblock`: gives blocked and parked tasks a fresh series of attempts. All of them, or none where one cannot be. */
export async function unblock(input: UnblockInput): Promise<CommandResult> {
  const timing = readTiming(input);
  if (!timing.ok) return timing;
  const opened = await openBlocked(input, { parked: true });
  if (!opened.ok) return opened;
  const chosen = choose(opened, input);
  if (!chosen.ok) return chosen;
  const warnings: string[] = [];
  const reason = input.reason?.trim() || NO_REASON;
  const unblockings = chosen.entries.map(({ task, facts }): Unblocking => {
    const timeoutSeconds = timing.timeoutFor(facts.blocked?.attempts ?? []);
    const max = facts.maxTimeoutSeconds;
    if (timeoutSeconds !== null && timeoutSeconds > max) {
      warnings.push(
        `${task.id}: ${said(timeoutSeconds)} is above max_timeout (${said(max)}). It is used as given.`,
      );
    }
    if (timeoutSeconds === null && input.timeoutMultiplier !== null) {
      warnings.push(`${task.id}: no attempt is on record whose timeout could be multiplied.`);
    }
    return { taskId: task.id, strategy: null, reason, timeoutSeconds, guidance: null };
  });
  try {
    const failed = record(opened, unblockings);
    if (failed !== null) return failed;
    const mark = await takeMarksAway(opened, warnings);
    opened.project.store.writeViews();
    return success({
      unblocked: unblockings.map(({ taskId, timeoutSeconds }, index) => ({
        id: taskId,
        title: chosen.entries[index]?.task.title ?? taskId,
        block_reason: chosen.entries[index]?.reason ?? null,
        attempts: chosen.entries[index]?.facts.blocked?.attempts.length ?? 0,
        timeout_seconds: timeoutSeconds,
      })),
      reason,
      mark,
      warnings,
    });
  } catch (error) {
    return storeFailure(error);
  }
}

type Timing = {
  readonly ok: true;
  /** In seconds; `null`: the formula goes on. */
  readonly timeoutFor: (attempts: readonly { readonly timeoutSeconds: number }[]) => number | null;
};

function readTiming({ timeout, timeoutMultiplier }: UnblockInput): Timing | Failure {
  if (timeout !== null && timeoutMultiplier !== null) {
    return failure('--timeout and --timeout-multiplier exclude each other.', 'ralph unblock --help');
  }
  if (timeout !== null) {
    const seconds = parseDuration(timeout);
    if (seconds === null || seconds <= 0 || !Number.isFinite(seconds)) {
      return failure(
        `--timeout ${JSON.stringify(timeout)} is no duration: give seconds (600, 0.5), or for example 90s, 30m, 2h.`,
        'ralph unblock TASK --timeout 30m',
      );
    }
    return { ok: true, timeoutFor: () => seconds };
  }
  if (timeoutMultiplier === null) return { ok: true, timeoutFor: () => null };
  const factor = /^\d+(\.\d+)?$/.test(timeoutMultiplier) ? Number(timeoutMultiplier) : 0;
  if (factor <= 0 || !Number.isFinite(factor)) {
    return failure(
      `--timeout-multiplier ${JSON.stringify(timeoutMultiplier)} is no factor: give a number above 0, for example 3.0.`,
      'ralph unblock --filter ui_heavy --timeout-multiplier 3.0',
    );
  }
  return {
    ok: true,
    timeoutFor: (attempts) => {
      const longest = Math.max(0, ...attempts.map(({ timeoutSeconds }) => timeoutSeconds));
      return longest === 0 ? null : Math.round(longest * factor * 1000) / 1000;
    },
  };
}

function choose(
  opened: OpenedBlocked,
  { tasks: names, filter }: UnblockInput,
): { readonly ok: true; readonly entries: readonly BlockedEntry[] } | Failure {
  const { blocked, tasks } = opened;
  if (filter !== null && names.length > 0) {
    return failure('Name tasks or give a filter, not both.', 'ralph unblock --help');
  }
  if (filter !== null) return filtered(opened, filter);
  if (names.length === 0) {
    return failure(
      `Which task? Name one, or several with --filter. ${blockedSaid(blocked)}`,
      'ralph blocked --suggest',
    );
  }
  const ids = tasks.map(({ id }) => id);
  const find = taskFinder(ids);
  const entries = new Map<string, BlockedEntry>();
  const problems: string[] = [];
  for (const name of names) {
    const id = find(name);
    const entry = blocked.find(({ task }) => task.id === id);
    if (id === null) {
      const near = nearest(name, ids);
      problems.push(`There is no task ${name}.${near === null ? '' : ` Did you mean ${near}?`}`);
    } else if (entry === undefined) problems.push(notBlocked(opened, id));
    else entries.set(id, entry);
  }
  if (problems.length === 0) return { ok: true, entries: [...entries.values()] };
  return failure(
    `${problems.join(' ')} Nothing was changed. ${blockedSaid(blocked)}`,
    'ralph blocked --suggest',
  );
}

function notBlocked({ tasks }: OpenedBlocked, id: string): string {
  const waits = waitingForBlocked(tasks).find((one) => one.id === id);
  if (waits !== undefined) return `${id} is not blocked itself, it waits for ${waits.waitsFor.join(', ')}.`;
  const status = tasks.find((task) => task.id === id)?.status ?? 'open';
  return `${id} is not blocked (it is ${status.replace('_', ' ')}).`;
}

/** In one transaction; another process may have been faster. */
function record({ project, tracker }: OpenedBlocked, unblockings: readonly Unblocking[]): Failure | null {
  const listed = tracker.tasks;
  let gone: readonly string[] = [];
  project.store.commit((state) => {
    gone = unblockings.map(({ taskId }) => taskId).filter((id) => !isBlocked(state, listed, id));
    if (gone.length > 0) return [];
    return unblockRecords(unblockings, { listed, automatic: false, now: systemClock().now() });
  });
  if (gone.length === 0) return null;
  return failure(`${gone.join(', ')}: not blocked any more. Nothing was changed.`, 'ralph blocked');
}

/**
 * Takes the marks out of the task list. While a run goes on that is left to it: what is written into the list while an
 * agent works could not be told from the agent's own changes.
 */
async function takeMarksAway(
  { project, tracker }: OpenedBlocked,
  warnings: string[],
): Promise<'taken_away' | 'left_to_the_run' | 'none'> {
  const { store } = project;
  const marked = tracker.tasks.filter(({ id, status }) => status === 'blocked' && isStale(project, id));
  if (marked.length === 0) return 'none';
  if (tracker.paths.length === 0) {
    warnings.push(`The label stays on ${marked.map(({ id }) => id).join(', ')}; ralph goes by it no more.`);
    return 'none';
  }
  if (liveHolder(join(project.root, '.ralph', 'run.lock'), hostname()) !== null) return 'left_to_the_run';
  try {
    const loaded = await loadTasks({ ports: project });
    if (loaded.ok) await reconcileTracker({ ports: { store, tracker: project.tracker } }, loaded.tracker);
    return loaded.ok ? 'taken_away' : 'left_to_the_run';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    warnings.push(`The mark is still in ${tracker.name}, and counts no more: ${error.message}`);
    return 'left_to_the_run';
  }
}

function isStale({ store }: Workspace, id: string): boolean {
  return Object.hasOwn(store.state.tasks, id) && store.state.tasks[id]?.staleMark === true;
}

function said(seconds: number): string {
  return formatDuration(seconds * 1000);
}
