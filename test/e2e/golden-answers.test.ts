/** @module-tag slow */

import { rmSync, writeFileSync } from 'node:fs';
import { blocked, claim, scenarioOf, write } from '../helpers/cli.ts';
import { apart, type Golden, golden, goldenNights } from '../helpers/golden-night.ts';
import { at, HONEST, inAttempt, shell } from '../helpers/night.ts';
import { answers, approves, inRole } from '../helpers/reviewing-roles.ts';

/** A checkpoint counts as safe at once. */
const SAFE_AT_ONCE = '[interventions.safe_checkpoint]\nno_errors_seconds = 0';

const NAMES = ['one', 'two', 'three', 'four', 'five'];
/** Each entry weakens one assertion in another way. */
const WEAKER = ['!== undefined', '!== null', '> 0', '>= 0', '!== false'];
/** Returns tests of which the one with this number demands less. */
const tests = (weakened: number) =>
  `import assert from 'node:assert';\nimport { it } from 'node:test';\n\n${NAMES.map((name, index) =>
    index === weakened - 1
      ? `it('${name}', () => {\n  assert.ok(sum(${index}, 1) ${WEAKER[index]});\n});\n`
      : `it('${name}', () => {\n  assert.equal(sum(${index}, 1), ${index + 1});\n});\n`,
  ).join('\n')}`;

const PRODUCT = write('product.js', 'export const product = (a, b) => a * b;\n');
const TWO_TESTS =
  "import { it } from 'node:test';\n\nit('adds', () => {\n  assert.equal(sum(1, 2), 3);\n});\nit('subtracts', () => {\n  assert.equal(minus(2, 1), 1);\n});\n";
/** This gate passes, and reports each test in TAP. */
const COUNTED = [
  "echo 'TAP version 13'; n=0",
  'grep -o "it(\\S*\\|it.skip(\\S*" sum.test.js | while read -r name; do n=$((n+1)); case $name in it.skip*) echo "ok $n - $name # SKIP";; *) echo "ok $n - $name";; esac; done',
  'echo "1..$(grep -c "^it" sum.test.js)"',
].join('\n');
const SKIPS = golden('Add the product of two numbers', 'Write two')
  .files({ 'sum.test.js': TWO_TESTS })
  .gate(COUNTED);

const KEY = `AKIA${'Q7ZP4M2X9KD3V8TB'}`;

const NIGHTS: Readonly<Record<string, Golden>> = {
  'ladder-rollback': golden('Write the parser', 'Write two')
    .loop('max_attempts_per_task = 9\nmax_iterations = 7')
    .gate('if grep -rn broken src; then exit 1; fi')
    .toml(SAFE_AT_ONCE)
    .files({ 'src/old.js': 'fine\n' })
    .agent(
      at('T-1', apart(130), write('src/parser.js', 'broken {attempt}\n'), claim('src/parser.js:1 it')),
      HONEST,
    ),
  'ladder-throttle': golden('**T-1** Write the parser\n  - Files: src/parser.js', '**T-2** Write two')
    .loop('max_attempts_per_task = 9\nmax_iterations = 6')
    .agent(
      at('T-1', apart(40), write('lib/elsewhere.js', 'export const attempt = {attempt};\n'), {
        action: 'status',
        status: 'IN_PROGRESS',
        exit_signal: false,
      }),
      HONEST,
    ),
  recovery: {
    night: golden('Fix the sum', 'Write two')
      .loop('max_attempts_per_task = 9')
      .gate(
        [
          "n=$(grep -c assert.equal sum.test.js); echo 'TAP version 13'; echo '1..1'",
          'if test -f sum.js || test "$n" -eq 0; then echo "ok 1 - sum"; else echo "not ok 1 - sum $n"; exit 1; fi',
        ].join('\n'),
      )
      .files({ 'sum.test.js': tests(0) })
      .agent(
        ...NAMES.map((_, index) =>
          inAttempt('T-1', index + 1, write('sum.test.js', tests(index + 1)), claim('sum.test.js:5 works')),
        ),
        HONEST,
      ),
    told: true,
  },
  'human-destructive': {
    night: SKIPS.agent(
      {
        when: { task: 'T-1', prompt_includes: 'G-1' },
        do: [PRODUCT, write('sum.test.js', TWO_TESTS), claim('product.js:1 it')],
      },
      at(
        'T-1',
        PRODUCT,
        write('sum.test.js', TWO_TESTS.replace('it(', 'it.skip(')),
        claim('product.js:1 it'),
      ),
      HONEST,
    ),
    told: true,
    typed: async ({ type }) => {
      await type('run');
      await type('approvals', 'decide', 'G-1', 'reject', '--reason', 'keep them');
      await type('run');
    },
  },
  'human-false-positive': {
    night: golden('Write the parser', 'Write two')
      .toml('[human.gates.GATE-AP-FALSE-POSITIVE]\nsignature = false')
      .agent(
        { when: { task: 'T-1', prompt_includes: 'G-1' }, do: [PRODUCT, claim('product.js:1 it')] },
        at('T-1', PRODUCT, claim('src/lexer.js:1 the lexer')),
        HONEST,
      ),
    typed: async ({ type, events }) => {
      await type('run', '--max-iterations', '1');
      const event = events().find(({ event_type }) => event_type === 'evidence_validation_failed');
      await type('approvals', 'report', event?.id ?? 'none', '--reason', 'it is there');
      await type('run');
      await type('approvals', 'decide', 'G-1', 'legitimate', '--reason', 'it is there');
      await type('run');
    },
  },
  'stop-security': {
    night: golden('Write the configuration', 'Write two').agent(
      at('T-1', write('src/config.js', `export const key = "${KEY}";\n`), claim('src/config.js:1 it')),
      HONEST,
    ),
    told: true,
    typed: async ({ type }) => {
      await type('run');
      await type('run');
      await type('resume', 'INC-1', '--option', 'abort', '--reason', 'not ours');
      await type('run');
    },
  },
  'roles-changes': golden('Write the parser')
    .toml('[workflow]\nkind = "standard"\n[review]\nenabled = false')
    .files({
      '.ralph/scenario.json': JSON.stringify({
        steps: [
          inRole('guardian', [approves], { prompt_includes: 'export const a = 2' }),
          inRole('guardian', [answers('CHANGES_REQUESTED', { claim: 'the total is off' })]),
          inRole('sage', [approves]),
          inRole('maker', [write('src/a.ts', 'export const a = 2;\n'), claim('src/a.ts:1')], {
            prompt_includes: 'the total is off',
          }),
          inRole('maker', [write('src/a.ts', 'export const a = 1;\n'), claim('src/a.ts:1')]),
        ],
      }),
    }),
  'roles-entrenched': golden('Write the parser', 'Write two')
    .toml('[workflow]\nkind = "standard"\nmax_cycles = 2\n[review]\nenabled = false')
    .files({
      '.ralph/scenario.json': JSON.stringify({
        steps: [
          { when: { role: 'guardian', task: 'T-1' }, do: [answers('CHANGES_REQUESTED', {})] },
          inRole('guardian', [approves]),
          inRole('sage', [approves]),
          inRole('maker', [
            write('src/{task}.ts', 'export const a = {attempt};\n'),
            claim('src/{task}.ts:1'),
          ]),
        ],
      }),
    }),
  plan: {
    night: golden('Write the parser').files({
      '.ralph/scenario.json': JSON.stringify({
        steps: [
          inRole('explorer', [{ action: 'print', text: 'It belongs into src.' }]),
          inRole('creator', [
            {
              action: 'print',
              text: JSON.stringify({
                nonce: '{nonce}',
                tasks: [
                  {
                    ...{ id: 'a', title: 'Return the month', files: ['src/date.js'] },
                    criteria: [{ text: 'month works', check: 'grep -q month src/date.js' }],
                  },
                ],
              }),
            },
          ]),
          {
            when: { task: 'T-2' },
            do: [write('src/date.js', 'export const month = 1;\n'), claim('src/date.js:1')],
          },
          HONEST,
        ],
      }),
    }),
    typed: async ({ type }) => {
      await type('plan', 'Show months');
      await type('plan', 'accept', '--yes');
      await type('run', '--trust');
    },
  },
  'question-and-what-waits-for-it': {
    night: golden(
      '**T-1** Describe the functions',
      '**T-2** Translate the description\n  - Depends on: T-1',
      '**T-3** Write three',
    ).agent(at('T-1', blocked('Should README.md be in English or in German?')), HONEST),
    told: true,
    typed: async ({ type, write: put }) => {
      await type('run');
      put('.ralph/scenario.json', scenarioOf([HONEST]));
      await type('unblock', 'T-1', '--reason', 'In English.');
      await type('run');
    },
  },
  'already-done': {
    night: golden('Write the greeting', 'Write two').agent(
      at('T-1', {
        ...{ action: 'status', status: 'ALREADY_DONE', exit_signal: true },
        evidence: ['README.md:1 the greeting'],
      }),
      HONEST,
    ),
    typed: async ({ type }) => {
      await type('run');
      await type('tasks', 'accept', 'T-1');
      await type('run');
    },
  },
  'hook-refuses': {
    night: golden('Write the parser', 'Write two').agent(
      at('T-1', write('src/parser.js', 'FIXME\n'), claim('src/parser.js:1 it')),
      HONEST,
    ),
    told: true,
    typed: async ({ type, write: put, remove }) => {
      put(
        '.git/hooks/pre-commit',
        '#!/bin/sh\nif git grep -q --cached FIXME -- src; then echo "FIXME in src"; exit 1; fi\n',
        0o755,
      );
      await type('run');
      remove('.git/hooks/pre-commit');
      await type('land', 'T-1');
    },
  },
  held: {
    night: golden('Write the parser', 'Write two').agent(HONEST),
    typed: async ({ type }) => {
      await type('queue', 'hold', 'T-1');
      await type('run');
      await type('queue', 'hold', 'T-1', '--off');
      await type('run');
    },
  },
  'red-branch': {
    night: golden('Write the parser', 'Write two')
      .gate('test ! -e T-1.txt || test ! -e PLACE/late')
      .agent(inAttempt('T-2', 1, shell('true'), write('two.txt', '2\n'), claim('two.txt:1')), HONEST),
    typed: async ({ type, place }) => {
      await type('run', '--task', 'T-1');
      writeFileSync(`${place}/late`, '');
      await type('run');
      await type('resume');
      rmSync(`${place}/late`);
      await type('run');
    },
  },
};

goldenNights(NIGHTS);
