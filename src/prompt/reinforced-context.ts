import { bullets, cutMarkdown } from 'ralph-kit/markdown';
import { entryOf } from '../domain/findings/index.ts';
import type { InputsDocument } from '../domain/records/run-record.ts';
import type { AgentProfile } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';

export type Reinforce = InputsDocument['reinforcement'] & {
  /** Types of findings that cause the rebuild. */
  readonly issues: readonly string[];
};

export type Lists = {
  readonly constraints: readonly string[];
  readonly boundaries: readonly string[];
  readonly goals: readonly string[];
};

export type PromptContext = Lists & {
  /** Text that repeats the context, the original request first; '' if nothing is reinforced. */
  readonly block: string;
  /** Text repeated right before the status block's section; '' unless the strength is strong. */
  readonly binding: string;
};

/**
 * Rebuilds the context for issues: constraints that they need are added, and relevant ones are bold. Medium strength
 * clarifies boundaries and orders goals by what is left; strong repeats all where the agent reads last.
 */
export function reinforcedContext(
  { issues, strength, examples }: Reinforce,
  task: Task,
  lists: Lists,
): PromptContext {
  const contexts = issues.map((issue) => entryOf(issue).context);
  const more = strength !== 'light';
  const constraints = unique([
    ...lists.constraints.map((text) =>
      contexts.some(({ relevant }) => relevant.test(text)) ? bold(text) : text,
    ),
    ...contexts.flatMap((context) => context.constraints).map(bold),
  ]);
  const boundaries = more
    ? unique([
        ...lists.boundaries,
        ...contexts.flatMap((context) => context.boundaries?.(task) ?? []).map(bold),
      ])
    : lists.boundaries;
  const shown = unique(contexts.map(({ example }) => example));
  const numbered = byPriority(lists.goals, task).map(
    (item, index) => `${index + 1}. ${item.trim().replace(/\r?\n/g, '\n   ')}`,
  );
  const parts = [
    `**Original request**:\n\n${requestOf(task, more)}`,
    more ? part('Goals, in this order', numbered.join('\n')) : '',
  ];
  const example = examples ? part(shown.length === 1 ? 'Example' : 'Examples', bullets(shown)) : '';
  const joined = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n');
  const lead =
    '**REINFORCED CONTEXT**: earlier attempts strayed from this. Constraints and boundaries stand above.';
  return {
    constraints,
    boundaries,
    goals: lists.goals,
    block: joined(lead, ...parts, example),
    binding:
      strength === 'strong'
        ? joined(
            '## Binding for This Attempt',
            'What follows was said above and is binding: work that does not keep to it is not accepted.',
            ...parts,
            part('Key constraints', bullets(constraints)),
            part('Boundaries', bullets(boundaries)),
          )
        : '',
  };
}

/** Unticked criteria come first, then goals, then ticked criteria. */
function byPriority(goals: readonly string[], { acceptance, ticked }: Task): readonly string[] {
  return unique([
    ...acceptance.filter((_, index) => !ticked.includes(index)),
    ...goals,
    ...acceptance
      .filter((_, index) => ticked.includes(index))
      .map((criterion) => `${criterion} (ticked by the user, not checked; keep it so)`),
  ]);
}

function requestOf({ title, description, acceptance }: Task, inGoals: boolean): string {
  return [
    oneLine(title),
    closed(description),
    acceptance.length === 0 || inGoals ? '' : `Acceptance criteria:\n\n${bullets(acceptance)}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function part(name: string, text: string): string {
  return text === '' ? '' : `**${name}**:\n\n${text}`;
}

/** Inline code or bold marks; asterisks within code, as in a glob, aren't marks. */
const CODE_OR_BOLD = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\*\*/g;

/** Inner bold marks would end the bold text. */
function bold(text: string): string {
  return `**${oneLine(text).replace(CODE_OR_BOLD, (found) => (found === '**' ? '' : found))}**`;
}

/** Exceeded threshold of `[interventions]`; `window`: number of newest iterations counted. */
type ExceededThreshold = {
  readonly which: 'no_files' | 'false_completion';
  readonly count: number;
  readonly window: number;
};

/**
 * The strong reminder for an agent over a threshold (docs/INTERVENTIONS.md); '' if none was
 * exceeded. `hasWork`: earlier attempts at the task left work.
 */
export function reinforcement(
  profile: AgentProfile,
  exceeded: readonly ExceededThreshold[],
  hasWork: boolean,
): string {
  if (exceeded.length === 0) return '';
  const first = hasWork
    ? 'Read the files that earlier attempts changed before you change more.'
    : 'Your FIRST action is a call of your write or edit tool on a file of this task.';
  const facts = exceeded.map(({ which, count, window }) => {
    const what = which === 'no_files' ? 'wrote NO FILES' : 'claimed a completion that was FALSE';
    return `In ${count} of your last ${window} iterations you ${what}.`;
  });
  return `**STOP AND READ**: ${facts.join(' ')} (${profile.agentId}) ${first} Before you end, compare \`git diff --stat\` with what you are about to claim.`;
}

/** Closes open fences in a text of several lines. */
export function closed(text: string): string {
  return cutMarkdown(text.replace(/\r\n?/g, '\n').trim(), Number.POSITIVE_INFINITY);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}
