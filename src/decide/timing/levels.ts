import type { Config } from '../../domain/config.ts';
import { own } from '../../lib/own.ts';

export type AdaptiveTimeout = Config['adaptive_timeout'];

/** A complexity level. */
export type Level = {
  readonly name: string;
  /** Seconds that apply where the mode has no timeout of its own. */
  readonly baseSeconds: number;
  readonly multiplier: number;
  readonly keywords: readonly string[];
  /** The keywords are yours: they replace all that ralph knows of the level, and they win. */
  readonly personal: boolean;
};

export const BUILT_IN_LEVEL_NAMES = ['simple', 'medium', 'complex', 'ui_heavy'] as const;
export type BuiltInLevelName = (typeof BUILT_IN_LEVEL_NAMES)[number];

/** The level of a task whose text gives no hint. */
export const DEFAULT_LEVEL = 'medium' satisfies BuiltInLevelName;

type Figures = Pick<Level, 'baseSeconds' | 'multiplier' | 'keywords'>;

/** The table of spec 2, Complexity of a task. */
const BUILT_IN: Readonly<Record<BuiltInLevelName, Figures>> = {
  simple: { baseSeconds: 60, multiplier: 1, keywords: ['fix', 'update', 'refactor', 'add'] },
  medium: { baseSeconds: 180, multiplier: 1.5, keywords: ['test', 'mock', 'fixture'] },
  complex: { baseSeconds: 300, multiplier: 2, keywords: ['CLI', 'command', 'parser'] },
  ui_heavy: {
    baseSeconds: 600,
    multiplier: 3,
    keywords: ['UI', 'View', 'Chart', 'Dashboard', 'SwiftUI'],
  },
};

/**
 * The levels from the least to the most time: the built-in ones as `[adaptive_timeout.complexity.NAME]` changes them,
 * then your own in the order of the file. What such a level leaves out is as in `medium`.
 */
export function levelsOf(settings: Pick<AdaptiveTimeout, 'complexity'>): readonly Level[] {
  const { complexity } = settings;
  const added = Object.keys(complexity).filter((name) => !Object.hasOwn(BUILT_IN, name));
  const level = (name: string, figures: Figures): Level => {
    const configured = own(complexity, name);
    return {
      name,
      baseSeconds: configured?.base_timeout ?? figures.baseSeconds,
      multiplier: configured?.multiplier ?? figures.multiplier,
      keywords: configured?.keywords ?? figures.keywords,
      // Those of the table, written out, take nothing away from the other levels.
      personal: configured?.keywords !== undefined && !isSame(configured.keywords, figures.keywords),
    };
  };
  const builtIn = BUILT_IN_LEVEL_NAMES.map((name) => level(name, BUILT_IN[name]));
  const { baseSeconds, multiplier } = levelNamed(builtIn, DEFAULT_LEVEL);
  return [...builtIn, ...added.map((name) => level(name, { baseSeconds, multiplier, keywords: [] }))];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  const fold = (words: readonly string[]) =>
    words
      .map((word) => word.toLowerCase())
      .toSorted()
      .join('\n');
  return fold(some) === fold(others);
}

/** The level of that name, else the default one. */
export function levelNamed(levels: readonly Level[], name: string): Level {
  const found =
    levels.find((level) => level.name === name) ?? levels.find((level) => level.name === DEFAULT_LEVEL);
  if (found === undefined) throw new Error(`no level ${name}, and no ${DEFAULT_LEVEL} either`);
  return found;
}
