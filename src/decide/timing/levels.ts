import { own } from 'ralph-kit/own';
import type { Config } from '../../domain/config.ts';

export type AdaptiveTimeout = Config['adaptive_timeout'];

export type Level = {
  readonly name: string;
  /** Seconds of an attempt if the mode has no timeout. */
  readonly baseSeconds: number;
  readonly multiplier: number;
  readonly keywords: readonly string[];
  /** Whether the keywords are yours. They replace everything that ralph knows about the level, and come first. */
  readonly personal: boolean;
};

export const BUILT_IN_LEVEL_NAMES = ['simple', 'medium', 'complex', 'ui_heavy'] as const;
export type BuiltInLevelName = (typeof BUILT_IN_LEVEL_NAMES)[number];

export const DEFAULT_LEVEL = 'medium' satisfies BuiltInLevelName;

type Figures = Pick<Level, 'baseSeconds' | 'multiplier' | 'keywords'>;

/** Levels by the table in docs/ADAPTIVE_TIMEOUT.md. */
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
 * Returns all levels with your settings in `[adaptive_timeout.complexity]`, your own levels last. Values that you left
 * out are those of `medium`.
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
      // Keywords that only repeat the table must not override those of other levels.
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

/** Returns the level with this name, otherwise the default level. @throws Error if there is neither. */
export function levelNamed(levels: readonly Level[], name: string): Level {
  const found =
    levels.find((level) => level.name === name) ?? levels.find((level) => level.name === DEFAULT_LEVEL);
  if (found === undefined) throw new Error(`no level ${name}, and no ${DEFAULT_LEVEL} either`);
  return found;
}
