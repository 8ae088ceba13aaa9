// Counts how many right and wrong changes of public libraries `ralph verify` blocks: npm run eval:proof -- --work
// FOLDER [--clones FOLDER] [--changes N] [--only LIBRARY] [--seed TEXT] [--table]. docs/internals/evaluation.md says
// how changes are made. Judged cases are kept in FOLDER, a line each, and aren't judged again; `--table` only prints
// the table of them. Each library's tests also run outside of the box.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { candidatesOf, casesOf } from './eval-proof/cases.mjs';
import { openCheckout } from './eval-proof/checkout.mjs';
import { diced } from './eval-proof/dice.mjs';
import { byHeldOut, byRalph, byTests } from './eval-proof/judge.mjs';
import { tablesOf } from './eval-proof/table.mjs';

const LIBRARIES = resolve(import.meta.dirname, '..', 'test', 'eval', 'proof', 'libraries.json');
/** One of so many changes is judged a second time, to see whether the answer is the same. */
const TWICE = 10;

const { values } = parseArgs({
  options: {
    work: { type: 'string' },
    clones: { type: 'string' },
    changes: { type: 'string', default: '12' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    table: { type: 'boolean', default: false },
  },
});
if (values.work === undefined) throw new Error('--work FOLDER is missing: what was judged is kept there.');
const work = resolve(values.work);
mkdirSync(work, { recursive: true });
const [looked, judged] = [linesOf('commits.jsonl'), linesOf('judged.jsonl')];
if (!values.table) {
  const named = JSON.parse(readFileSync(LIBRARIES, 'utf8')).filter(({ name }) =>
    [undefined, name].includes(values.only),
  );
  const libraries = named.map(start);
  // Libraries take turns with one change each, so that a program that is stopped has judged changes of all libraries.
  for (let round = 0; round < Number(values.changes); round++)
    for (const library of libraries) judgeNext(library);
}
process.stdout.write(`${tablesOf(judged.all)}\n`);

function start(library) {
  const checkout = openCheckout(library, join(work, 'checkouts'), values.clones);
  return { library, checkout, left: candidatesOf(library, checkout) };
}

/** Judges the cases of the newest commit that gives some and wasn't used yet. */
function judgeNext({ library, checkout, left }) {
  while (left.length > 0) {
    const commit = left.shift();
    const key = `${library.name} ${commit.id.slice(0, 12)}`;
    const made =
      looked.byId.get(key) ?? looked.add({ id: key, ...casesOf(library, checkout, commit, values.seed) });
    if (made.why !== undefined) continue;
    for (const [index, one] of made.cases.entries())
      judgeCase({ library, checkout, commit, key, made, one, index });
    return;
  }
}

function judgeCase({ library, checkout, commit, key, made, one, index }) {
  const id = `${key} ${one.kind} ${index}`;
  if (judged.byId.has(id)) return;
  const change = { ...commit, ...one, subject: made.subject, heldOut: made.heldOut };
  const tests = byTests(library, checkout, change);
  const ralph = byRalph(library, checkout, change, work);
  const again = diced(`${values.seed} ${id}`) % TWICE === 0 ? byRalph(library, checkout, change, work) : null;
  // A change that isn't verified without another gate isn't verified with it, either.
  const heldOut = ralph.verdict === 'not_verified' ? ralph : byHeldOut(library, checkout, change, work);
  const { kind, seen, mistake, isFirst = false } = one;
  const { subject, pieces, isPart, needsWork } = made;
  judged.add({
    ...{ id, library: library.name, kind, seen, mistake, isFirst, subject, pieces, isPart, needsWork },
    ...{ tests, ralph, again, heldOut },
  });
  process.stderr.write(
    `${new Date().toISOString()} ${id}: tests ${tests}, ralph ${ralph.verdict}, held out ${heldOut.verdict}\n`,
  );
}

/** Returns the lines of a JSON file in the work folder, each with an id. */
function linesOf(name) {
  const path = join(work, name);
  const all = existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const byId = new Map(all.map((one) => [one.id, one]));
  const add = (one) => {
    appendFileSync(path, `${JSON.stringify(one)}\n`);
    all.push(one);
    byId.set(one.id, one);
    return one;
  };
  return { all, byId, add };
}
