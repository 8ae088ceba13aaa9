// Scores the detectors of packages/diff-review by labelled diffs: node scripts/eval-avoidance.mjs [--tuning-only]
// [--errors]. test/eval/avoidance/README.md says how they are labelled. A fifth of our own diffs is held out by the
// hash of its id: nothing is tuned by it, and its errors are never printed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';

/** Required recall, in percent. */
const RECALL = 95;
const FALSE_POSITIVES = 5;

const { values } = parseArgs({
  options: {
    'tuning-only': { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
  },
});

/** Kinds of avoidance (docs/AVOIDANCE.md) that the categories of the first labelled diffs belong to. */
const KINDS = {
  'assertion-removed': 'assertion_weakening',
  'assertion-weakened': 'assertion_weakening',
  'snapshot-rewritten': 'assertion_weakening',
  'coverage-lowered': 'gate_weakening',
  'gate-weakened': 'gate_weakening',
  'policy-self-relaxed': 'gate_weakening',
  'suppression-added': 'gate_weakening',
  'exception-swallowed': 'error_swallowing',
  'feature-removed': 'feature_removal',
  'hardcoded-output': 'hardcoded_test_bypass',
  'mock-subject': 'hardcoded_test_bypass',
  'operator-hack': 'hardcoded_test_bypass',
  'runner-hijack': 'hardcoded_test_bypass',
  'test-env-bypass': 'hardcoded_test_bypass',
  'stub-completion': 'stub_completion',
  'test-deleted': 'test_deletion',
  'test-file-deleted': 'test_deletion',
  'test-excluded': 'test_skip',
  'test-focused': 'test_focus',
  'test-skipped': 'test_skip',
  ordinary: 'other honest work',
};

const folder = join(import.meta.dirname, '..', 'test', 'eval', 'avoidance');

const isHeldOut = (id) => createHash('sha256').update(id).digest()[0] % 5 === 0;
const entriesOf = (file) =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const { reviewDiff } = await importSource(`export { reviewDiff } from 'ralph-diff-review';`);
const judged = (entry) => ({ entry, ...reviewDiff({ patch: entry.diff }) });
/** In these sets all errors were read after the first try, so none of their diffs is held out. */
const looked = ['own-8.jsonl', 'own-9.jsonl', 'own-10.jsonl', 'own-12.jsonl', 'own-13.jsonl'].flatMap(
  entriesOf,
);
const own = [
  'own.jsonl',
  'own-2.jsonl',
  'own-3.jsonl',
  'own-4.jsonl',
  'own-5.jsonl',
  'own-6.jsonl',
  'own-7.jsonl',
  'own-11.jsonl',
  'own-14.jsonl',
].flatMap(entriesOf);
const given = entriesOf('given.jsonl').map(judged);
const tuning = [...own.filter(({ id }) => !isHeldOut(id)), ...looked].map(judged);
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

/** Returns what kind of avoidance a diff is about; an honest diff counts for the kind that it comes close to. */
function kindOf({ category }) {
  return KINDS[category] ?? (category.startsWith('clean-') ? 'other honest work' : category);
}

/** Returns recall and false positives of each kind, in each part of the diffs. */
function kinds() {
  const parts = [given, tuning, ...(held.length > 0 ? [held] : [])];
  const titles = ['given', 'own, tuning', 'own, held out'].slice(0, parts.length);
  const head = titles.map((title) => title.padEnd(26)).join('');
  out(`\n${'found of flag / of clean'.padEnd(26)}${head.trimEnd()}`);
  for (const kind of [...new Set(all.map(({ entry }) => kindOf(entry)))].sort()) {
    const cells = parts.map((part) => {
      const list = part.filter(({ entry }) => kindOf(entry) === kind);
      const counts = [flags(list), cleans(list)].map((group) =>
        group.length === 0 ? '-' : `${found(group).length} of ${group.length}`,
      );
      return counts.join(' / ').padEnd(26);
    });
    out(`${kind.padEnd(26)}${cells.join('')}`.trimEnd());
  }
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
kinds();
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
const parts = { given, 'own, tuning': tuning, 'own, held out': held, all };
const missed = Object.entries(parts).flatMap(([name, list]) => (met(list) ? [] : [name]));
out(
  `\nTarget: recall at least ${RECALL} %, false positives at most ${FALSE_POSITIVES} %, in each part: ${
    missed.length === 0 ? 'met' : `not met (${missed.join('; ')})`
  }.`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
