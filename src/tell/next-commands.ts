import { shellQuote } from 'ralph-kit/shell-quote';
import type { RunEnding } from '../domain/exit.ts';
import { type State, taskStateOf } from '../domain/records/state.ts';
import type { DoneTask, RunReport, UnfinishedTask } from '../domain/run-report.ts';
import type { Task } from '../domain/task.ts';
import { releaseCommand } from '../domain/work-place.ts';
import { askedAbout } from './asked.ts';
import { answerCommand, RUN, unblockCommand } from './commands.ts';

/** Maximum number of tasks in one command. */
const NAMED = 5;
/** Maximum number of commands about tasks that need you. */
const MOST_NEEDS = 3;
/** Length of commit ids in commands, as in the report. */
const SHOWN_CHARS = 10;

export type NextFacts = {
  readonly state: State;
  /** Command with which work continues (`continueCommand`). */
  readonly continues: string;
  readonly running: boolean;
  /** How the newest run ended; `null`: no run has ended, or the newest was killed. */
  readonly ending: { readonly kind: RunEnding; readonly next: readonly string[] | null } | null;
  readonly open: readonly UnfinishedTask[];
  readonly waiting: RunReport['notCommitted'];
  /** Tasks that the newest run finished and whose work is on your branch. */
  readonly done: readonly DoneTask[];
};

/** Returns a few useful commands, the most important first. */
export function nextCommands(facts: NextFacts): readonly string[] {
  const { continues, running, ending, open, waiting, done } = facts;
  if (running) return ['ralph logs --follow'];
  const land = landCommands(waiting);
  const help = ending === null ? null : helpAfter(ending, facts);
  if (help !== null) {
    const blocked = ending?.kind === 'break' ? open.filter(({ status }) => status === 'blocked') : [];
    return [...land, ...blocked.slice(-1).map(({ next }) => next), ...help];
  }
  const needs = [...land, ...needCommands(open)].slice(0, MOST_NEEDS);
  const isLeft = open.some(({ group, waitsFor }) => group !== 'you' && waitsFor.length === 0);
  const commands = [
    ...needs,
    ...(isLeft ? [continues] : []),
    ...(needs.length === 0 ? inspectCommands(done) : []),
  ];
  return commands.length === 0 ? ['ralph tasks'] : commands;
}

/** Returns the command that lands waiting results; empty: none waits. */
function landCommands(waiting: RunReport['notCommitted']): readonly string[] {
  const [command, ...others] = new Set(waiting.map(({ next }) => next));
  return command === undefined ? [] : [others.length === 0 ? command : 'ralph land'];
}

/** Returns commands for what needs you: decisions, questions of agents, then one command for all blocked tasks. */
function needCommands(open: readonly UnfinishedTask[]): readonly string[] {
  const you = open.filter(({ group }) => group === 'you');
  const asks = you.filter(({ id, next }) => next === answerCommand(id));
  const blocked = you.filter((one) => one.status === 'blocked' && !asks.includes(one));
  const others = you.filter(({ status }) => status !== 'blocked');
  const [only] = blocked;
  return [
    ...new Set(others.map(({ next }) => next)),
    ...(asks.length > 1 ? ['ralph answer'] : asks.map(({ next }) => next)),
    ...(only === undefined ? [] : [blocked.length === 1 ? only.next : 'ralph blocked --suggest']),
  ];
}

/** Returns commands that show the work. `git diff` leaves out new files, and `git log` leaves out uncommitted ones. */
function inspectCommands(done: readonly DoneTask[]): readonly string[] {
  const commits = done.flatMap((one) => one.commits).map((id) => id.slice(0, SHOWN_CHARS));
  const uncommitted = done.filter((one) => one.commits.length === 0);
  const [only] = uncommitted;
  // Each by its id: a range would show commits of others and those of the marks, and no parent of the first commit.
  const commands = commits.length === 0 ? [] : [`git show --stat ${commits.join(' ')}`];
  if (only !== undefined)
    commands.push(uncommitted.length === 1 ? `ralph diff ${shellQuote(only.id)}` : 'git status');
  return commands;
}

export function acceptCommand(tasks: readonly Pick<Task, 'id' | 'status'>[]): string {
  const ids = tasks.filter(({ status }) => status === 'unverified').map(({ id }) => id);
  if (ids.length > NAMED) return 'ralph tasks accept --all';
  return [
    'ralph tasks accept',
    ...(ids.some((id) => id.startsWith('-')) ? ['--'] : []),
    ...ids.map((id) => shellQuote(id)),
  ].join(' ');
}

/** Returns commands against what ended the newest run; `null`: its cause is gone, or the usual commands help. */
function helpAfter(
  { kind, next }: NonNullable<NextFacts['ending']>,
  { state, continues }: NextFacts,
): readonly string[] | null {
  const profiles = Object.values(state.profiles);
  const stopped = continues === RUN ? null : [continues];
  switch (kind) {
    case 'emergency_stop':
    case 'budget':
      return stopped;
    case 'break':
      if (next === null) return stopped;
      return profiles.some(({ suspended }) => suspended !== null) ? next : null;
    case 'agent_unavailable':
      return profiles.some(({ unavailable }) => unavailable !== null) ? next : null;
    default:
      return next;
  }
}

/** Returns what a task waits for you to decide, with the command; `null`: it doesn't wait for you. */
export function waitsForYou(
  state: State,
  { id, status }: Pick<Task, 'id' | 'status'>,
): { readonly why: string | null; readonly command: string } | null {
  const { parked, parkedBecause, held } = taskStateOf(state, id);
  if (parked) return { why: parkedBecause, command: decisionCommand(state, id) };
  return held && status === 'parked' ? { why: 'you hold it back', command: releaseCommand(id) } : null;
}

export function decisionCommand(state: State, taskId: string): string {
  return askedAbout(state, taskId)[0]?.commands[0] ?? unblockCommand(taskId);
}
