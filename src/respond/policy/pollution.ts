import { counted } from 'ralph-kit/counted';
import { SEVERITIES } from 'ralph-kit/severity';
import { type CycleFinding, LESSON_FROM, type Lesson } from '../../domain/policy.ts';

/** Maximum number of lessons in a prompt. More of them distract the agent. */
export const LESSONS_SHOWN = 5;
const LESSONS_MOST = 15;
/** Number of times after which a lesson is useless if its finding came back each time. */
const SHOWN_IN_VAIN = 5;
/** Number of findings above which they are summed up as `THEMES` themes. */
export const FINDINGS_MOST = 20;
const THEMES = 5;
/** Share of an agent's context window that a prompt may fill. */
export const PROMPT_SHARE = 0.5;
/** Estimated characters per token. */
const TOKEN_CHARS = 4;

/**
 * Returns the most relevant lessons. If there are more than `LESSONS_MOST`, only the most frequent ones are considered.
 */
export function selectLessons(
  lessons: readonly Lesson[],
  task: { readonly id: string; readonly text: string },
): readonly Lesson[] {
  const words = wordsOf(task.text);
  const scored = lessons
    .filter(({ count, shown, cameBack }) => {
      const isUseless = shown >= SHOWN_IN_VAIN && cameBack === shown;
      return count >= LESSON_FROM && !isUseless;
    })
    .map((lesson) => ({ lesson, relevance: relevanceTo(lesson, task.id, words) }))
    .filter(({ relevance }) => relevance > 0);
  const best = (weightOf: (one: (typeof scored)[number]) => number) =>
    scored
      .toSorted((a, b) => weightOf(b) - weightOf(a) || (a.lesson.key < b.lesson.key ? -1 : 1))
      .map(({ lesson }) => lesson);
  const isMany = scored.length > LESSONS_MOST;
  return best(({ lesson, relevance }) => (isMany ? 1 : relevance) * lesson.count).slice(0, LESSONS_SHOWN);
}

/**
 * Returns the relevance of a lesson, 0 to 2. A finding of several tasks concerns all tasks; one of a single task only
 * concerns similar ones.
 */
function relevanceTo({ tasks }: Lesson, id: string, words: ReadonlySet<string>): number {
  if (tasks.every(({ taskId }) => taskId === id)) return 0;
  if (tasks.some(({ taskId }) => taskId === id)) return 2;
  const general = tasks.length > 1 ? 1 : 0;
  const likeness = tasks.map(({ title }) => {
    const own = [...wordsOf(title)];
    return own.length === 0 ? 0 : own.filter((word) => words.has(word)).length / own.length;
  });
  return general + Math.max(0, ...likeness);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []);
}

export function tracked(findings: readonly CycleFinding[]): readonly CycleFinding[] {
  if (findings.length <= FINDINGS_MOST) return findings;
  const themes = new Map<string, CycleFinding[]>();
  for (const one of findings) {
    const theme = one.key.split(':')[0] ?? one.key;
    themes.set(theme, [...(themes.get(theme) ?? []), one]);
  }
  return [...themes]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .slice(0, THEMES)
    .map(([key, all]) => {
      const rank = ({ severity }: CycleFinding) => SEVERITIES.indexOf(severity);
      const worst = all.reduce((one, other) => (rank(other) > rank(one) ? other : one));
      const summary = `${key}: ${counted(all.length, 'finding')}, such as: ${worst.summary}`;
      return { key, severity: worst.severity, summary };
    });
}

export function isTooLong(prompt: string, contextWindow: number): boolean {
  return prompt.length / TOKEN_CHARS > contextWindow * PROMPT_SHARE;
}
