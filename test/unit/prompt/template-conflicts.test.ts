import { describe, expect, it } from 'vitest';
import { BUILT_IN_TEMPLATE, templateConflicts } from '../../../src/prompt/index.ts';

describe('orders of a template that ralph keeps agents from', () => {
  it.each([
    'When you finish the task, mark it done in the PRD tracker.',
    'Update PRD + progress.',
    'If you are blocked, record a clear reason in .ralph/progress.md and leave the task open.',
    '6. Commit the changes.',
    'Then run git commit -am "done".',
    'Push your work to the branch.',
    'Tick your task in the task list.',
    'Append what you learned to progress.md',
    'Set its status to done in tasks.yaml.',
  ])('%s', (line) => {
    expect(templateConflicts(`You work in a loop.\n\n- ${line}\n`, '.ralph/tasks.yaml')).not.toEqual([]);
  });

  it.each([
    'Do not mark a task done in the PRD whose gates fail.',
    'Leave the task list and everything under `.ralph/` alone.',
    "Never commit your work; don't update the PRD.",
    'Read .ralph/AGENTS.md and the PRD first.',
    'Run the gates (see .ralph/AGENTS.md) and fix failures.',
    'Write the tests first.',
    'Update the README when a command changes.',
    'The prd-parser reads settings of src/task.ts',
    '```\ngit commit -m x\n```',
    '',
  ])('and none: %s', (line) => {
    expect(templateConflicts(`You work in a loop.\n\n${line}\n`, '.ralph/tasks.yaml')).toEqual([]);
  });

  it('by their lines, whatever ends a line', () => {
    expect(templateConflicts('a\r\nTick it in the PRD\rb\nCommit the work', '')).toEqual([2, 4]);
  });

  it('the built-in template has none', () => {
    expect(templateConflicts(BUILT_IN_TEMPLATE, '.ralph/PRD.md')).toEqual([]);
  });
});
