/** @module-tag slow */

import { expect, it } from 'vitest';
import { claim, makeProject } from '../helpers/cli.ts';

/** These characters reorder, hide or smuggle text; ralph must neither print nor commit them. */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\u200c\u200e\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/u;
const TITLE = 'Write\u202e the\u2066 par\u200bser\u{e0041}\u2060\ufeff of 👩\u200d💻 ❤\ufe0f';
const ID = 'T-1\u202e\u200b';
const FILE = 'src/safe\u202eexe.ts';

const project = () =>
  makeProject({
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\n[tracker]\npath = "tasks.json"\n[git]\ncommit = "on_done"\n',
    'tasks.json': JSON.stringify({ tasks: [{ id: ID, title: TITLE, status: 'open' }] }),
    '.ralph/PRD.md': '',
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [
        {
          when: {},
          do: [
            { action: 'print', text: 'I write\u202e it\u200b now.' },
            { action: 'write', path: FILE, content: 'export {};\n' },
            { action: 'write', path: 'src/kept.ts', content: 'export {};\n' },
            { action: 'write', path: '.envrc', content: 'echo hello\n' },
            { action: 'write', path: `.husky/pre-commit\u200b/x`, content: 'x\n' },
            { action: 'commit', message: 'Add\u202e the parser\u200b' },
            claim('src/kept.ts:1 it'),
          ],
        },
      ],
    }),
  });

it('commits, reports and screens hold nothing hidden, and an honest emoji stays', () => {
  const made = project();
  const run = made.ralph('run', '--stream');
  expect(run.stdout).toMatch(/(\d+) of \1 tasks? done\./);
  const message = made.git('log', '-1', '--grep', 'Ralph-Task', '--format=%B');
  expect(message).toContain('Write the parser of 👩\u200d💻 ❤\ufe0f (T-1)');
  expect(message).toContain('- Add the parser');
  const texts = [
    ...[run.stdout, run.stderr, message],
    ...[
      ['status'],
      ['report'],
      ['report', '--format', 'markdown'],
      ['report', '--format', 'json'],
      ['tasks'],
    ].map((args) => made.ralph(...args).stdout),
    ...[['logs'], ['explain', ID], ['diff', '1']].map((args) => made.ralph(...args).stdout),
  ];
  for (const text of texts) expect(text).not.toMatch(HIDDEN);
  expect(made.ralph('report').stdout).toContain('👩\u200d💻');
});

it('a done task names what runs when you open it, with names that show all that is in them', () => {
  const made = project();
  made.ralph('run');
  const [done] = made.json('report').done_in_run;
  expect(done.signs).toEqual(['runs something when you open it: .envrc, .husky/pre-commit\\u200b/x']);
  const shown = made.ralph('report').stdout.replace(/\n\s*/g, ' ');
  expect(shown).toContain('! runs something when you open it: .envrc, .husky/pre-commit\\u200b/x');
  expect(made.ralph('report', '--format', 'markdown').stdout).toContain(
    'runs something when you open it: .envrc',
  );
});
