import type { ChoiceFacts } from '../../domain/records/choice.ts';
import type { State } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { selectTask } from '../../tasks/index.ts';
import { type Ending, ended } from './ending.ts';

type Among = NonNullable<ChoiceFacts['among']>;

/** Chooses among the retried tasks that have an attempt left. */
export function selectAmong(
  tasks: readonly Task[],
  states: State['tasks'],
  among: Among,
): ReturnType<typeof selectTask> {
  const left = new Set(among.filter(({ attemptsLeft }) => attemptsLeft > 0).map(({ id }) => id));
  const visible = tasks.filter(({ id, status }) => status === 'done' || left.has(id));
  return visible.length === 0 ? { kind: 'all_blocked' } : selectTask(visible, states, null);
}

/** What the end of a run means that retries these tasks alone. */
export function endingAmong(ending: Ending, tasks: readonly Task[], among: Among): Ending {
  if (ending.kind !== 'all_done' && ending.kind !== 'all_blocked') return ending;
  const asked = among.map(({ id }) => tasks.find((task) => task.id === id));
  const count = (status: Task['status']) => asked.filter((task) => task?.status === status).length;
  const [done, blocked] = [count('done'), count('blocked')];
  const reason = `Retried ${asked.length} ${asked.length === 1 ? 'task' : 'tasks'}: ${done} done, ${blocked} blocked again${
    done + blocked === asked.length ? '' : `, ${asked.length - done - blocked} unfinished`
  }.`;
  if (done === asked.length) return ended('all_done', reason);
  if (done + blocked === asked.length) return ended('all_blocked', reason);
  return ended('max_iterations', reason);
}
