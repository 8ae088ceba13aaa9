import type { RunEnding } from '../../domain/exit.ts';
import { openRequestsOf } from '../../domain/human/state.ts';
import { openIncidents, waitingIncidents } from '../../domain/incident.ts';
import { isReportedDone, type State, taskStateOf } from '../../domain/records/state.ts';
import type { DoneTask, UnfinishedTask } from '../../domain/run-report.ts';
import type { Task } from '../../domain/task.ts';
import { releaseCommand } from '../../domain/work-place.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { answerCommand } from '../../respond/blocked/index.ts';

/** Tasks that one command names. */
const NAMED = 5;

type Left = {
  readonly doneInRun: readonly DoneTask[];
  readonly unfinished: readonly UnfinishedTask[];
  /** Those of them that wait for you, edits of yours aside. */
  readonly waiting: readonly UnfinishedTask[];
};

/** The commands that help after a run, by how it ended and by what is left now. Each of them has something to do. */
export function nextCommands(ended: RunEnding, left: Left): readonly string[] {
  const { unfinished, waiting, doneInRun } = left;
  const blocked = unfinished.filter(({ status }) => status === 'blocked');
  switch (kindNow(ended, left)) {
    case 'all_done':
      return inspectCommands(doneInRun);
    case 'selected_done':
      return ['ralph run', ...inspectCommands(doneInRun)];
    case 'awaiting_human':
      return [
        ...answerCommands(blocked),
        ...acceptCommands(waiting),
        ...new Set(waiting.filter(({ status }) => status !== 'unverified').map(({ next }) => next)),
      ];
    case 'all_blocked':
      return ['ralph blocked --suggest', ...blockedCommands(blocked)];
    case 'red_tree': {
      const aside = unfinished.find(({ work }) => work.kind === 'kept');
      return ['ralph status', ...(aside === undefined ? [] : [`ralph diff ${shellQuote(aside.id)}`])];
    }
    case 'break':
    case 'budget':
    case 'max_iterations':
    case 'no_progress':
    case 'stopped':
    case 'until_reached':
    case 'interrupted':
    case 'crashed':
      return ['ralph run', 'ralph status'];
    default:
      return ['ralph status'];
  }
}

/** What you did since then counts. */
function kindNow(ended: RunEnding, { unfinished, waiting }: Left): RunEnding {
  if (unfinished.length === 0) return 'all_done';
  if (ended === 'all_blocked' && unfinished.every(({ status }) => status !== 'blocked'))
    return 'max_iterations';
  if (ended === 'awaiting_human' && waiting.length === 0) return 'max_iterations';
  return ended === 'all_done' ? 'max_iterations' : ended;
}

/** `git diff` shows no new file, and `git log` nothing that isn't committed. */
function inspectCommands(done: readonly DoneTask[]): readonly string[] {
  const commits = done.reduce((sum, one) => sum + one.commits.length, 0);
  const uncommitted = done.filter((one) => one.commits.length === 0);
  const [only] = uncommitted;
  // One for each task begins where the one before ended.
  const branch = done.findLast((one) => one.commits.length > 0)?.branch ?? null;
  const commands =
    commits === 0 ? [] : [`git log --stat -${commits}${branch === null ? '' : ` ${shellQuote(branch)}`}`];
  if (only !== undefined)
    commands.push(uncommitted.length === 1 ? `ralph diff ${shellQuote(only.id)}` : 'git status');
  return commands;
}

/** What helps the first of them, and what answers those that ask. */
function blockedCommands(blocked: readonly UnfinishedTask[]): readonly string[] {
  const [first] = blocked;
  const answers = answerCommands(blocked);
  return first === undefined || first.next === answerCommand(first.id) ? answers : [first.next, ...answers];
}

/** What answers the question of an agent, or lists those of several. */
function answerCommands(blocked: readonly UnfinishedTask[]): readonly string[] {
  const [asks, ...others] = blocked.filter(({ id, next }) => next === answerCommand(id));
  if (asks === undefined) return [];
  return [others.length === 0 ? asks.next : 'ralph answer'];
}

/** One command for all that is ticked and not verified. */
function acceptCommands(waiting: readonly UnfinishedTask[]): readonly string[] {
  const ids = waiting.filter(({ status }) => status === 'unverified').map(({ id }) => shellQuote(id));
  if (ids.length === 0) return [];
  return [`ralph tasks accept ${ids.length > NAMED ? '--all' : ids.join(' ')}`];
}

/** Whether what the ending's own commands are about is so still. */
export function stillHolds(
  ending: RunEnding,
  state: Pick<State, 'incidents' | 'policy' | 'profiles'>,
): boolean {
  switch (ending) {
    case 'emergency_stop':
    case 'awaiting_human':
      return openIncidents(state).length > 0;
    case 'budget':
      return state.policy.stop !== null;
    case 'break':
      return (
        state.policy.stop !== null ||
        Object.values(state.profiles).some(({ suspended }) => suspended !== null)
      );
    case 'agent_unavailable':
      return Object.values(state.profiles).some(({ unavailable }) => unavailable !== null);
    default:
      return true;
  }
}

/** What waits for you at a task, why, and the command for it; `null`: nothing. */
export function waitsForYou(
  state: State,
  { id, status }: Pick<Task, 'id' | 'status'>,
): { readonly why: string | null; readonly command: string } | null {
  const { parked, parkedBecause, held } = taskStateOf(state, id);
  if (parked) return { why: parkedBecause, command: decisionCommand(state, id) };
  return held && status === 'parked' ? { why: 'you hold it back', command: releaseCommand(id) } : null;
}

/** The command by which you decide about a task that waits for you. */
export function decisionCommand(state: State, taskId: string): string {
  const incident = waitingIncidents(state).find((one) => one.taskId === taskId);
  if (incident !== undefined) return `ralph resume ${incident.id}`;
  const [request] = openRequestsOf(state.human, taskId);
  if (request !== undefined) return `ralph approvals decide ${request.id}`;
  const task = taskStateOf(state, taskId);
  return `ralph ${isReportedDone(task) ? 'tasks accept' : 'unblock'} ${shellQuote(taskId)}`;
}
