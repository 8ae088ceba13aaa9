import { counted } from 'ralph-kit/counted';
import { foldError } from 'ralph-kit/fold-error';
import { capitalized } from 'ralph-kit/text';
import { pausingIncident } from '../domain/incident.ts';
import type { Suggestion } from '../domain/records/blocked.ts';
import { openIterations, type State, taskStateOf } from '../domain/records/state.ts';
import type { UnfinishedTask } from '../domain/run-report.ts';
import { leftText, type Task } from '../domain/task.ts';
import { taskCommand, workPlaceOf } from '../domain/work-place.ts';
import { asksQuestion } from './asked.ts';
import { answerCommand, logCommand } from './commands.ts';
import { acceptCommand, waitsForYou } from './next-commands.ts';
import { silentText } from './silent.ts';

/** Why a ticked task isn't done, as the end of a sentence. */
const UNVERIFIED = "ralph hasn't verified it and you haven't committed the tick";

type OpenFacts = {
  /** All tasks of the list with their current status. */
  readonly tasks: readonly Task[];
  readonly state: State;
  /** Command with which work continues (`continueCommand`). */
  readonly continues: string;
  /** Whether a run is active. */
  readonly running: boolean;
  /** Returns a suggestion for a blocked task; `null`: no suggestions are wanted. */
  readonly suggest: ((task: Task) => Suggestion) | null;
};

/** Returns the tasks that aren't done, each with its cause, the place of its work, and the command that helps. */
export function openTasks(facts: OpenFacts): readonly UnfinishedTask[] {
  const { tasks, state } = facts;
  const before = new Map<string, string[]>();
  return tasks
    .filter(({ status }) => status !== 'done')
    .map((task) => {
      const { id, title, status } = task;
      const work = isAtWork(id, facts) ? ({ kind: 'none' } as const) : workPlaceOf(state, id);
      const nothing = { recovery: [], waitsFor: [], failing: null, work };
      const one = { id, title, status, ...nothing, ...reasonOf(task, facts) };
      const key = causeKey(one, asksQuestion(taskStateOf(state, id)));
      const sameAs = key === null ? [] : (before.get(key) ?? []);
      if (key !== null) before.set(key, [...sameAs, id]);
      return { ...one, sameAs };
    });
}

function isAtWork(taskId: string, { running, state }: OpenFacts): boolean {
  return running && openIterations(state).some((one) => one.taskId === taskId);
}

type Reason = Pick<UnfinishedTask, 'group' | 'why' | 'next'> &
  Partial<Pick<UnfinishedTask, 'recovery' | 'waitsFor' | 'failing'>>;

/** Returns why a task isn't done, and the one command that helps. */
function reasonOf(task: Task, facts: OpenFacts): Reason {
  const { tasks, state, continues, suggest } = facts;
  const { id, status } = task;
  const { attempts, blocked, inProgress, recovery } = taskStateOf(state, id);
  const last = attempts.at(-1);
  const explain = taskCommand('explain', id);
  const failing = (blocked?.attempts.at(-1) ?? last)?.failing ?? null;
  const log = last === undefined ? explain : logCommand(last.iteration, failing !== null);
  if (status === 'blocked') {
    const why =
      silentText(blocked?.attempts ?? []) ?? blocked?.detail ?? 'Marked as blocked in the task list.';
    const byHand = asksQuestion({ blocked }) ? answerCommand(id) : log;
    return {
      group: 'you',
      why,
      failing,
      next: suggest?.(task).command ?? (blocked === null ? explain : byHand),
    };
  }
  if (status === 'unverified')
    return {
      group: 'you',
      why: task.left === null ? `Ticked, but ${UNVERIFIED}.` : `${capitalized(leftText(task.left))}.`,
      next: acceptCommand(tasks),
    };
  if (task.problem !== null)
    return {
      group: 'you',
      why: `It can't start until the list is fixed: ${task.problem}`,
      next: 'ralph tasks',
    };
  const waits = waitsForYou(state, task);
  if (waits !== null)
    return { group: 'you', why: waits.why ?? 'It waits for you.', next: waits.command, recovery };
  const stopped = pausingIncident(state);
  if (stopped?.taskId === id)
    return { group: 'you', why: last?.cause ?? stopped.summary, failing, next: continues };
  if (status === 'parked' && task.left !== null)
    return { group: 'you', why: `Left alone: ${leftText(task.left)}.`, next: 'ralph tasks' };
  if (isAtWork(id, facts))
    return {
      group: 'attempted',
      why: 'An attempt is running.',
      next: taskCommand('logs', id, '--follow'),
    };
  const waitsFor = task.dependsOn.filter((other) =>
    tasks.some((one) => one.id === other && one.status !== 'done'),
  );
  const again = triedAgainText(state, id);
  const begun = last !== undefined || inProgress || again !== null;
  if (waitsFor.length > 0) {
    const group = begun ? 'attempted' : 'not_started';
    const words = waitsFor.map((other) => {
      const left = tasks.find((one) => one.id === other && one.status === 'parked')?.left ?? null;
      return left === null ? other : `${other} (${leftText(left)})`;
    });
    return { group, why: `It waits for ${words.join(', ')}.`, next: explain, waitsFor };
  }
  const silent = silentText(attempts);
  if (silent !== null) return { group: 'you', why: silent, next: log };
  // A question that you answered isn't a reason any more.
  if (last?.verdict === 'agent_blocked' || last?.verdict === 'already_done')
    return { group: 'attempted', why: 'You answered; its next attempt continues.', next: continues };
  if (last !== undefined) {
    const why = failing === null ? last.cause : `${counted(attempts.length, 'attempt')} so far.`;
    return { group: 'attempted', why, failing, next: log };
  }
  if (inProgress) return { group: 'attempted', why: 'Started, and cut off before its end.', next: continues };
  if (again !== null) return { group: 'attempted', why: again, next: continues };
  return { group: 'not_started', why: 'Not started.', next: continues };
}

/** Returns why a task without attempts in its current series isn't a new one; `null`: it was never started. */
function triedAgainText(state: State, id: string): string | null {
  const { history, replacedAt } = taskStateOf(state, id);
  const count = history.reduce((sum, { attempts }) => sum + attempts.length, 0);
  if (count > 0) return `${counted(count, 'earlier attempt')}; it will be tried again.`;
  const isItsOwn = (at: string) => replacedAt === null || at > replacedAt;
  const worked = state.runs.some(
    (run) => isItsOwn(run.activeAt) && run.work.some(({ taskId }) => taskId === id),
  );
  return worked ? 'Reopened; it will be tried again.' : null;
}

/**
 * Returns a key that is equal for tasks with the same error and the same next step, except for paths and numbers in
 * them; `null`: the cause is the task's own.
 */
function causeKey(
  { id, status, group, why, failing, next }: Omit<UnfinishedTask, 'sameAs'>,
  isQuestion: boolean,
): string | null {
  if (status === 'unverified') return status;
  if (status !== 'blocked' && group !== 'attempted') return null;
  if (isQuestion) return `${status} ${why}`;
  if (failing === null && status !== 'blocked') return null;
  const error = failing?.lines.find((line) => !line.startsWith('failing: ')) ?? failing?.lines[0];
  const folded = foldError(error ?? why);
  // Without an output, each task's command is shown: the same step for all of them.
  const step = failing === null ? foldError(next.replaceAll(id, '')) : failing.gate;
  return folded === '' ? null : `${group} ${step} ${folded}`;
}
