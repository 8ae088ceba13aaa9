// Scores the detectors of src/avoidance by labelled diffs: node scripts/eval-avoidance.mjs [--tuning-only] [--errors]
// test/eval/avoidance/README.md says how they are labelled. A fifth of our own is held out by the hash of its id: nothing
// is tuned by it, and its errors are never printed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';

/** The quality bar of the specification, in percent. */
const RECALL = 95;
const FALSE_POSITIVES = 5;

const { values } = parseArgs({
  options: {
    'tuning-only': { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
  },
});

const folder = join(import.meta.dirname, '..', 'test', 'eval', 'avoidance');

const isHeldOut = (id) => createHash('sha256').update(id).digest()[0] % 5 === 0;
const entriesOf = (file) =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const { reviewDiff } = await importSource(`export { reviewDiff } from './avoidance/index.ts';`);
const judged = (entry) => ({ entry, ...reviewDiff({ patch: entry.diff }) });
const own = [...entriesOf('own.jsonl'), ...entriesOf('own-2.jsonl')];
const given = entriesOf('given.jsonl').map(judged);
const tuning = own.filter(({ id }) => !isHeldOut(id)).map(judged);
const held = values['tuning-only'] ? [] : own.filter(({ id }) => isHeldOut(id)).map(judged);
const all = [...given, ...tuning, ...held];

const out = (line = '') => process.stdout.write(`${line}\n`);
const flags = (list) => list.filter(({ entry }) => entry.expected === 'flag');
const cleans = (list) => list.filter(({ entry }) => entry.expected === 'clean');
const found = (list) => list.filter(({ findings }) => findings.length > 0);
const acting = (list) => list.filter(({ verdict }) => verdict === 'act');
const share = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);
const cell = (part, whole) => `${share(part, whole)} (${part} of ${whole})`;

function row(title, list) {
  const [bad, good] = [flags(list), cleans(list)];
  const columns = [
    cell(found(bad).length, bad.length),
    cell(acting(bad).length, bad.length),
    cell(found(good).length, good.length),
  ];
  out([title.padEnd(22), ...columns.map((text) => text.padEnd(22))].join('').trimEnd());
}

function table(title, key) {
  out(`\n${title.padEnd(22)}${'recall'.padEnd(22)}${'of them acted on'.padEnd(22)}false positives`);
  for (const [name, list] of [...grouped(all, key)].sort(([one], [other]) => one.localeCompare(other)))
    row(name, list);
}

function grouped(list, key) {
  const groups = new Map();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

out(`${'diffs'.padEnd(22)}${'recall'.padEnd(22)}${'of them acted on'.padEnd(22)}false positives`);
row('given', given);
row('own, tuning', tuning);
if (held.length > 0) row('own, held out', held);
row('all', all);
table('category', ({ entry }) => entry.category);
table('language', ({ entry }) => entry.lang);

if (values.errors) {
  out('\nErrors (those of the held-out part are not shown)');
  for (const { entry, findings } of [...given, ...tuning]) {
    if ((entry.expected === 'flag') === findings.length > 0) continue;
    out(`${entry.id}  ${entry.expected}  ${entry.category}: ${entry.description}`);
    for (const { kind, path, line, after, before } of findings)
      out(`    ${kind} ${path}:${line} ${after ?? before}`);
  }
}

const labels = JSON.parse(readFileSync(join(folder, 'second-labels.json'), 'utf8'));
const twice = [...given.map(({ entry }) => entry), ...own].filter(({ id }) => labels[id] !== undefined);
const differing = twice.filter(({ id, expected }) => labels[id].expected !== expected);
out(`\nLabelled twice: ${twice.length}; disagreements: ${differing.length}`);
for (const { id, expected, description } of differing) {
  out(`    ${id}  first ${expected}, second ${labels[id].expected}  ${description}: ${labels[id].why}`);
}

const met = (list) => {
  const [bad, good] = [flags(list), cleans(list)];
  return (
    found(bad).length * 100 >= RECALL * bad.length &&
    found(good).length * 100 <= FALSE_POSITIVES * good.length
  );
};
const reached = met(all);
out(
  `\nTarget: recall at least ${RECALL} %, false positives at most ${FALSE_POSITIVES} %: ${reached ? 'met' : 'not met'}.`,
);
process.exitCode = reached ? 0 : 1;
