import type { Task } from '../domain/task.ts';
import { plainWords } from './assign-ids.ts';

const TITLE = 'Replace this line with your first task';

/** The task list that `ralph init` writes where you name no tasks. */
export const EXAMPLE_LIST = `# What to build

Say here in a few sentences what this is about. Each box below is a task; bullets under it say when it is done.

## Tasks

- [ ] **T-1** ${TITLE}
  - and this one with how you will know that it is done
`;

export const EXAMPLE_IS_NO_TASK = `"${TITLE}" is the example of ralph init and no task; write your own in its place`;

/** Whether a task is the one of the example: no agent works on it. */
export function isExample({ title }: Pick<Task, 'title'>): boolean {
  return /^\W*replace\b/i.test(title) && plainWords(title) === plainWords(TITLE);
}
