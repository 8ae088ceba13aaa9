// What scripts/train-complexity.mjs and scripts/eval-complexity.mjs share: the labelled tasks, and how weights are
// trained from them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', 'eval');

/**
 * Number of parts of the tuning tasks for cross-validation. A fifth of all tasks is held out: nothing is chosen or
 * trained by it.
 */
const PARTS = 5;

/** Strength of the L2 penalty on weights, compared with the sum of the tasks' losses. */
const HELD_TO_ZERO = 4;
/** Number of tasks with a word or form below which it gets no weights. */
const FEWEST_TASKS = 2;
/** A word or form gets no weights either if its largest one, in hundredths, is below this. */
const LEAST_WEIGHT = 4;
/** Each keyword of the built-in table (docs/ADAPTIVE_TIMEOUT.md) counts as this many tasks. */
const TABLE_SHARE = 3;
/** Number of steps of the descent. With 300 steps the cross-validated agreement didn't improve. */
const STEPS = 80;

/** Loads the room src/decide/timing, with functions that other rooms don't see. */
export function timingRoom() {
  return importSource(`
    export { classify, classifyByTable, levelsOf } from './decide/timing/index.ts';
    export { featuresOf, titleName } from './decide/timing/features.ts';
    export { modelOf, ruleByModel } from './decide/timing/model.ts';
    export { default as shippedWeights } from './decide/timing/weights.json';`);
}

/** Returns the labelled tasks of all sets; `part` is the part of the tuning tasks that contains a task. */
export function labelledTasks() {
  const files = readdirSync(folder).filter((file) => /^complexity-tasks.*\.json$/.test(file));
  return files.toSorted().flatMap((file) =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')).tasks.map(({ id, label, ...task }) => {
      const hash = createHash('sha256').update(id).digest();
      return {
        id,
        label,
        file,
        task: { ...task, complexity: null },
        heldOut: hash[0] % 5 === 0,
        part: hash[1] % PARTS,
      };
    }),
  );
}

/** Returns for each part of the tuning tasks the model that is trained with the other parts. */
export function crossValidated(tuning, room) {
  return Array.from({ length: PARTS }, (_, part) => {
    const others = tuning.filter((entry) => entry.part !== part);
    return room.modelOf(trainedWeights(others, room));
  });
}

/**
 * Trains a multinomial logistic regression with L2 over words and forms that a task has or hasn't. Returns an object:
 * each feature with its weights for the levels, in hundredths. Nothing is random.
 */
export function trainedWeights(entries, room) {
  const levels = room.levelsOf({ complexity: {} });
  const examples = [...entries, ...tableExamples(levels), ...everydayExamples()].map(
    ({ task, label, share = 1 }) => ({
      names: namesOf(task, room),
      label: levels.findIndex(({ name }) => name === label),
      share,
    }),
  );
  const counts = new Map();
  for (const name of examples.flatMap(({ names }) => names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()].filter((name) => counts.get(name) >= FEWEST_TASKS).toSorted();
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const rows = examples.map((example) => ({
    label: example.label,
    share: example.share,
    features: example.names.flatMap((name) => indexOf.get(name) ?? []),
  }));
  const weights = descend((at) => lossOf(rows, levels.length, at), names.length * levels.length);
  const hundredths = names.map((name, index) => [
    name,
    // Adding 0 turns -0 into 0, as JSON writes it.
    levels.map((_, level) => Math.round(100 * weights[index * levels.length + level]) + 0),
  ]);
  return Object.fromEntries(
    hundredths.filter(([, values]) => Math.max(...values.map(Math.abs)) >= LEAST_WEIGHT),
  );
}

/** Returns each keyword of the built-in table as a task of its own, because its level is known, too. */
function tableExamples(levels) {
  return levels.flatMap(({ name, keywords }) =>
    keywords
      .flatMap((keyword) => [keyword, `${keyword}s`, `${keyword}, ${keyword}s`])
      .map((title) => ({ label: name, share: TABLE_SHARE, task: plainTask(title) })),
  );
}

/** Returns plain titles, of which the labelled sets have few. */
function everydayExamples() {
  const { $schema_note, ...titles } = JSON.parse(readFileSync(join(folder, 'everyday-titles.json'), 'utf8'));
  return Object.entries(titles).flatMap(([label, list]) =>
    list.map((line) => ({ label, task: plainTask(...line.split(/ \| ?/)) })),
  );
}

function plainTask(title, description = '', criteria = '') {
  const acceptance = criteria === '' ? [] : criteria.split('; ');
  return { title, description: description.trim(), acceptance, complexity: null };
}

function namesOf(task, { featuresOf, titleName }) {
  return featuresOf(task).flatMap(({ name, where }) =>
    where === 'title' ? [name, titleName(name)] : [name],
  );
}

/** Returns the loss of these weights, and its gradient. */
function lossOf(rows, levels, weights) {
  const slope = weights.map((weight) => HELD_TO_ZERO * weight);
  let loss = (HELD_TO_ZERO / 2) * dot(weights, weights);
  const sums = new Float64Array(levels);
  for (const { label, share, features } of rows) {
    sums.fill(0);
    for (const feature of features) {
      for (let level = 0; level < levels; level += 1) sums[level] += weights[feature * levels + level];
    }
    const most = Math.max(...sums);
    const total = sums.reduce((before, sum) => before + Math.exp(sum - most), 0);
    loss += share * (Math.log(total) + most - sums[label]);
    for (let level = 0; level < levels; level += 1) {
      sums[level] = share * (Math.exp(sums[level] - most) / total - (level === label ? 1 : 0));
    }
    for (const feature of features) {
      for (let level = 0; level < levels; level += 1) slope[feature * levels + level] += sums[level];
    }
  }
  return { loss, slope };
}

/** Gradient descent with momentum, which is reset when the loss would rise. */
function descend(judge, length) {
  let weights = new Float64Array(length);
  let ahead = weights;
  let here = judge(ahead);
  let momentum = 1;
  let step = 0.02;
  for (let count = 0; count < STEPS; count += 1) {
    let next = moved(ahead, here.slope, step);
    const steepness = dot(here.slope, here.slope);
    while (judge(next).loss > here.loss - (step / 2) * steepness) {
      step /= 2;
      next = moved(ahead, here.slope, step);
    }
    const later = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const share = (momentum - 1) / later;
    ahead = next.map((weight, index) => weight + share * (weight - weights[index]));
    weights = next;
    here = judge(ahead);
    momentum = later;
  }
  return weights;
}

function moved(weights, slope, step) {
  return weights.map((weight, index) => weight - step * slope[index]);
}

function dot(a, b) {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index] * b[index];
  return sum;
}
