import type { Task } from '../domain/task.ts';
import { namesCode } from './forms.ts';
import type { BuiltInLevelName, Level } from './levels.ts';

/** A task as far as it is described in words. */
export type DescribedTask = Pick<Task, 'title' | 'description' | 'acceptance'>;

/** What the form of a description speaks for, whatever its words are. */
export type Shape = { readonly level: BuiltInLevelName; readonly weight: number; readonly because: string };

/** Commas from which on a description is taken for a list of demands. */
const LIST = 3;

/**
 * Who names the place in the code asks for a bounded edit; who lists many demands and no place, for work across
 * places. Nothing is said of a level whose keywords a person gave.
 */
export function shapesOf(task: DescribedTask, levels: readonly Level[]): Shape[] {
  const criteria = task.acceptance.length;
  const hasPlace = () => namesCode(task.title) || namesCode(task.description);
  const shapes: Shape[] = [];
  if (criteria > 1) {
    shapes.push({ level: 'medium', weight: 1, because: `${criteria} criteria` });
  }
  if (criteria < 2 && hasPlace()) {
    shapes.push({ level: 'simple', weight: 6, because: 'a named place in the code' });
  }
  if (criteria > 2 && task.description.split(',').length > LIST && !hasPlace()) {
    const because = 'a list of demands and no place in the code';
    shapes.push({ level: 'complex', weight: 4, because }, { level: 'ui_heavy', weight: 2, because });
  }
  return shapes.filter(({ level }) => levels.some(({ name, personal }) => name === level && !personal));
}
