import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isolate } from '../test/helpers/isolate.ts';
import { randomNumbers } from '../test/helpers/random-tree.ts';
import type { Outcome, Row } from './row.ts';
import { ROWS } from './rows.ts';

/** Maximum number of broken trials that are printed for one row. */
const FAILURES_SHOWN = 20;

isolate();
// The repositories are made by this program, so ralph trusts them.
process.env.RALPH_TRUST = '1';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dose: { type: 'string', default: '1' },
    seed: { type: 'string' },
    list: { type: 'boolean' },
    attack: { type: 'string' },
    parts: { type: 'string' },
  },
});
const dose = Number(values.dose);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const unknown = positionals.filter((id) => !ROWS.some((row) => row.id === id));
if (unknown.length > 0 || !(dose > 0)) {
  const known = ROWS.map(({ id }) => id).join(', ');
  print(
    unknown.length > 0
      ? `There is no row ${unknown.join(', ')}. Rows: ${known}.`
      : '--dose is a number above 0.',
  );
  process.exit(2);
}
if (values.list) for (const row of ROWS) print(`${row.id.padEnd(16)} ${row.what}: ${row.target}`);
else await runRows(ROWS.filter(({ id }) => positionals.length === 0 || positionals.includes(id)));

async function runRows(rows: readonly Row[]): Promise<void> {
  print(`dose ${dose} of the full size, seed ${seed}`);
  let broken = 0;
  for (const row of rows) {
    const start = performance.now();
    const outcome = await runRow(row);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    progress('');
    print(line(row, outcome, seconds));
    if (outcome.kind !== 'measured' || outcome.failures.length === 0) continue;
    broken += 1;
    for (const failure of outcome.failures.slice(0, FAILURES_SHOWN)) print(`    ${failure}`);
    const more = outcome.failures.length - FAILURES_SHOWN;
    if (more > 0) print(`    … and ${more} more`);
  }
  if (broken > 0) print(`${broken} of ${rows.length} promises NOT KEPT`);
  process.exitCode = broken > 0 ? 1 : 0;
}

async function runRow(row: Row): Promise<Outcome> {
  try {
    return await row.run({
      size: (full, least = 1) => Math.max(least, Math.round(full * dose)),
      progress: (done, total, note = '') => progress(`${row.id} ${done} of ${total} ${note}`),
      random: randomNumbers(seed),
      root: process.env.TORTURE_ROOT ?? process.cwd(),
      attack: values.attack ?? null,
      parts: values.parts === undefined ? null : resolve(values.parts),
    });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'measured', trials: 0, result: 'the row itself broke', failures: [text] };
  }
}

function line(row: Row, outcome: Outcome, seconds: string): string {
  if (outcome.kind === 'not_run') return `${row.what}: not run: ${outcome.reason}`;
  const kept = outcome.failures.length === 0 ? 'kept' : 'NOT KEPT';
  return `${row.what}: ${outcome.trials} trials, ${outcome.result}; promise: ${row.target}: ${kept} (${seconds} s)`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
