import type { Task } from '../domain/task.ts';
import { nearest } from '../lib/nearest.ts';
import { DEFAULT_LEVEL, type Level, levelNamed } from './levels.ts';
import { type Place, type Ruling, ruleByTable, ruleByWeight } from './weigh.ts';

/** A task as far as its level depends on it. */
export type ClassifiedTask = Pick<Task, 'title' | 'description' | 'acceptance' | 'complexity'>;

/** A word or phrase as the task spells it, and the level it speaks for. */
export type LevelMatch = { readonly word: string; readonly where: Place; readonly level: string };

/** The level of a task and what it was taken from. */
export type Classification = {
  readonly level: string;
  /** `task`: a person wrote it; `words`: from its text; `default`: nothing in the text tells. */
  readonly source: 'task' | 'words' | 'default';
  /** What was found where it counted, the words that decided first. */
  readonly matches: readonly LevelMatch[];
  /** Number of acceptance criteria. */
  readonly criteria: number;
  /** One step higher than by the text alone, for more than `CRITERIA_BEFORE_RAISE` criteria. */
  readonly raised: boolean;
  /** One short sentence for people. */
  readonly reason: string;
};

/** Acceptance criteria that a task may have without being taken for a larger one (spec 2). */
const CRITERIA_BEFORE_RAISE = 3;

const RAISED: Readonly<Record<string, string>> = { simple: 'medium', medium: 'complex' };

/** Words that a reason shows. */
const SHOWN = 3;

/**
 * The level of a task: what a person wrote in it, else what its text says. A keyword or a decisive phrase in the title
 * decides without the rest; else title, description and criteria are weighed together. A person's keywords come before
 * all that ralph knows by itself. Of equal weights the level with more time wins.
 */
export function classify(task: ClassifiedTask, levels: readonly Level[]): Classification {
  return classifyWith(task, levels, ruleByWeight);
}

/** What the keyword table of the specification gives by itself. */
export function classifyByTable(task: ClassifiedTask, levels: readonly Level[]): Classification {
  return classifyWith(task, levels, ruleByTable);
}

function classifyWith(
  task: ClassifiedTask,
  levels: readonly Level[],
  rule: (task: ClassifiedTask, levels: readonly Level[]) => Ruling | null,
): Classification {
  const criteria = task.acceptance.length;
  const stated = task.complexity?.trim() ?? '';
  const own = stated === '' ? null : statedLevel(stated, levels);
  if (own !== null) {
    const reason = `${own}: stated in the task`;
    return { level: own, source: 'task', matches: [], criteria, raised: false, reason };
  }
  const ruling = stated === '' ? rule(task, levels) : null;
  const base = ruling?.level ?? levelNamed(levels, DEFAULT_LEVEL).name;
  const next = criteria > CRITERIA_BEFORE_RAISE ? RAISED[base] : undefined;
  const level = next ?? base;
  const why = stated === '' ? because(ruling) : unknownLevel(stated, levels);
  const raise = next === undefined ? '' : `, raised for ${criteria} criteria`;
  return {
    level,
    source: ruling === null ? 'default' : 'words',
    matches: matchesOf(ruling),
    criteria,
    raised: next !== undefined,
    reason: `${level}: ${why}${raise}`,
  };
}

function matchesOf(ruling: Ruling | null): LevelMatch[] {
  if (ruling === null) return [];
  const others = ruling.found.filter((hit) => !ruling.deciding.includes(hit));
  return [...ruling.deciding, ...others].map(({ entry, text, where }) => ({
    word: text,
    where,
    level: entry.level,
  }));
}

function because(ruling: Ruling | null): string {
  if (ruling === null) return 'nothing in the text tells';
  const words = ruling.deciding.slice(0, SHOWN).map(({ text, where }) => `'${text}' (${where})`);
  const reasons = [...words, ...ruling.because];
  return reasons.length === 0 ? 'nothing in the text weighs more' : reasons.join(', ');
}

/** Case, spaces and dashes are not what a name depends on. */
function statedLevel(stated: string, levels: readonly Level[]): string | null {
  const fold = (name: string) => name.toLowerCase().replace(/[\s-]+/g, '_');
  const exact = levels.find(({ name }) => name === stated);
  return (exact ?? levels.find(({ name }) => fold(name) === fold(stated)))?.name ?? null;
}

function unknownLevel(stated: string, levels: readonly Level[]): string {
  const names = levels.map(({ name }) => name);
  const near = nearest(stated, names);
  const hint = near === null ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  return `the task states ${JSON.stringify(stated)}, which is no level (${hint})`;
}
