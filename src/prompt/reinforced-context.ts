import { entryOf } from '../domain/findings/index.ts';
import type { InputsDocument } from '../domain/records/run-record.ts';
import type { AgentProfile } from '../domain/records/state.ts';
import type { Task } from '../domain/task.ts';
import { bullets, cutMarkdown } from '../lib/markdown.ts';

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
    ...{ constraints, boundaries, goals: lists.goals },
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

/** Criteria that are not ticked come first, then the goals, and last those that are ticked. */
function byPriority(goals: readonly string[], { acceptance, ticked }: Task): readonly string[] {
  return unique([
    ...acceptance.filter((_, index) => !ticked.includes(index)),
    ...goals,
    ...acceptance
      .filter((_, index) => ticked.includes(index))
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

/** Inline code, or marks of bold: within code, as in a glob, they are none. */
const CODE_OR_BOLD = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\*\*/g;

/** Marks of bold within would end it. */
function bold(text: string): string {
  return `**${oneLine(text).replace(CODE_OR_BOLD, (found) => (found === '**' ? '' : found))}**`;
}

/** A threshold of `[interventions]` that an agent exceeded over its newest iterations; `window`: those that count. */
type ExceededThreshold = {
  readonly which: 'no_files' | 'false_completion';
  readonly count: number;
  readonly window: number;
};

/**
 * The aggressive reinforcement for an agent over a threshold (spec 1-loop, Profile and circuit breaker), to stand
 * before all feedback; empty when none was exceeded.
 *
 * @param hasWork Earlier attempts at the task left work.
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

/** Text of several lines from outside, with no fence left open behind it. */
export function closed(text: string): string {
  return cutMarkdown(text.replace(/\r\n?/g, '\n').trim(), Number.POSITIVE_INFINITY);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}
