import type { Task } from '../../domain/task.ts';
import { nearest } from '../../lib/nearest.ts';
import { type DescribedTask, type Place, splitName, splitWords, type Word } from './features.ts';
import { DEFAULT_LEVEL, type Level, levelNamed } from './levels.ts';
import { type Found, type Ruling, ruleByModel, rulingOf } from './model.ts';

/** A task as far as its level depends on it. */
export type ClassifiedTask = Pick<Task, 'title' | 'description' | 'acceptance' | 'complexity'>;

/** A word or phrase as the task spells it, and the level it speaks for. */
export type LevelMatch = { readonly word: string; readonly where: Place; readonly level: string };

/** The level of a task and what it was taken from. */
export type Classification = {
  readonly level: string;
  /** `task`: written in the task; `words`: from its text; `default`: the text gives no hint. */
  readonly source: 'task' | 'words' | 'default';
  /** The words that speak for a level: first those for the level that was found, the weightiest first. */
  readonly matches: readonly LevelMatch[];
  /** Number of acceptance criteria. */
  readonly criteria: number;
  /** One step higher than by the text alone, for more than `CRITERIA_BEFORE_RAISE` criteria. */
  readonly raised: boolean;
  /** For the screen: "ui_heavy: 'Dashboard' (title)", "medium (default)". */
  readonly reason: string;
};

/** Acceptance criteria from which on a task counts as a larger one are more than these (spec 2). */
const CRITERIA_BEFORE_RAISE = 3;

const RAISED: Readonly<Record<string, string>> = { simple: 'medium', medium: 'complex' };

/** Words that a reason shows. */
const SHOWN = 3;

/** How the text of a task is judged; `null` where it gives no hint. */
type Rule = (task: ClassifiedTask, levels: readonly Level[]) => Ruling | null;

/**
 * The level of a task: the one written in it, else by your own keywords, else by the weights of its words and forms,
 * which is never below that of a keyword of the table in its title. More than `CRITERIA_BEFORE_RAISE` criteria raise
 * what the text gives.
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

/** A keyword in the title is a floor: whatever else is said there, it is work on a dashboard or a parser (spec 2). */
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

/** What the keyword table of the specification gives alone. */
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

/** Case, spaces and dashes don't matter. */
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

/**
 * The highest level with a keyword, of the title where one is in it, else of description and criteria; `null` where
 * there is none.
 */
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
  // "SettingsView" and "sales_chart" name a view and a chart.
  const named = words.flatMap((word) => splitName(text, word));
  return levels.flatMap(({ name, keywords }) =>
    keywords.flatMap((keyword): Found[] => {
      const parts = splitWords(keyword).map((word) => word.text);
      const word = phraseIn(text, words, parts) ?? phraseIn(text, named, parts);
      return word === null ? [] : [{ word, where, level: name, weight: 1 }];
    }),
  );
}

/** The first place where the words follow each other, as the text spells it. */
function phraseIn(text: string, words: readonly Word[], parts: readonly string[]): string | null {
  const at = words.findIndex((_, index) =>
    parts.every(
      (part, offset) => words[index + offset]?.text === part || words[index + offset]?.text === `${part}s`,
    ),
  );
  if (at === -1 || parts.length === 0) return null;
  return text.slice(words[at]?.start, words[at + parts.length - 1]?.end);
}
