import { tableOf, vocabularyOf } from './compile.ts';
import { type Dictionary, findEntries, type Hit } from './dictionary.ts';
import { findForms } from './forms.ts';
import { DEFAULT_LEVEL, type Level } from './levels.ts';
import { type DescribedTask, shapesOf } from './shape.ts';
import { WEIGHTS } from './vocabulary.ts';

export type Place = 'title' | 'description' | 'criteria';
export type Found = Hit & { readonly where: Place };

/** A level and what it rests on. */
export type Ruling = {
  readonly level: string;
  /** The words for the level, the weightiest first. */
  readonly deciding: readonly Found[];
  /** Everything that was found where it counted. */
  readonly found: readonly Found[];
  /** What the form of the description adds. */
  readonly because: readonly string[];
};

/** By weight; `null` where nothing tells. */
export function ruleByWeight(task: DescribedTask, levels: readonly Level[]): Ruling | null {
  const dictionary = vocabularyOf(levels);
  const search = (text: string, where: Place) =>
    placed([...findEntries(dictionary, text, where === 'title'), ...findForms(text, levels)], where);
  const inTitle = search(task.title, 'title');
  const decided = inTitle.some(({ entry }) => entry.decides);
  const found = decided ? inTitle : distinct([...inTitle, ...bodyOf(task, search)]);
  const personal = found.filter(({ entry }) => entry.personal);
  if (personal.length > 0) return { ...highest(personal, levels), found };

  const shapes = decided ? [] : shapesOf(task, levels);
  if (found.length === 0 && shapes.every(({ level }) => level === DEFAULT_LEVEL)) return null;
  const weights = new Map<string, number>(decided ? [] : [[DEFAULT_LEVEL, MEDIUM_AT_FIRST]]);
  const put = (level: string, weight: number) => weights.set(level, (weights.get(level) ?? 0) + weight);
  for (const { level, weight } of shapes) put(level, weight);
  for (const { entry, where } of found) {
    // Where things are described at length a single word says less.
    put(entry.level, where === 'title' ? entry.weight : Math.min(entry.weight, WEIGHTS.clear));
  }
  const most = Math.max(...weights.values());
  const level = levels.findLast(({ name }) => weights.get(name) === most)?.name ?? DEFAULT_LEVEL;
  return {
    level,
    deciding: found
      .filter(({ entry }) => entry.level === level)
      .sort((a, b) => b.entry.weight - a.entry.weight),
    found,
    because: shapes.filter((shape) => shape.level === level).map(({ because }) => because),
  };
}

/** Most tasks are one bounded piece: a lone weak hint in a text does not make them anything else. */
const MEDIUM_AT_FIRST = 1;

/** By the keywords alone: the title where one is in it, and the highest level among those found. */
export function ruleByTable(task: DescribedTask, levels: readonly Level[]): Ruling | null {
  const dictionary: Dictionary = tableOf(levels);
  const search = (text: string, where: Place) =>
    placed(findEntries(dictionary, text, where === 'title'), where);
  const inTitle = search(task.title, 'title');
  const found = inTitle.length > 0 ? inTitle : distinct(bodyOf(task, search));
  return found.length === 0 ? null : { ...highest(found, levels), found };
}

function placed(hits: readonly Hit[], where: Place): Found[] {
  return hits.map((hit) => ({ ...hit, where }));
}

function bodyOf(task: DescribedTask, search: (text: string, where: Place) => Found[]): Found[] {
  const inDescription = search(task.description, 'description');
  if (task.acceptance.length === 0) return inDescription;
  return [...inDescription, ...search(task.acceptance.join('\n'), 'criteria')];
}

/** However often something is said, it counts once. */
function distinct(found: readonly Found[]): Found[] {
  const seen = new Set<Hit['entry']>();
  return found.filter(({ entry }) => {
    if (seen.has(entry)) return false;
    seen.add(entry);
    return true;
  });
}

/** The highest level among those found, of which there is at least one. */
function highest(found: readonly Found[], levels: readonly Level[]): Omit<Ruling, 'found'> {
  const level = levels.findLast(({ name }) => found.some(({ entry }) => entry.level === name))?.name;
  return {
    level: level ?? DEFAULT_LEVEL,
    deciding: found.filter(({ entry }) => entry.level === level),
    because: [],
  };
}
