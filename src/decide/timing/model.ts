import { type DescribedTask, type Feature, featuresOf, type Place, titleName } from './features.ts';
import { BUILT_IN_LEVEL_NAMES, DEFAULT_LEVEL, type Level } from './levels.ts';
import weights from './weights.json' with { type: 'json' };

/** A word, keyword or form of a task that speaks for a level. */
export type Found = {
  /** As the task spells it. */
  readonly word: string;
  readonly where: Place;
  readonly level: string;
  readonly weight: number;
};

/** A level and what it rests on. */
export type Ruling = {
  readonly level: string;
  /** What speaks for the level, the weightiest first. */
  readonly deciding: readonly Found[];
  /** What speaks for other levels. */
  readonly others: readonly Found[];
};

/** What was found, parted by whether it speaks for this level. */
export function rulingOf(level: string, found: readonly Found[]): Ruling {
  const sorted = found.toSorted((a, b) => b.weight - a.weight);
  return {
    level,
    deciding: sorted.filter((one) => one.level === level),
    others: sorted.filter((one) => one.level !== level),
  };
}

/** For each built-in level what a feature adds to it, in hundredths. */
type Weights = readonly number[];
/**
 * Weights by the name of the feature. The shipped ones, `weights.json`, are made by `npm run train:complexity`: names
 * are words without their plural `s` and forms; what follows `title:` is added for a word of the title.
 */
export type Model = ReadonlyMap<string, Weights>;

/** A level other than the default one needs this much more, in hundredths: one weak hint isn't a reason. */
const MARGIN = 10;

/** A feature is shown where it adds this much more to a level than to the others on average, in hundredths. */
const SPEAKS = 10;

let shipped: Model | null = null;

/** Made at the first use: commands that classify nothing need not wait for it. */
function shippedModel(): Model {
  shipped ??= modelOf(weights);
  return shipped;
}

export function modelOf(weights: Readonly<Record<string, Weights>>): Model {
  return new Map(Object.entries(weights));
}

/**
 * The level whose words and forms weigh most; `null` where the text gives no hint. Where only fillers speak for that
 * level, they don't count.
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
  // Your keywords replace all that is known of a level.
  const replaced = levels.some(({ name, personal }) => name === ruling.level && personal);
  return replaced || ruling.deciding.length === 0 || isAlone(ruling, levels) ? null : ruling;
}

/** One word that isn't in the keyword table decides nothing alone. */
function isAlone({ level, deciding }: Ruling, levels: readonly Level[]): boolean {
  const [first, ...more] = deciding;
  if (first === undefined || more.length > 0 || level !== 'ui_heavy') return false;
  const word = first.word.toLowerCase();
  const keywords = levels.flatMap((one) => one.keywords.map((keyword) => keyword.toLowerCase()));
  return !keywords.some((keyword) => word === keyword || word === `${keyword}s`);
}

function ruleBy(features: readonly Feature[], model: Model): Ruling {
  const sums = BUILT_IN_LEVEL_NAMES.map(() => 0);
  const found: Found[] = [];
  for (const feature of features) {
    const weights = weightsOf(feature, model);
    if (weights === undefined) continue;
    for (const [index, weight] of weights.entries()) sums[index] = (sums[index] ?? 0) + weight;
    const most = Math.max(...weights);
    const level = BUILT_IN_LEVEL_NAMES[weights.indexOf(most)];
    if (level === undefined || most < SPEAKS || feature.filler) continue;
    // A text may have several forms, or be a word as well; it is listed once.
    const listed = found.some((one) => one.word === feature.text && one.level === level);
    if (!listed) found.push({ word: feature.text, where: feature.where, level, weight: most });
  }
  return rulingOf(heaviest(sums), found);
}

function weightsOf({ name, where }: Feature, model: Model): Weights | undefined {
  const anywhere = model.get(name);
  const inTitle = where === 'title' ? model.get(titleName(name)) : undefined;
  if (anywhere === undefined || inTitle === undefined) return anywhere ?? inTitle;
  return anywhere.map((weight, index) => weight + (inTitle[index] ?? 0));
}

/** Of equal sums the level with more time. */
function heaviest(sums: readonly number[]): string {
  const least = (sums[BUILT_IN_LEVEL_NAMES.indexOf(DEFAULT_LEVEL)] ?? 0) + MARGIN;
  const most = Math.max(...sums);
  return most < least ? DEFAULT_LEVEL : (BUILT_IN_LEVEL_NAMES[sums.lastIndexOf(most)] ?? DEFAULT_LEVEL);
}
