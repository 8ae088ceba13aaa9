import { own } from 'ralph-kit/own';
import { quotedNames } from 'ralph-kit/text';
import { idsOfNames } from 'ralph-task-lists';
import { adaptationOf } from '../../domain/human/recovery.ts';
import type { ChoiceFacts } from '../../domain/records/choice.ts';
import type { State } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { timesReplaced } from '../../domain/workflow/roles.ts';
import { decidePolicy, type PolicyDecision } from '../../respond/policy/index.ts';
import { type AgentChoice, chooseAgent, waitLeft } from './available-agent.ts';
import {
  decideEnding,
  type Ending,
  type EndingInput,
  ended,
  isReached,
  stoppedText,
  untilReached,
} from './ending.ts';
import { unstartableIds } from './held-tasks.ts';
import { selectTask } from './select-task.ts';

export type Choice =
  /** A task to start, with the chosen agent, and why the agents before it in the order can't work (`because`). */
  | {
      readonly kind: 'task';
      readonly task: Task;
      readonly why: string;
      readonly agent: string;
      readonly because: string | null;
    }
  | Extract<AgentChoice, { kind: 'wait' }>
  /** You paused the run. `since`: ISO 8601 UTC. */
  | { readonly kind: 'paused'; readonly since: string }
  /**
   * Until this time (ISO 8601 UTC), only tasks could start that need gates which are down. `reason` has no full stop.
   */
  | { readonly kind: 'gate_down'; readonly until: string; readonly reason: string }
  /** Nothing can start until a worker has ended, or until `agent` can work again. */
  | { readonly kind: 'busy'; readonly agent: Extract<AgentChoice, { kind: 'wait' }> | null }
  | Extract<PolicyDecision, { kind: 'checkpoint' }>
  | { readonly kind: 'end'; readonly ending: Ending };

type Known = {
  /** Tasks with their current statuses, as in `facts.tasks` and `facts.statuses`. */
  readonly tasks: readonly Task[];
  readonly states: State['tasks'];
};

/** Returns the next step of the loop: a task with its agent, a wait, a checkpoint, or the end. */
export function chooseNext(facts: EndingInput, known: Known): Choice {
  const { among, availability, outage, workers, finished } = facts;
  const isDown = outage !== null && !isReached(outage.until, availability.now);
  const unstartable = new Set([...unstartableIds(workers), ...(isDown ? outage.needing : [])]);
  const canWork = chooseAgent(availability).kind === 'agent';
  const judged = canWork || finished.length === 0 ? null : pickAmongFinished(facts, known, unstartable);
  const pick =
    judged?.kind === 'task'
      ? judged
      : among === null
        ? selectTask(known.tasks, known.states, facts.only, unstartable, facts.first)
        : selectAmong(known.tasks, known.states, among, { unstartable, first: facts.first });
  const suspension = finished.length > 0 ? { agent: '', suspended: null } : suspensionOf(availability);
  const ending = decideEnding({ ...facts, ...suspension, pick });
  // Running workers may change this result, so the choice is repeated after they end.
  const isBusy = workers.working.length > 0;
  if (isBusy && (ending !== null || pick.kind === 'at_work' || facts.freeWorkers === 0))
    return { kind: 'busy', agent: null };
  if (ending !== null) {
    return { kind: 'end', ending: among === null ? ending : endingAmong(ending, known.tasks, among) };
  }
  if (pick.kind === 'at_work' && outage !== null) return waitForGates(outage, availability);
  if (pick.kind !== 'task') throw new Error(`there is neither a task nor an end (${pick.kind})`);
  if (facts.control.pausedAt !== null) return { kind: 'paused', since: facts.control.pausedAt };
  const policy = decidePolicy(facts.policy);
  if (policy.kind === 'checkpoint') return policy;
  const ready = finished.find(({ id }) => id === pick.task.id);
  if (ready !== undefined)
    return { kind: 'task', task: pick.task, why: pick.why, agent: ready.agent, because: null };
  const times = timesReplaced(known.states[pick.task.id]?.workflow, 'maker');
  const { agents } = availability;
  const from = agents.length === 0 ? 0 : times % agents.length;
  const inTurn = { ...availability, agents: [...agents.slice(from), ...agents.slice(0, from)] };
  const agent = delegated(availability, known.states, pick.task.id) ?? chooseAgent(inTurn);
  if (agent.kind !== 'agent') {
    if (isBusy) return { kind: 'busy', agent: agent.kind === 'wait' ? agent : null };
    return agent.kind === 'end' && isDown && finished.length > 0 ? waitForGates(outage, availability) : agent;
  }
  const replaced = from === 0 ? null : `${agents[0]?.name} was replaced on ${pick.task.id}`;
  const because = agent.because ?? replaced;
  return { kind: 'task', task: pick.task, why: pick.why, agent: agent.name, because };
}

/** Returns finished work to judge again. That needs no agent, so it is possible while no agent can work. */
function pickAmongFinished(
  { only, among, finished, first }: EndingInput,
  { tasks, states }: Known,
  unstartable: ReadonlySet<string>,
): ReturnType<typeof selectTask> {
  const asked = only === null ? null : idsOfNames(tasks, only);
  const ids = finished.map(({ id }) => id).filter((id) => asked?.includes(id) ?? true);
  return among === null
    ? selectTask(tasks, states, ids, unstartable, first)
    : selectAmong(
        tasks,
        states,
        among.filter(({ id }) => ids.includes(id)),
        { unstartable, first },
      );
}

/** Milliseconds without other work after which a run with gates down ends. */
const MOST_IDLE_MS = 60 * 60_000;

/** Returns a wait for gates that are down. It lasts up to an hour, as long as nothing else can be done. */
function waitForGates(
  { gates, since, until, idleSince }: NonNullable<ChoiceFacts['outage']>,
  { now, runUntil }: ChoiceFacts['availability'],
): Choice {
  const what = `${gates.length === 1 ? 'Gate' : 'Gates'} ${quotedNames(gates)} ${gates.length === 1 ? 'fails' : 'fail'} on your branch without any work, too, since ${since}`;
  const isOver = Date.parse(now) - Date.parse(idleSince) >= MOST_IDLE_MS;
  if (isOver)
    return { kind: 'end', ending: ended('gate_down', stoppedText(`${what}.`), ['ralph gates', 'ralph run']) };
  if (runUntil !== null && isReached(runUntil, until))
    return { kind: 'end', ending: untilReached(runUntil, [`${what}.`]) };
  return { kind: 'gate_down', until, reason: what };
}

/** Returns the agent that you or a recovery chose for the task, if it can work; `null`: any agent may be chosen. */
function delegated(
  { agents, now }: ChoiceFacts['availability'],
  states: State['tasks'],
  taskId: string,
): Extract<AgentChoice, { kind: 'agent' }> | null {
  const task = own(states, taskId);
  const delegatedTo = task?.decisions.agent ?? null;
  const name = delegatedTo ?? adaptationOf(task?.recovering ?? null)?.agent ?? null;
  const agent = agents.find((one) => one.name === name);
  if (agent === undefined || waitLeft(agent, now) !== 0) return null;
  const because =
    delegatedTo === null ? `${task?.recovering?.id} gave ${taskId} to it` : `you delegated ${taskId} to it`;
  return { kind: 'agent', name: agent.name, because };
}

/** A suspension ends the run only if all agents are suspended. */
function suspensionOf({ agents }: ChoiceFacts['availability']) {
  const all = agents.every((one) => one.suspended !== null);
  return { agent: agents[0]?.name ?? '', suspended: all ? (agents[0]?.suspended ?? null) : null };
}

type Among = NonNullable<ChoiceFacts['among']>;

export function selectAmong(
  tasks: readonly Task[],
  states: State['tasks'],
  among: Among,
  { unstartable, first }: { readonly unstartable: ReadonlySet<string>; readonly first: readonly string[] },
): ReturnType<typeof selectTask> {
  const left = new Set(among.filter(({ attemptsLeft }) => attemptsLeft > 0).map(({ id }) => id));
  const visible = tasks.filter(({ id, status }) => status === 'done' || left.has(id));
  return visible.length === 0
    ? { kind: 'all_blocked' }
    : selectTask(visible, states, null, unstartable, first);
}

export function endingAmong(ending: Ending, tasks: readonly Task[], among: Among): Ending {
  if (ending.kind !== 'all_done' && ending.kind !== 'all_blocked') return ending;
  const requested = among.map(({ id }) => tasks.find((task) => task.id === id));
  const count = (status: Task['status']) => requested.filter((task) => task?.status === status).length;
  const [done, blocked] = [count('done'), count('blocked')];
  const reason = `Retried ${requested.length} ${requested.length === 1 ? 'task' : 'tasks'}: ${done} done, ${blocked} blocked again${
    done + blocked === requested.length ? '' : `, ${requested.length - done - blocked} unfinished`
  }.`;
  if (done === requested.length) return ended('all_done', reason);
  if (done + blocked === requested.length) return ended('all_blocked', reason);
  return ended('max_iterations', reason);
}
