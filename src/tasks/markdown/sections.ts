import type { MarkdownLine } from './lines.ts';

/** Where a line stands: whether check boxes there are tasks, and what its headings say of them. */
export type Section = {
  readonly counts: boolean;
  readonly priority: number | null;
  readonly group: string | null;
};

type Heading = Extract<MarkdownLine, { kind: 'heading' }>;
type Open = Section & { readonly level: number };

const TASKS = /^tasks\b/i;
/** A heading's first words count when nothing else follows them than a remark: "High", not "High availability". */
const REMARK = String.raw`(?=\s*(?:$|[^\p{L}\p{N}\s-]|(?:and|or)\b))`;
const THINGS =
  '(?:features?|enhancements?|improvements?|work|ideas?|tasks?|items?|extras?|additions?|steps?|plans?)';
const ASIDE = '(?:optional|future|nice[ -]to[ -]haves?)';
/** fix_plan.md: what stands under these is not to be done by the loop (spec 1-loop, Tasks). */
const LEFT_OUT = new RegExp(String.raw`^[^\p{L}]*${ASIDE}(?:\s+${THINGS})?${REMARK}|\(${ASIDE}\)`, 'iu');
const LEVELS: readonly (readonly [RegExp, number])[] = [
  [levelPattern('(?:high|critical|urgent)(?:est)?'), 1],
  [levelPattern('medium'), 2],
  [levelPattern('low(?:est)?'), 3],
];

function levelPattern(word: string): RegExp {
  return new RegExp(
    String.raw`^[^\p{L}]*${word}(?:\s+${THINGS})?${REMARK}|\b${word}[ -]priority\b|\bpriority:?\s+${word}\b`,
    'iu',
  );
}

export function isTasksHeading(line: MarkdownLine): boolean {
  return line.kind === 'heading' && line.level <= 3 && TASKS.test(line.text);
}

/** The urgency that a heading of a plan gives to its tasks: 1 high, 2 medium, 3 low, `null` none. */
function isLeftOut(text: string): boolean {
  return /optional|future|nice/i.test(text) && LEFT_OUT.test(text);
}

export function headingPriority(text: string): number | null {
  // The patterns are dear to make ready, and few headings speak of a priority.
  if (!/high|critical|urgent|medium|low/i.test(text)) return null;
  return LEVELS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/**
 * Follows the headings of a file. `within`: where tasks are looked for: in the `## Tasks` sections alone, anywhere,
 * or anywhere in a plan whose sections carry a priority and may be left out.
 */
export function followSections(within: 'tasks-section' | 'file' | 'plan'): (heading: Heading) => Section {
  const stack: Open[] = [];
  return (heading) => {
    while ((stack.at(-1)?.level ?? 0) >= heading.level) stack.pop();
    const outer: Section = stack.at(-1) ?? {
      counts: within !== 'tasks-section',
      priority: null,
      group: null,
    };
    const opened = openSection(heading, outer, within);
    stack.push({ ...opened, level: heading.level });
    return opened;
  };
}

function openSection(heading: Heading, outer: Section, within: 'tasks-section' | 'file' | 'plan'): Section {
  switch (within) {
    case 'tasks-section':
      if (isTasksHeading(heading)) return { ...outer, counts: true };
      return outer.counts ? { ...outer, group: heading.text } : outer;
    case 'file':
      return { ...outer, group: heading.text };
    case 'plan':
      return {
        counts: outer.counts && !isLeftOut(heading.text),
        priority: headingPriority(heading.text) ?? outer.priority,
        group: heading.text,
      };
  }
}
