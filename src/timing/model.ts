import { type DescribedTask, type Feature, featuresOf, titleName } from './features.ts';
import { BUILT_IN_LEVEL_NAMES, DEFAULT_LEVEL, type Level } from './levels.ts';
import { type Found, type Ruling, rulingOf } from './ruling.ts';
import { WEIGHTS } from './weights.ts';

/** For each built-in level what a feature adds to it, in hundredths. */
type Weights = readonly number[];
/** Weights by the name of the feature; as they are written until they are looked for. */
export type Model = Map<string, string | Weights>;

/** A level other than the default one needs this much more, in hundredths: one weak hint is no reason. */
const MARGIN = 10;

/** A feature is shown where it adds this much more to a level than to the others on average, in hundredths. */
const SPEAKS = 10;

let shipped: Model | null = null;

/** The weights of `weights.ts`, read at the first use: commands that classify nothing need not wait for them. */
function shippedModel(): Model {
  shipped ??= readModel(WEIGHTS);
  return shipped;
}

/** One feature a line: its name and its weights. Few of them are looked for in one run, so the figures can wait. */
export function readModel(text: string): Model {
  return new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line]));
}

function weightsNamed(name: string, model: Model): Weights | null {
  const known = model.get(name) ?? null;
  if (typeof known !== 'string') return known;
  const weights = known.split(' ').slice(1).map(Number);
  model.set(name, weights);
  return weights;
}

/** The level whose words and forms weigh most; `null` where nothing in the text tells. */
export function ruleByModel(
  task: DescribedTask,
  levels: readonly Level[],
  model: Model = shippedModel(),
): Ruling | null {
  const sums = BUILT_IN_LEVEL_NAMES.map(() => 0);
  const found: Found[] = [];
  for (const feature of featuresOf(task)) {
    const weights = weightsOf(feature, model);
    if (weights === null) continue;
    for (const [index, weight] of weights.entries()) sums[index] = (sums[index] ?? 0) + weight;
    const most = Math.max(...weights);
    const level = BUILT_IN_LEVEL_NAMES[weights.indexOf(most)];
    if (level === undefined || most < SPEAKS) continue;
    // A text may have several forms, or be a word as well; it is told once.
    const told = found.some((one) => one.word === feature.text && one.level === level);
    if (!told) found.push({ word: feature.text, where: feature.where, level, weight: most });
  }
  const level = heaviest(sums);
  // A person's keywords replace all that is known of a level.
  const replaced = levels.some(({ name, personal }) => name === level && personal);
  const ruling = rulingOf(level, found);
  return replaced || ruling.deciding.length === 0 ? null : ruling;
}

function weightsOf({ name, where }: Feature, model: Model): Weights | null {
  const anywhere = weightsNamed(name, model);
  const inTitle = where === 'title' ? weightsNamed(titleName(name), model) : null;
  if (anywhere === null || inTitle === null) return anywhere ?? inTitle;
  return anywhere.map((weight, index) => weight + (inTitle[index] ?? 0));
}

/** Of equal sums the level with more time. */
function heaviest(sums: readonly number[]): string {
  const least = (sums[BUILT_IN_LEVEL_NAMES.indexOf(DEFAULT_LEVEL)] ?? 0) + MARGIN;
  const most = Math.max(...sums);
  return most < least ? DEFAULT_LEVEL : (BUILT_IN_LEVEL_NAMES[sums.lastIndexOf(most)] ?? DEFAULT_LEVEL);
}
