import { entryOf } from '../domain/findings/index.ts';
import type { InputsDocument } from '../domain/records/run-record.ts';
import type { Task } from '../domain/task.ts';
import { bullets } from '../lib/markdown.ts';
import { closed, oneLine, unique } from './parts.ts';

export type Reinforce = InputsDocument['reinforcement'] & {
  /** Types of findings by which the prompt is rebuilt. */
  readonly issues: readonly string[];
};

/** The lists of a prompt, those of the configuration and of the task joined. */
export type Lists = {
  readonly constraints: readonly string[];
  readonly boundaries: readonly string[];
  readonly goals: readonly string[];
};

export type PromptContext = Lists & {
  /** The context in one piece, original request first; empty where nothing is reinforced. */
  readonly block: string;
  /** What is repeated right before the section of the status block; empty unless strong. */
  readonly binding: string;
};

/**
 * The context of a prompt, rebuilt for issues: the constraints that matter in bold and those that the issues call for
 * added, from medium on also boundaries made clear and goals by what is still to be done, and when strong all of it
 * once more where the agent reads last.
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
  const parts = [
    `**Original request**:\n\n${requestOf(task, more)}`,
    more ? part('Goals, in this order', numbered(byPriority(lists.goals, task))) : '',
  ];
  const example = examples ? part(shown.length === 1 ? 'Example' : 'Examples', bullets(shown)) : '';
  const joined = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n');
  const lead =
    '**REINFORCED CONTEXT**: earlier attempts strayed from this. Constraints and boundaries stand above.';
  return {
    ...{ constraints, boundaries, goals: lists.goals },
    block: joined(lead, ...parts, example),
    binding:
      strength === 'strong'
        ? binding(
            joined(
              ...parts,
              part('Key constraints', bullets(constraints)),
              part('Boundaries', bullets(boundaries)),
            ),
          )
        : '',
  };
}

function binding(block: string): string {
  return `## Binding for This Attempt\n\nWhat follows was said above and is binding: work that does not keep to it is not accepted.\n\n${block}`;
}

/** Criteria that are not ticked come first, then the goals, and last those that are ticked. */
function byPriority(goals: readonly string[], { acceptance, ticked }: Task): readonly string[] {
  const isTicked = (_: string, index: number) => ticked.includes(index);
  return unique([
    ...acceptance.filter((_, index) => !ticked.includes(index)),
    ...goals,
    ...acceptance
      .filter(isTicked)
      .map((criterion) => `${criterion} (ticked by the user, not checked; keep it so)`),
  ]);
}

/** Title and description as they are written, and the criteria unless the goals hold them. */
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

function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${item.trim().replace(/\r?\n/g, '\n   ')}`).join('\n');
}

/** Inline code, or marks of bold: within code, as in a glob, they are none. */
const CODE_OR_BOLD = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\*\*/g;

/** Marks of bold within would end it. */
function bold(text: string): string {
  return `**${oneLine(text).replace(CODE_OR_BOLD, (found) => (found === '**' ? '' : found))}**`;
}
