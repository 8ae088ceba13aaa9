import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoted } from './terminal.mjs';

const LIST = `# Shop

## Tasks

- [ ] **T-1** Read the prices from a CSV file
- [ ] **T-2** Take discounts off the total
  - \`src/discount.js\` exports \`discounted\`
- [ ] **T-3** Round amounts to cents
- [ ] **T-4** Print a bill as text
- [ ] **T-5** Convert amounts to other currencies
- [ ] **T-6** Check the address of a customer
  - an address without a postcode is refused
  - \`src/address.js\` exports \`isComplete\`
- [ ] **T-7** Count what is in stock
- [ ] **T-8** Send the bill by mail
  - Depends on: T-4
- [ ] **T-9** Describe the functions in README.md
`;

const CONFIG = `[loop]
agent = "scripted"

[parallel]
workers = 3

[gates]
commands = [{ name = "test", run = "node --test" }, { name = "lint", run = "sh lint.sh" }]

[box]
mode = "off"

[adaptive_timeout]
enabled = false

[modes.speed]
timeout = "15m"

[interventions]
cooldown_seconds = 0
`;

const TOTAL = `export const total = (items) => items.reduce((sum, { price, count }) => sum + price * count, 0);\n`;
const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/total.js';

test('the total of two items', () => {
  const items = [{ price: 9.5, count: 2 }, { price: 0.95, count: 1 }];
  assert.equal(total(items), 19.95);
});
`;

/** Returns the scenario of the night's agents; each attempt waits until `STEPS` gives it the turn. */
function scenario(folder) {
  const wait = `touch ${quoted(`${folder}/at-`)}{task}.{attempt}; while [ ! -e ${quoted(`${folder}/go-`)}{task}.{attempt} ]; do sleep 0.05; done`;
  const turn = { action: 'run', argv: ['sh', '-c', wait] };
  const say = (text) => ({ action: 'print', text });
  const shell = (command) => ({ action: 'shell', command });
  const write = (path, content) => ({ action: 'write', path, content });
  const used = (input, output) => ({ action: 'usage', input_tokens: input, output_tokens: output });
  const done = (evidence) => ({ action: 'status', status: 'DONE', exit_signal: true, evidence: [evidence] });
  const step = (when, ...actions) => ({ when, do: actions });
  const code = (name, body) => write(`src/${name}.js`, body);
  const made = (name, body) => [code(name, body), turn, used(38_000, 2100), done(`src/${name}.js:1 it`)];
  return {
    output: 'claude-stream',
    steps: [
      step(
        { task: 'T-1', attempt: 1 },
        turn,
        say('The prices come from prices.csv now, and all tests pass.'),
        used(21_000, 900),
        done('src/prices.js:1 reads the file'),
      ),
      step(
        { task: 'T-1' },
        ...made(
          'prices',
          "export const prices = (text) => text.trim().split('\\n').map((line) => line.split(','));\n",
        ),
      ),
      step(
        { task: 'T-2' },
        ...made(
          'discount',
          'export const discounted = (amount, percent) => (amount * (100 - percent)) / 100;\n',
        ),
      ),
      step(
        { task: 'T-3' },
        code(
          'total',
          TOTAL.replace('items.reduce', 'Math.floor(items.reduce').replace(
            ', 0);',
            ', 0) * 10) / 10;\n// attempt {attempt}',
          ),
        ),
        turn,
        used(52_000, 2600),
        done('src/total.js:1 rounds'),
      ),
      step(
        { task: 'T-4' },
        say('I write the bill line by line, and let the tests show whether the columns fit.'),
        code(
          'bill',
          'export const line = ({ name, price }) => name.padEnd(20) + price.toFixed(2).padStart(10);\n',
        ),
        shell('node --test test/total.test.js'),
        turn,
        used(44_000, 2300),
        done('src/bill.js:1 a line of the bill'),
      ),
      step({ task: 'T-5' }, turn, used(17_000, 400), {
        ...{ action: 'status', status: 'BLOCKED', exit_signal: false },
        reason: 'Which exchange rates are meant?',
      }),
      step(
        { task: 'T-6', attempt: 1 },
        turn,
        say('isComplete() refuses an address without a postcode. All tests pass.'),
        used(24_000, 800),
        done('src/address.js:1 isComplete'),
      ),
      step(
        { task: 'T-6' },
        say('The last attempt changed nothing. I start with src/address.js.'),
        code('address', 'export const isComplete = ({ street, postcode }) => Boolean(street && postcode);\n'),
        shell('node --check src/address.js'),
        turn,
        used(31_000, 1700),
        done('src/address.js:1 isComplete'),
      ),
      step(
        { task: 'T-7' },
        say('Stock is counted for each item.'),
        code('stock', 'export const stock = (moves) => moves.reduce((sum, { count }) => sum + count, 0);\n'),
        shell('grep -rn stock src'),
        turn,
        used(29_000, 1500),
        done('src/stock.js:1 counts'),
      ),
      step(
        { task: 'T-8' },
        ...made('mail', 'export const mail = (bill) => ({ subject: "Your bill", text: bill });\n'),
      ),
      step(
        { task: 'T-9' },
        write('README.md', '# Shop\n\n`total(items)` is the price of all items.\n'),
        turn,
        used(26_000, 1900),
        done('README.md:3 total'),
      ),
    ],
  };
}

/**
 * Attempts in the order in which they end, with the time of the end (minutes after the start), and the attempt that
 * starts then; `null`: none starts, because the task is done.
 */
const EVENING = [
  ['T-1.1', 2, 'T-1.2'],
  ['T-2.1', 5, 'T-4.1'],
  ['T-3.1', 6, 'T-3.2'],
  ['T-1.2', 8, 'T-5.1'],
  ['T-5.1', 9, 'T-6.1'],
  ['T-3.2', 11, 'T-3.3'],
  ['T-6.1', 12, 'T-6.2'],
  ['T-3.3', 14, 'T-7.1'],
];
const REST = [
  ['T-4.1', 19, 'T-8.1'],
  ['T-6.2', 21, 'T-9.1'],
  ['T-7.1', 23, null],
  ['T-8.1', 27, null],
  ['T-9.1', 30, null],
];
const BEGIN = Date.parse('2026-01-20T22:00:00Z');

const git = (cwd, env, ...args) =>
  execFileSync('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });

/**
 * Makes a repository in which three workers do nine tasks in a night. The real loop runs; the agents are a script, and
 * the clock is set as if they took minutes.
 * @param folder An empty folder, which the caller removes.
 */
export function openNight(folder, { bin, env: given }) {
  const cwd = join(folder, 'shop');
  const clock = join(folder, 'clock');
  const env = {
    ...given,
    ...{ PICTURE_CLOCK: clock, XDG_STATE_HOME: join(folder, 'state'), RALPH_TRUST: '1', TZ: 'UTC' },
    ...{ GIT_AUTHOR_DATE: '2026-01-20T22:00:00Z', GIT_COMMITTER_DATE: '2026-01-20T22:00:00Z' },
  };
  const setClock = (minutes) => {
    writeFileSync(`${clock}.new`, String(BEGIN + minutes * 60_000));
    renameSync(`${clock}.new`, clock);
  };
  const files = {
    ...{ 'src/total.js': TOTAL, 'test/total.test.js': TEST, 'README.md': '# Shop\n' },
    'package.json': `${JSON.stringify({ name: 'shop', type: 'module' })}\n`,
    'lint.sh': '! grep -rn TODO src\n',
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': CONFIG,
    '.ralph/scenario.json': `${JSON.stringify(scenario(folder), null, 2)}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  git(cwd, env, 'init', '--quiet', '--initial-branch', 'main');
  git(cwd, env, 'config', 'user.name', 'ralph');
  git(cwd, env, 'config', 'user.email', 'ralph@localhost');
  git(cwd, env, 'add', '--all');
  git(cwd, env, 'commit', '--quiet', '--message', 'Start');
  setClock(0);
  const ralph = (...args) => [
    process.execPath,
    '--import',
    new URL('clock.mjs', import.meta.url).href,
    bin,
    ...args,
  ];
  const [program, ...args] = ralph('run');
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', process.env.PICTURE_DEBUG ? 'inherit' : 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const begins = (attempt) => until(() => existsSync(join(folder, `at-${attempt}`)), `${attempt} begins`);
  const isDone = (task) => readFileSync(join(cwd, '.ralph/PRD.md'), 'utf8').includes(`- [x] **${task}**`);
  const plays = async (steps) => {
    for (const [attempt, minutes, next] of steps) {
      setClock(minutes);
      writeFileSync(join(folder, `go-${attempt}`), '');
      const [task] = attempt.split('.');
      await (next === null ? until(() => isDone(task), `${task} is done`) : begins(next));
    }
  };
  return {
    ...{ cwd, env, ralph, setClock },
    evening: async () => {
      for (const attempt of ['T-1.1', 'T-2.1', 'T-3.1']) await begins(attempt);
      await plays(EVENING);
    },
    rest: async () => {
      await plays(REST);
      await ended;
    },
    stop: () => child.kill(),
  };
}

/** Waits until something is true. @throws Error if it doesn't become true in time. */
export async function until(isTrue, what, seconds = 60) {
  for (let left = seconds * 20; left > 0; left -= 1) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: not within ${seconds} s`);
}
