import { firstFew } from 'ralph-kit/text';
import { strategyFacts } from '../../decide/index.ts';
import { levelsOf } from '../../decide/timing/index.ts';
import type { StrategyFacts, Suggestion } from '../../domain/records/blocked.ts';
import { type TaskState, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { MARKED_IN_TRACKER, selectBlocked } from '../../respond/blocked/index.ts';
import { suggestStrategy } from '../../tell/index.ts';
import { type Failure, failure } from '../result.ts';
import type { TaskList } from './workspace.ts';

export type BlockedTask = {
  readonly task: Task;
  readonly state: TaskState;
  readonly reason: string;
  readonly facts: StrategyFacts;
  readonly suggestion: Suggestion;
};

export function blockedTasks(
  { project, tracker, tasks }: TaskList,
  { waiting = false }: { readonly waiting?: boolean } = {},
): readonly BlockedTask[] {
  const { config, exists, store } = project;
  const options = { state: store.state, config, tracker: tracker.name, exists };
  return tasks
    .map((task) => ({ task, state: taskStateOf(store.state, task.id) }))
    .filter(
      ({ task, state }) =>
        task.status === 'blocked' || (waiting && (state.parked || state.decisions.manual !== null)),
    )
    .map(({ task, state }) => {
      const facts = strategyFacts(task, options);
      const isManual = state.decisions.manual !== null && state.blocked === null;
      const reason = state.parked
        ? 'parked'
        : isManual
          ? 'manual_intervention'
          : (state.blocked?.reason ?? MARKED_IN_TRACKER);
      return { task, state, reason, facts, suggestion: suggestStrategy(facts) };
    });
}

export type ChosenTasks = { readonly ok: true; readonly chosen: readonly BlockedTask[] };

export function filtered(
  blocked: readonly BlockedTask[],
  filter: string,
  { project }: TaskList,
): ChosenTasks | Failure {
  const levels = levelsOf(project.config.adaptive_timeout).map(({ name }) => name);
  const known = blocked.map(({ task, facts, reason }) => ({ id: task.id, level: facts.level, reason }));
  const ids = new Set(selectBlocked(filter, known, levels));
  if (ids.size > 0) return { ok: true, chosen: blocked.filter(({ task }) => ids.has(task.id)) };
  return failure(
    `No blocked task matches ${JSON.stringify(filter)}: name a level, a reason or a pattern of ids. ${namesOf(blocked)}`,
    'ralph blocked',
  );
}

const SHOWN = 20;

export function namesOf(blocked: readonly BlockedTask[]): string {
  if (blocked.length === 0) return 'No task is blocked.';
  const named = blocked.map(({ task, reason, facts }) => `${task.id} (${reason}, ${facts.level})`);
  return `Blocked: ${firstFew(named, SHOWN)}.`;
}
