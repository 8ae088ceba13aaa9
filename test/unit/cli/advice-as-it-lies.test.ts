import { afterEach, expect, it } from 'vitest';
import { noteFolder } from '../../../src/app/as-it-lies.ts';
import { envelope } from '../../../src/cli/print.ts';

afterEach(() => noteFolder(null));

const BODY = {
  next: ['ralph run --task DO-1', 'ralph take DO-1'],
  error: { message: 'Nothing was run: ralph run', next: 'ralph run' },
  words: 'I would type ralph run',
};

it.each([
  [null, BODY],
  [
    '/home/me/.local/state/ralph/x/do/main/.ralph',
    {
      next: ['ralph do', 'ralph take DO-1'],
      error: { message: 'Nothing was run: ralph do', next: 'ralph do' },
      words: BODY.words,
    },
  ],
])('the advice in JSON is that of the task it is about (%s), and words of agents stay', (folder, said) => {
  noteFolder(folder);
  expect(JSON.parse(envelope('do', 4, BODY))).toMatchObject(said);
});
