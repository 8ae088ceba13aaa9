// Compares the classifier of src/timing with a person's labels: node scripts/eval-complexity.mjs [--errors] [FILE]
// A fifth of the tasks is held out by the hash of its id: `--errors` lists what went wrong in the other part alone, so
// that words are never chosen to fit the tasks that judge them. FILE: another labelled set of the same form.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

/** The quality bar of the specification, in percent. */
const TARGET = 80;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { errors: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const file = positionals[0] ?? join(root, 'test', 'eval', 'complexity-tasks.json');

const bundled = await build({
  stdin: {
    contents: "export { classify, classifyByTable, levelsOf } from './timing/index.ts';",
    resolveDir: join(root, 'src'),
    loader: 'ts',
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
const code = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
const { classify, classifyByTable, levelsOf } = await import(`data:text/javascript;base64,${code}`);

const levels = levelsOf({ complexity: {} });
const names = levels.map(({ name }) => name);
const heldOut = (id) => createHash('sha256').update(id).digest()[0] % 5 === 0;

const judged = JSON.parse(readFileSync(file, 'utf8')).tasks.map((item) => {
  const task = { ...item, complexity: null };
  const ours = classify(task, levels);
  return { item, ours, table: classifyByTable(task, levels), heldOut: heldOut(item.id) };
});

const out = (line = '') => process.stdout.write(`${line}\n`);
const share = (part, whole) => (whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`);
const agreeing = (list, by) => list.filter((entry) => entry[by].level === entry.item.label).length;

function agreement(title, list) {
  const cell = (by) => `${share(agreeing(list, by), list.length)} (${agreeing(list, by)} of ${list.length})`;
  out(`${title.padEnd(14)}  ${cell('ours').padEnd(22)}  ${cell('table')}`);
}

function confusion(title, list, by) {
  out(`${title}: rows are the labels, columns what was found`);
  out(['', ...names].map((name) => name.padStart(10)).join(''));
  for (const label of names) {
    const row = list.filter(({ item }) => item.label === label);
    const counts = names.map((name) => row.filter((entry) => entry[by].level === name).length);
    out([label, ...counts].map((value) => String(value).padStart(10)).join(''));
  }
  out();
}

const tuning = judged.filter((entry) => !entry.heldOut);
const held = judged.filter((entry) => entry.heldOut);
const unknown = judged.filter(({ item }) => !names.includes(item.label));
if (unknown.length > 0) {
  process.stderr.write(
    `${file}: no such level: ${unknown.map(({ item }) => `${item.id} ${item.label}`).join(', ')}\n`,
  );
  process.exit(2);
}

out(`${'agreement'.padEnd(14)}  ${'classifier'.padEnd(22)}  keyword table alone`);
agreement('all', judged);
agreement('tuning part', tuning);
agreement('held out', held);
out();
confusion('classifier, all', judged, 'ours');
confusion('classifier, held out', held, 'ours');
confusion('keyword table alone, all', judged, 'table');

if (values.errors) {
  for (const { item, ours } of tuning.filter((entry) => entry.ours.level !== entry.item.label)) {
    out(`${item.id}  ${item.label} → ${ours.level}  ${item.title}`);
    out(`    ${ours.matches.map(({ word, where, level }) => `${word} (${level}, ${where})`).join('; ')}`);
  }
  out();
}

const met = [judged, held].every((list) => agreeing(list, 'ours') * 100 >= TARGET * list.length);
out(`Target: at least ${TARGET} % of all and of the held-out part: ${met ? 'met' : 'not met'}.`);
process.exitCode = met ? 0 : 1;
