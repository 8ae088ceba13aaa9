import { nearest } from 'ralph-kit/nearest';
import type { Task } from '../../domain/task.ts';
import { type DescribedTask, type Place, splitName, splitWords, type Word } from './features.ts';
import { DEFAULT_LEVEL, type Level, levelNamed } from './levels.ts';
import { type Found, type Ruling, ruleByModel, rulingOf } from './model.ts';

export type ClassifiedTask = Pick<Task, 'title' | 'description' | 'acceptance' | 'complexity'>;

export type LevelMatch = { readonly word: string; readonly where: Place; readonly level: string };

export type Classification = {
  readonly level: string;
  /** Source of the level. `task`: named in the task; `words`: found in its text; `default`: the text has no hint. */
  readonly source: 'task' | 'words' | 'default';
  /** Words that suggest levels. Those for the chosen level come first, by weight. */
  readonly matches: readonly LevelMatch[];
  readonly criteria: number;
  /** Whether the level is one above that of the text, because of more than `CRITERIA_BEFORE_RAISE` criteria. */
  readonly raised: boolean;
  /** Reason on screen, such as "ui_heavy: 'Dashboard' (title)" or "medium (default)". */
  readonly reason: string;
};

/** Number of acceptance criteria above which a task counts as larger (docs/ADAPTIVE_TIMEOUT.md). */
const CRITERIA_BEFORE_RAISE = 3;

const RAISED: Readonly<Record<string, string>> = { simple: 'medium', medium: 'complex' };

const SHOWN = 3;

/** A function that finds a level in a task's text; `null`: the text has no hint. */
type Rule = (task: ClassifiedTask, levels: readonly Level[]) => Ruling | null;

/**
 * Returns the level of a task: as named in the task, otherwise by your keywords, otherwise by the weights of words and
 * forms, but at least the level of a table keyword in the title. More than `CRITERIA_BEFORE_RAISE` criteria raise a
 * level that comes from the text.
 */
export function classify(
  task: ClassifiedTask,
  levels: readonly Level[],
  byText: Rule = ruleByModel,
): Classification {
  const personal = levels.filter((level) => level.personal);
  const rule = () => ruleByKeywords(task, personal) ?? atLeastKeywords(task, levels, byText(task, levels));
  return classifyWith(task, levels, rule);
}

/**
 * Returns a ruling that is at least at the level of a keyword in the title: work on a dashboard or a parser has its
 * level whatever else is written (docs/ADAPTIVE_TIMEOUT.md).
 */
function atLeastKeywords(
  { title }: DescribedTask,
  levels: readonly Level[],
  ruling: Ruling | null,
): Ruling | null {
  const builtIn = levels.filter((level) => !level.personal);
  const floor = highestOf(keywordsIn(title, 'title', builtIn), builtIn);
  const rank = (name: string) => levels.findIndex((level) => level.name === name);
  if (floor === null || rank(floor.level) <= rank(ruling?.level ?? DEFAULT_LEVEL)) return ruling;
  const others = ruling === null ? [] : [...ruling.deciding, ...ruling.others];
  const isNew = (one: Found) => !floor.deciding.some(({ word }) => word === one.word);
  return { ...floor, others: [...floor.others, ...others].filter(isNew) };
}

/**
 * Returns the level by the built-in keywords alone (the table in docs/ADAPTIVE_TIMEOUT.md), without the trained
 * weights.
 */
export function classifyByTable(task: ClassifiedTask, levels: readonly Level[]): Classification {
  return classifyWith(task, levels, ruleByKeywords);
}

function classifyWith(task: ClassifiedTask, levels: readonly Level[], rule: Rule): Classification {
  const criteria = task.acceptance.length;
  const stated = task.complexity?.trim() ?? '';
  const own = stated === '' ? null : statedLevel(stated, levels);
  if (own !== null) {
    const reason = `${own}: set in the task`;
    return { level: own, source: 'task', matches: [], criteria, raised: false, reason };
  }
  const ruling = stated === '' ? rule(task, levels) : null;
  const base = ruling?.level ?? levelNamed(levels, DEFAULT_LEVEL).name;
  const next = criteria > CRITERIA_BEFORE_RAISE ? RAISED[base] : undefined;
  const level = next ?? base;
  const unknown = stated === '' ? '' : `: ${unknownLevel(stated, levels)}`;
  const raise = next === undefined ? '' : `, raised for ${criteria} criteria`;
  return {
    level,
    source: ruling === null ? 'default' : 'words',
    matches: matchesOf(ruling),
    criteria,
    raised: next !== undefined,
    reason: ruling === null ? `${level} (default${unknown}${raise})` : `${level}: ${because(ruling)}${raise}`,
  };
}

function matchesOf(ruling: Ruling | null): LevelMatch[] {
  if (ruling === null) return [];
  return [...ruling.deciding, ...ruling.others].map(({ word, where, level }) => ({ word, where, level }));
}

function because(ruling: Ruling): string {
  const words = ruling.deciding.slice(0, SHOWN).map(({ word, where }) => `'${word}' (${where})`);
  return words.length === 0 ? 'many words that say little each' : words.join(', ');
}

/** Returns the level with this name, without regard to case, spaces and dashes; `null`: there is none. */
function statedLevel(stated: string, levels: readonly Level[]): string | null {
  const fold = (name: string) => name.toLowerCase().replace(/[\s-]+/g, '_');
  const exact = levels.find(({ name }) => name === stated);
  return (exact ?? levels.find(({ name }) => fold(name) === fold(stated)))?.name ?? null;
}

function unknownLevel(stated: string, levels: readonly Level[]): string {
  const names = levels.map(({ name }) => name);
  const near = nearest(stated, names);
  const hint = near === null ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  return `${JSON.stringify(stated)} isn't a level, ${hint}`;
}

/** Returns the highest level with a keyword in the title, else in description and criteria; `null`: none. */
function ruleByKeywords(task: DescribedTask, levels: readonly Level[]): Ruling | null {
  const inTitle = keywordsIn(task.title, 'title', levels);
  const found =
    inTitle.length > 0
      ? inTitle
      : [
          ...keywordsIn(task.description, 'description', levels),
          ...keywordsIn(task.acceptance.join('\n'), 'criteria', levels),
        ];
  return highestOf(found, levels);
}

function highestOf(found: readonly Found[], levels: readonly Level[]): Ruling | null {
  const highest = levels.findLast(({ name }) => found.some(({ level }) => level === name));
  return highest === undefined ? null : rulingOf(highest.name, found);
}

function keywordsIn(text: string, where: Place, levels: readonly Level[]): Found[] {
  const words = splitWords(text);
  // Words within names count, too: "SettingsView" and "sales_chart" contain a view and a chart.
  const named = words.flatMap((word) => splitName(text, word));
  return levels.flatMap(({ name, keywords }) =>
    keywords.flatMap((keyword): Found[] => {
      const parts = splitWords(keyword).map((word) => word.text);
      const word = phraseIn(text, words, parts) ?? phraseIn(text, named, parts);
      return word === null ? [] : [{ word, where, level: name, weight: 1 }];
    }),
  );
}

/** Returns the first place where these words follow each other, as spelled in the text; `null`: there is none. */
function phraseIn(text: string, words: readonly Word[], parts: readonly string[]): string | null {
  const at = words.findIndex((_, index) =>
    parts.every(
      (part, offset) => words[index + offset]?.text === part || words[index + offset]?.text === `${part}s`,
    ),
  );
  if (at === -1 || parts.length === 0) return null;
  return text.slice(words[at]?.start, words[at + parts.length - 1]?.end);
}
