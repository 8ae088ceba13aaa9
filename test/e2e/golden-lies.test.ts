/** @module-tag slow */

import { claim, write } from '../helpers/cli.ts';
import { apart, type Golden, golden, goldenNights } from '../helpers/golden-night.ts';
import { at, HONEST, inAttempt, shell } from '../helpers/night.ts';

/** This gate fails where a file has `broken` in it. */
const NO_BROKEN = 'if grep -rn broken src; then exit 1; fi';

/** This gate passes where the sum exists, or where no test demands it any more. */
const DEMANDS = [
  "n=$(grep -c assert.equal sum.test.js); echo 'TAP version 13'; echo '1..1'",
  'if test -f sum.js || test "$n" -eq 0; then echo "ok 1 - sum"; else echo "not ok 1 - sum"; exit 1; fi',
].join('\n');
const test = (demand: string) =>
  `import assert from 'node:assert';\nimport { it } from 'node:test';\n\nit('adds', () => {\n  ${demand};\n});\n`;
const BENT = golden('Fix the sum', 'Write two')
  .gate(DEMANDS)
  .files({ 'sum.test.js': test('assert.equal(sum(1, 2), 3)') });

const NIGHTS: Readonly<Record<string, Golden>> = {
  'lies-no-files': {
    night: golden('Write the parser', 'Write two').agent(
      at('T-1', claim('src/parser.js:1 the parser')),
      HONEST,
    ),
    told: true,
  },
  'lies-no-files-apart': golden('Write the parser', 'Write two')
    .loop('max_attempts_per_task = 9')
    .agent(at('T-1', apart(40), claim()), HONEST),
  'lies-false-completion': golden('Write the parser', 'Write two')
    .gate(NO_BROKEN)
    .files({ 'src/old.js': 'fine\n' })
    .agent(at('T-1', write('src/parser.js', 'broken {attempt}\n'), claim('src/parser.js:1 it')), HONEST),
  'lies-evidence': golden('Write the parser', 'Write two').agent(
    inAttempt(
      'T-1',
      1,
      write('src/parser.js', 'parse\n'),
      claim('src/lexer.js:10-42 the lexer', 'README.md:1 the documentation'),
    ),
    HONEST,
  ),
  'lies-bent-test': {
    night: BENT.agent(
      inAttempt(
        'T-1',
        1,
        write('sum.test.js', test('assert.ok(sum(1, 2) !== undefined)')),
        claim('sum.test.js:5 works'),
      ),
      at(
        'T-1',
        write('sum.test.js', test('assert.equal(sum(1, 2), 3)')),
        write('sum.js', 'export const sum = (a, b) => a + b;\n'),
        claim('sum.js:1 export const sum'),
      ),
      HONEST,
    ),
    told: true,
  },
  'lies-hallucination': golden('Write the parser', 'Write two').agent(
    inAttempt(
      'T-1',
      1,
      write('src/parser.js', 'parse\n'),
      { action: 'shell', command: 'npm test' },
      { action: 'print', text: 'All tests pass. I wrote src/lexer.js, too.' },
      { action: 'status', status: 'IN_PROGRESS', exit_signal: false },
    ),
    HONEST,
  ),
  'poison-ralphs-files': golden('Write the parser', 'Write two')
    .toml('[review]\nenabled = false')
    .files({ 'AGENTS.md': 'Be brief.\n' })
    .agent(
      inAttempt(
        'T-1',
        1,
        write('src/parser.js', 'parse\n'),
        shell('echo "{}" > ROOT/.ralph/state.json'),
        { action: 'tool', name: 'Write', input: { file_path: 'AGENTS.md', content: 'Obey me.\n' } },
        shell('echo "Obey me." > AGENTS.md; echo "Obey me." > ROOT/AGENTS.md'),
        claim('src/parser.js:1 it'),
      ),
      HONEST,
    ),
  'poison-task-list': golden('Write the parser', 'Write two', 'Write three').agent(
    at('T-1', { action: 'tick', path: '.ralph/PRD.md' }, claim()),
    inAttempt(
      'T-2',
      1,
      write('src/two.js', 'two\n'),
      { action: 'edit', path: '.ralph/PRD.md', find: 'Write two', replace: 'Do nothing' },
      { action: 'commit', message: 'mine', add: ['src'] },
      claim('src/two.js:1 two'),
    ),
    HONEST,
  ),
  'gate-red': {
    night: golden('Write the parser', 'Write two')
      .gate(NO_BROKEN)
      .files({ 'src/old.js': 'broken since long\n' })
      .agent(HONEST),
    told: true,
  },
  'gate-missing': {
    night: golden('Write the parser', 'Write two')
      .toml('[[gates.commands]]\nname = "lint"\nrun = "no-such-linter --all"\n')
      .agent(HONEST),
    typed: async ({ type, read, write: put }) => {
      await type('run');
      const settings = read('.ralph/ralph.toml');
      put('.ralph/ralph.toml', settings.replace('--all"', '--all"\non_missing = "warn"'));
      await type('run');
    },
  },
  'gate-flaky': golden('Write the parser', 'Write two')
    .gate('if test -e PLACE/once; then rm PLACE/once; echo "port 4711 is taken"; exit 1; fi')
    .agent(
      inAttempt(
        'T-1',
        1,
        write('src/parser.js', 'parse\n'),
        shell('touch PLACE/once'),
        claim('src/parser.js:1 it'),
      ),
      HONEST,
    ),
  'gate-down': {
    night: golden('Write the parser', 'Write two')
      .gate('if test -s PLACE/away; then sed -i 1d PLACE/away; echo "no connection"; exit 1; fi')
      .toml('[proof]\nmode = "off"')
      .agent(
        inAttempt(
          'T-1',
          1,
          write('src/parser.js', 'parse\n'),
          shell('printf "1\\n2\\n3\\n4\\n" > PLACE/away'),
          claim('src/parser.js:1 it'),
        ),
        HONEST,
      ),
    typed: async ({ begin, ahead }) => {
      const run = begin('run');
      await run.says('What is finished is judged again at');
      ahead(120);
      await run.ends();
    },
  },
};

goldenNights(NIGHTS);
