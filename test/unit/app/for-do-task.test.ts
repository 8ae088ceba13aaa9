import { afterAll, expect, it } from 'vitest';
import { forDoTask, noteFolder } from '../../../src/app/for-do-task.ts';

const FOLDER = '/home/u/.local/state/ralph/id/do/main/.ralph';

afterAll(() => noteFolder(null));

it('what is about the list stays as it is', () => {
  noteFolder(null);
  expect(forDoTask('Next: ralph run. See .ralph/runs/r-1')).toBe('Next: ralph run. See .ralph/runs/r-1');
});

it.each([
  ['Next: ralph run', 'Next: ralph do'],
  [
    'ralph unblock DO-1 && ralph run --agent codex --task DO-1',
    'ralph unblock DO-1 && ralph do --agent codex',
  ],
  ['ralph run --max-iterations 6', 'ralph do --max-iterations 6'],
  ['ralph runs, pralph run', 'ralph runs, pralph run'],
  ['Read .ralph/control-center.md', `Read ${FOLDER}/control-center.md`],
  ['  .ralph/incidents/INC-1.json', `  ${FOLDER}/incidents/INC-1.json`],
  ['/home/u/x/.ralph/runs/r-1', '/home/u/x/.ralph/runs/r-1'],
  ['Add to .ralph/ralph.toml: [box]', 'Add to .ralph/ralph.toml: [box]'],
])('about ralph do, %s is %s', (text, shown) => {
  noteFolder(FOLDER);
  expect(forDoTask(text)).toBe(shown);
});
