// Runs the given commands without a reviewer, and records what stops each: npm run eval:without-analysers [-- --only
// TEXT] [--results FILE] [--workers 2]. Each command is played on a bare checkout, by an agent of ralph without a box,
// and by one in its box; commands that the box lets through, also with a list of hosts. It needs bubblewrap, a built
// ralph, and an ordinary user. `--results` keeps what was played, a line each, and continues from there.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ruleOn } from './rule-on.mjs';
import { holdOf, workOf } from './without-analysers/decide.mjs';
import { inJail, isOrdinaryUser, makeGiven } from './without-analysers/jail.mjs';

const ROOT = join(import.meta.dirname, '..');
/** Milliseconds after which the jail of one play is ended. */
const LIMIT_MS = 240_000;
/** Columns after the key of a row: the first four with a box, then the box with a list of hosts, then without a box. */
const COLUMNS = [
  'given',
  'inert',
  'box',
  'kept',
  'nothing',
  'box with a list: nothing',
  'copy alone',
  'kept',
  'nothing',
];
/** Maximum number of ordinary commands in one attempt, which has two minutes. */
const MOST_OF_SESSION = 20;
const NOT_RUN = { exit: null };
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    results: { type: 'string' },
    workers: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
if (!isOrdinaryUser()) {
  process.stderr.write('It plays what destroys: start it as an ordinary user.\n');
  process.exit(2);
}

const given = readFileSync(join(ROOT, 'test', 'eval', 'review', 'corpus.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line, index) => ({ index, ...JSON.parse(line) }))
  .filter(({ command, category }) => `${category} ${command}`.includes(values.only));
const results = new Map(earlier().map((one) => [one.index, one]));
const left = given.filter(({ index }) => !results.has(index));
await Promise.all(Array.from({ length: Number(values.workers) }, worker));
process.stdout.write(`${tables([...results.values()])}\n`);

function earlier() {
  if (values.results === undefined || !existsSync(values.results)) return [];
  return readFileSync(values.results, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

async function worker() {
  const scratch = mkdtempSync(join(tmpdir(), 'without-'));
  try {
    makeGiven(scratch);
    for (let some = next(); some.length > 0; some = next()) {
      for (const result of await played(scratch, some)) {
        results.set(result.index, result);
        if (values.results !== undefined) appendFileSync(values.results, `${JSON.stringify(result)}\n`);
        if (values.verbose) process.stderr.write(`${JSON.stringify(result, null, 1)}\n`);
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns what is played next: a destructive command alone, or ordinary ones as a session. */
function next() {
  const isSession = left[0]?.expected !== 'block';
  const end = isSession ? left.findIndex(({ expected }) => expected === 'block') : 1;
  return left.splice(0, Math.min(end < 0 ? left.length : end, MOST_OF_SESSION));
}

async function played(scratch, some) {
  const commands = some.map(({ command }) => command);
  const play = (how) => inOwnJail(scratch, commands, how);
  const bare = await play('bare');
  if (some[0].expected !== 'block') {
    const { ran } = await play('on');
    return some.map((one, at) => {
      const seen = { bare: bare.ran[at] ?? NOT_RUN, on: ran[at] ?? NOT_RUN };
      return { ...one, ...seen, work: workOf({ bare: seen.bare, run: seen.on }) };
    });
  }
  return [{ ...some[0], ...(await playedAlone(bare, play)) }];
}

async function playedAlone(bare, play) {
  if (holdOf({ bare, run: bare }) === 'inert') return { bare, held: { on: 'inert', off: 'inert' } };
  const on = await play('on');
  const off = await play('off');
  const held = { on: holdOf({ bare, run: on }), off: holdOf({ bare, run: off }) };
  if (held.on !== 'nothing') return { bare, on, off, held };
  const listed = await play('listed');
  return { bare, on, off, listed, held: { ...held, listed: holdOf({ bare, run: listed }) } };
}

async function inOwnJail(scratch, commands, how) {
  const child = spawn('unshare', inJail(scratch, ROOT, commands, how), {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-2000);
  });
  await new Promise((resolve) => child.once('close', resolve));
  const line = stdout.split('\n').findLast((one) => one.startsWith('RESULT '));
  if (line === undefined) throw new Error(`${how}: ${commands.join('\n')}: ${stderr}`);
  const seen = JSON.parse(line.slice('RESULT '.length));
  // A command that didn't run shows nothing about what stops it.
  if (seen.ran.length === 0) throw new Error(`${how}: ${commands.join('\n')} didn't run: ${seen.ralph.said}`);
  return seen;
}

/** Returns a line for each category, and one for each rule of the reviewer that stops its commands. */
function tables(all) {
  const blocks = all.filter(({ held }) => held !== undefined);
  const work = all.filter((one) => one.work !== undefined);
  const counted = (what) => work.filter((one) => one.work === what);
  return [
    ...table('category', blocks, ({ category }) => category),
    '',
    ...table('rule', blocks, ({ command }) => ruleFor(command)),
    '',
    `ordinary commands: ${work.length}, as without a box ${counted('same').length}, refused by it ${counted('refused').length}, failing anyway ${counted('broken').length}`,
    ...counted('refused').map(({ command }) => `  refused: ${command}`),
  ].join('\n');
}

function table(title, all, keyOf) {
  const keys = [...new Set(all.map(keyOf))].toSorted();
  const rows = [...keys.map((key) => [key, all.filter((one) => keyOf(one) === key)]), ['all', all]];
  return [
    `| ${[title, ...COLUMNS].join(' | ')} |`,
    `|---|${COLUMNS.map(() => '---:|').join('')}`,
    ...rows.map(([key, ones]) => `| ${[key, ones.length, ...countsOf(ones)].join(' | ')} |`),
  ];
}

function countsOf(ones) {
  const count = (how, what) => ones.filter(({ held }) => held[how] === what).length;
  return [
    ...['inert', 'held', 'kept', 'nothing'].map((what) => count('on', what)),
    count('listed', 'nothing'),
    ...['held', 'kept', 'nothing'].map((what) => count('off', what)),
  ];
}

/** Returns the rule by which the reviewer stops a command; `-`: it doesn't. */
function ruleFor(command) {
  const { decision, rule } = ruleOn(command);
  return decision === 'deny' || decision === 'modify' ? rule : '-';
}
