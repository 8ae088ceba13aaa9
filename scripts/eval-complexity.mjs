// Compares the classifier of src/decide/timing with labels given by hand: node scripts/eval-complexity.mjs [--tuning-only] [--errors]
// A fifth of the tasks is held out by the hash of its id: nothing is chosen or trained by it, and `--tuning-only`, for
// whoever changes words, forms or the training, does not judge it at all. Each task of the tuning part is judged by
// weights that were trained without it and its part (cross-validation); the held-out tasks by the shipped weights.
import { parseArgs } from 'node:util';
import { crossValidated, labelledTasks, timingRoom, trainedWeights } from './complexity-model.mjs';

/** Required agreement with the labels, in percent. */
const TARGET = 80;

const { values } = parseArgs({
  options: {
    'tuning-only': { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
  },
});

const room = await timingRoom();
const levels = room.levelsOf({ complexity: {} });
const names = levels.map(({ name }) => name);
const entries = labelledTasks();
const unknown = entries.filter(({ label }) => !names.includes(label));
if (unknown.length > 0) {
  process.stderr.write(`no such level: ${unknown.map(({ id, label }) => `${id} ${label}`).join(', ')}\n`);
  process.exit(2);
}

const tuning = entries.filter(({ heldOut }) => !heldOut);
const held = values['tuning-only'] ? [] : entries.filter(({ heldOut }) => heldOut);
const models = crossValidated(tuning, room);
const weights = trainedWeights(tuning, room);
const trained = room.modelOf(weights);
const upToDate = JSON.stringify(room.shippedWeights) === JSON.stringify(weights);

const judge = (entry, model) => ({
  entry,
  classifier: room.classify(entry.task, levels, (task) => room.ruleByModel(task, levels, model)),
  table: room.classifyByTable(entry.task, levels),
});
const byCrossValidation = tuning.map((entry) => judge(entry, models[entry.part]));
const byTrained = tuning.map((entry) => judge(entry, trained));
const byShipped = held.map((entry) => judge(entry));
const all = [...byCrossValidation, ...byShipped];

const out = (line = '') => process.stdout.write(`${line}\n`);
const share = (part, whole) => (whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`);
const agreeing = (list, by) => list.filter((one) => one[by].level === one.entry.label).length;
const baseAgreeing = (list) =>
  list.filter(({ entry, classifier }) => beforeRaise(classifier) === entry.label).length;

/** Returns the level by the text alone; more than three criteria raise it by one. */
function beforeRaise({ level, raised }) {
  return raised ? names[names.indexOf(level) - 1] : level;
}

function agreement(title, list) {
  const cell = (part) => `${share(part, list.length)} (${part} of ${list.length})`;
  out(
    `${title.padEnd(26)}  ${cell(agreeing(list, 'classifier')).padEnd(22)}  ${cell(agreeing(list, 'table')).padEnd(22)}  ${share(baseAgreeing(list), list.length)}`,
  );
}

function confusion(title, list, by) {
  if (list.length === 0) return;
  out(`${title}: rows are the labels, columns what was found`);
  out(['', ...names].map((name) => name.padStart(10)).join(''));
  for (const label of names) {
    const row = list.filter(({ entry }) => entry.label === label);
    const counts = names.map((name) => row.filter((one) => one[by].level === name).length);
    out([label, ...counts].map((value) => String(value).padStart(10)).join(''));
  }
  out();
}

out(
  `${'agreement'.padEnd(26)}  ${'classifier'.padEnd(22)}  ${'keyword table alone'.padEnd(22)}  without the raise`,
);
agreement('all (both below)', all);
agreement('tuning, cross-validated', byCrossValidation);
if (held.length > 0) agreement('held out, as shipped', byShipped);
out(
  `The weights agree with ${share(agreeing(byTrained, 'classifier'), tuning.length)} of the tasks that they were trained by, which says nothing of others.`,
);
out();
confusion('classifier, all', all, 'classifier');
confusion('classifier, tuning, cross-validated', byCrossValidation, 'classifier');
confusion('classifier, held out', byShipped, 'classifier');
confusion('keyword table alone, all', all, 'table');

if (values.errors) {
  for (const { entry, classifier } of byCrossValidation.filter(
    (one) => one.classifier.level !== one.entry.label,
  )) {
    out(`${entry.id}  ${entry.label} → ${classifier.level}  ${entry.task.title}`);
    out(
      `    ${classifier.matches.map(({ word, where, level }) => `${word} (${level}, ${where})`).join('; ')}`,
    );
  }
  out();
}

if (!upToDate) out('src/decide/timing/weights.json is not what these tasks give: npm run train:complexity');
else out('src/decide/timing/weights.json is what the tuning part gives.');
const judged = values['tuning-only'] ? 'the tuning part' : 'all and of the held-out part';
const met = [all, byShipped].every((list) => agreeing(list, 'classifier') * 100 >= TARGET * list.length);
out(`Target: at least ${TARGET} % of ${judged}: ${met ? 'met' : 'not met'}.`);
process.exitCode = met && upToDate ? 0 : 1;
