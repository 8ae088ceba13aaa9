import { didYouMean } from 'ralph-kit/nearest';
import type { GivenUp } from '../../domain/task.ts';

/** Returns why a task with this name isn't worked on: the list gives it up. `null`: the list doesn't. */
export function givenUpText(name: string, givenUp: readonly GivenUp[]): string | null {
  const plain = name.replace(/^#/, '').toLowerCase();
  const found = givenUp.find(({ id }) => id.replace(/^#/, '').toLowerCase() === plain);
  if (found === undefined) return null;
  return `${found.id} is given up: the task list says ${JSON.stringify(found.word)}. To have it done, open it there.`;
}

/** Returns why no task has this name: the list gives the task up, or has none by that name. */
export function noTaskText(name: string, ids: readonly string[], givenUp: readonly GivenUp[]): string {
  return givenUpText(name, givenUp) ?? `There is no task ${name}.${didYouMean(name, ids)}`;
}
