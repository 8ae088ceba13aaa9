import type { Finding } from '../domain/finding.ts';
import type { Task } from '../domain/task.ts';
import { bullets } from '../lib/markdown.ts';
import { adviceFor } from './advice.ts';
import type { ControlInput } from './input.ts';
import { factsOf, type IssueFacts, progressOf } from './issue-facts.ts';

type Values = IssueFacts & { readonly progress: string; readonly iteration: number };

/** What a person's template of a soft correction may name as `{variable}` (`[interventions] custom_prompts_path`). */
export const CORRECTION_VARIABLES: Readonly<Record<string, (values: Values) => string>> = {
  issue: ({ issue }) => issue,
  summary: ({ summary }) => summary,
  task_id: ({ taskId }) => taskId,
  task_title: ({ taskTitle }) => taskTitle,
  request: ({ request }) => request,
  expected_paths: ({ expectedPaths }) => expectedPaths,
  path: ({ path }) => path,
  error: ({ error }) => error,
  progress: ({ progress }) => progress,
  iteration: ({ iteration }) => String(iteration),
};

type Told = Pick<ControlInput, 'task' | 'progress' | 'iteration'> & {
  readonly settings: Pick<ControlInput['settings'], 'texts'>;
};

/** A short, specific message for one issue, Markdown for the next prompt; a person's template comes first. */
export function softCorrection(finding: Finding, input: Told): string {
  const values: Values = {
    ...factsOf(finding, input.task),
    progress: progressOf(input),
    iteration: input.iteration,
  };
  const { texts } = input.settings;
  const own = Object.hasOwn(texts, finding.type) ? texts[finding.type] : undefined;
  return own === undefined || own.trim() === '' ? builtIn(values) : filled(own, values);
}

/** The text for an agent that is at work: what is wrong and what to do, without what it has in its prompt. */
export function streamCorrection(finding: Pick<Finding, 'type' | 'summary' | 'details'>, task: Task): string {
  const facts = factsOf(finding, task);
  const { said, steps } = adviceFor(finding.type);
  return `Correction: ${said(facts)} ${steps(facts).join(' ')} Your task: ${facts.taskTitle}.`;
}

function builtIn(values: Values): string {
  const { said, steps } = adviceFor(values.issue);
  return [
    `**CORRECTION** (iteration ${values.iteration}): ${said(values)}`,
    bullets(steps(values)),
    `You were asked for: ${values.request}${values.expectedPaths === '' ? '' : `\nExpected paths: ${values.expectedPaths}`}`,
    ...(values.progress === '' ? [] : [`Progress so far:\n\n${values.progress}`]),
  ].join('\n\n');
}

/** Names that are not known stay as they are: a template may speak of braces. */
function filled(template: string, values: Values): string {
  return template
    .replace(/\r\n?/g, '\n')
    .trim()
    .replace(/\{(\w+)\}/g, (whole: string, name: string) =>
      Object.hasOwn(CORRECTION_VARIABLES, name) ? (CORRECTION_VARIABLES[name]?.(values) ?? whole) : whole,
    );
}
