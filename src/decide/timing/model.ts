import { type DescribedTask, type Feature, featuresOf, type Place, titleName } from './features.ts';
import { BUILT_IN_LEVEL_NAMES, DEFAULT_LEVEL, type Level } from './levels.ts';
import weights from './weights.json' with { type: 'json' };

export type WordMatch = {
  readonly word: string;
  readonly where: Place;
  readonly level: string;
  readonly weight: number;
};

export type Ruling = {
  readonly level: string;
  readonly deciding: readonly WordMatch[];
  readonly others: readonly WordMatch[];
};

export function rulingOf(level: string, found: readonly WordMatch[]): Ruling {
  const sorted = found.toSorted((a, b) => b.weight - a.weight);
  return {
    level,
    deciding: sorted.filter((one) => one.level === level),
    others: sorted.filter((one) => one.level !== level),
  };
}

/** Weights of a feature for each built-in level, in hundredths. */
type Weights = readonly number[];
/**
 * Weights by name of the feature, from `weights.json` (`npm run train:complexity`). Names with `title:` are extra
 * weights for words in a title.
 */
export type Model = ReadonlyMap<string, Weights>;

/** Hundredths by which another level must exceed the default one, because one weak hint isn't enough. */
const MARGIN = 10;

/** Hundredths by which a feature must favour a level over the mean of the others to be shown as a reason. */
const SPEAKS = 10;

let shipped: Model | null = null;

/** Returns the built-in model, which is loaded at its first use, so that commands without it start faster. */
function shippedModel(): Model {
  shipped ??= modelOf(weights);
  return shipped;
}

export function modelOf(weights: Readonly<Record<string, Weights>>): Model {
  return new Map(Object.entries(weights));
}

/**
 * Returns the level with the largest weight; `null`: there is no hint. Filler words alone aren't evidence for a level.
 */
export function ruleByModel(
  task: DescribedTask,
  levels: readonly Level[],
  model: Model = shippedModel(),
): Ruling | null {
  const features = featuresOf(task);
  const byAll = ruleBy(features, model);
  const telling = () => features.filter(({ filler }) => !filler);
  const ruling = byAll.deciding.length > 0 ? byAll : ruleBy(telling(), model);
  // Your keywords for a level replace everything built-in about it.
  const replaced = levels.some(({ name, personal }) => name === ruling.level && personal);
  return replaced || ruling.deciding.length === 0 || isAlone(ruling, levels) ? null : ruling;
}

/** Returns whether a single word outside of the keyword table is the only evidence, which isn't enough. */
function isAlone({ level, deciding }: Ruling, levels: readonly Level[]): boolean {
  const [first, ...more] = deciding;
  if (first === undefined || more.length > 0 || level !== 'ui_heavy') return false;
  const word = first.word.toLowerCase();
  const keywords = levels.flatMap((one) => one.keywords.map((keyword) => keyword.toLowerCase()));
  return !keywords.some((keyword) => word === keyword || word === `${keyword}s`);
}

function ruleBy(features: readonly Feature[], model: Model): Ruling {
  const sums = BUILT_IN_LEVEL_NAMES.map(() => 0);
  const matches: WordMatch[] = [];
  for (const feature of features) {
    const weights = weightsOf(feature, model);
    if (weights === undefined) continue;
    for (const [index, weight] of weights.entries()) sums[index] = (sums[index] ?? 0) + weight;
    const most = Math.max(...weights);
    const level = BUILT_IN_LEVEL_NAMES[weights.indexOf(most)];
    if (level === undefined || most < SPEAKS || feature.filler) continue;
    // Several features may match the same text, which is listed only once.
    const listed = matches.some((one) => one.word === feature.text && one.level === level);
    if (!listed) matches.push({ word: feature.text, where: feature.where, level, weight: most });
  }
  return rulingOf(heaviest(sums), matches);
}

function weightsOf({ name, where }: Feature, model: Model): Weights | undefined {
  const anywhere = model.get(name);
  const inTitle = where === 'title' ? model.get(titleName(name)) : undefined;
  if (anywhere === undefined || inTitle === undefined) return anywhere ?? inTitle;
  return anywhere.map((weight, index) => weight + (inTitle[index] ?? 0));
}

/** Returns the level with the largest sum. Of equal sums, the level with more time counts. */
function heaviest(sums: readonly number[]): string {
  const least = (sums[BUILT_IN_LEVEL_NAMES.indexOf(DEFAULT_LEVEL)] ?? 0) + MARGIN;
  const most = Math.max(...sums);
  return most < least ? DEFAULT_LEVEL : (BUILT_IN_LEVEL_NAMES[sums.lastIndexOf(most)] ?? DEFAULT_LEVEL);
}
