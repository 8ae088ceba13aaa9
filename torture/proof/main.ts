import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLab } from '../hostile/harness.ts';
import { type Case, readCases } from './case.ts';
import { finished } from './command.ts';
import { givenCases } from './given.ts';
import { greenwashCases } from './greenwash.ts';
import { historyCases } from './history.ts';
import { type Played, playCase } from './play.ts';
import { isAsExpected, summary, tableLine } from './table.ts';
import { verifyCase } from './verify.ts';

/** Cases at the same time. */
const WORKERS = 2;

const top = process.env.TORTURE_ROOT ?? process.cwd();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    dose: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
    from: { type: 'string', default: '.' },
    resume: { type: 'string' },
    unread: { type: 'boolean', default: false },
  },
});

const SETS: Readonly<Record<string, () => readonly Case[] | Promise<readonly Case[]>>> = {
  cheats: () => readCases(join(import.meta.dirname, 'cheats')),
  given: () => givenCases(top),
  honest: () => readCases(join(import.meta.dirname, 'honest')),
  greenwash: () => greenwashCases(values.from),
  history: () => historyCases(values.from),
};

process.env.PROOF_CACHE = join(top, 'node_modules', '.cache', 'proof');
mkdirSync(process.env.PROOF_CACHE, { recursive: true });

const [set = ''] = positionals;
const load = SETS[set];
const dose = Number(values.dose);
if (load === undefined || !(dose > 0)) {
  print(load === undefined ? `Name a set: ${Object.keys(SETS).join(', ')}.` : '--dose is a number above 0.');
  process.exit(2);
}
const { here, missing } = await installedHere(chosen(await load()));
if (values.verify) await verifyAll(here);
else await playAll(here);

function chosen(cases: readonly Case[]): Case[] {
  const wanted = cases.filter(({ name, kind }) => `${name} ${kind}`.includes(values.only ?? ''));
  // Spread over the whole set.
  return wanted.filter((_, index) => Math.floor((index + 1) * dose) > Math.floor(index * dose));
}

async function installedHere(cases: readonly Case[]): Promise<{ here: Case[]; missing: Case[] }> {
  const needs = [...new Set(cases.map((one) => one.needs))];
  const codes = await Promise.all(needs.map(async (text) => (await finished('sh', ['-c', text], '/')).code));
  const failing = new Set(needs.filter((_, index) => codes[index] !== 0));
  const missing = cases.filter((one) => failing.has(one.needs));
  return { here: cases.filter((one) => !failing.has(one.needs)), missing };
}

async function playAll(cases: readonly Case[]): Promise<void> {
  const known = recorded();
  const bin = await program();
  const played = await inTurn(cases, async (one) => {
    const result = known.get(one.name) ?? (await playCase(one, bin, values.keep));
    if (!known.has(one.name)) record(result);
    if (!values.json) print(tableLine(result));
    return result;
  });
  const notRun = missing.map(({ name, needs }) => `not run: ${name}: \`${needs}\` fails here`);
  if (values.json) print(JSON.stringify({ set, cases: played, not_run: notRun }, null, 2));
  else for (const line of [...summary(played), ...notRun]) print(line);
  process.exitCode = played.every(isAsExpected) ? 0 : 1;
}

/** The built ralph; with `--unread` one that finds nothing in a diff by reading it. */
function program(): string | Promise<string> {
  if (!values.unread) return join(top, 'bin', 'ralph.js');
  const lab = openLab(top, dirname(process.argv[1] ?? ''));
  return lab.lacking({ 'packages/diff-review/src/review-diff.ts': 'no-review.ts' });
}

/** What an earlier, interrupted program wrote into the file of `--resume`, by name. */
function recorded(): ReadonlyMap<string, Played> {
  if (values.resume === undefined || !existsSync(values.resume)) return new Map();
  const lines = readFileSync(values.resume, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as Played).map((one) => [one.name, one]));
}

function record(result: Played): void {
  if (values.resume !== undefined) appendFileSync(values.resume, `${JSON.stringify(result)}\n`);
}

async function verifyAll(cases: readonly Case[]): Promise<void> {
  const problems = await inTurn(cases, async (one) => {
    const problem = await verifyCase(one);
    print(`${one.name}: ${problem ?? 'as it says'}`);
    return problem;
  });
  process.exitCode = problems.every((problem) => problem === null) ? 0 : 1;
}

async function inTurn<T>(cases: readonly Case[], play: (one: Case) => Promise<T>): Promise<T[]> {
  const left = [...cases];
  const results: T[] = [];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) results.push(await play(one));
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return results;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
