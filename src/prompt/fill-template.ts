import { fenceAfter, type OpenFence } from 'ralph-kit/markdown';
import { nearest } from 'ralph-kit/nearest';

/** Variables of a prompt template, with their meaning (docs/PROMPT_ANATOMY.md). */
export const PROMPT_VARIABLES = {
  task: 'the whole task: id, title, description, acceptance criteria, expected paths, notes',
  task_id: 'id of the task',
  task_title: 'title of the task',
  task_description: 'description of the task',
  task_kind: '`build`, `verify` or `research`',
  task_notes: 'notes of the task in the tracker',
  acceptance: 'acceptance criteria, one bullet each',
  expected_paths: 'paths the work is expected to stay within',
  kind_exception: 'what differs for a `verify` or `research` task; empty for `build`',
  attempt: 'number of this attempt at the task, from 1',
  max_attempts: 'failed attempts after which the task is blocked',
  timeout: 'time limit of this attempt, in words ("10 min")',
  constraints: 'constraints of `[prompt]` and of the task',
  boundaries: 'boundaries of `[prompt]` and of the task',
  goals: 'goals of `[prompt]` and of the task',
  gates: 'the gate commands that check the work',
  commit_policy: 'who commits',
  rules: "what is kept from agents: the task list, `.ralph/`, git's settings, commits",
  progress: 'how many tasks are done, and the newest of them',
  lessons: 'findings that came back in earlier attempts (`ralph lessons`)',
  notes: 'repository notes (`[files] notes`, by default AGENTS.md)',
  guidance: 'what you wrote in `.ralph/FEEDBACK.md` or with `ralph feedback add`',
  feedback: 'what the loop found wrong in the previous iterations of this task',
  status_block: 'how to end: the status block and its evidence',
} as const satisfies Readonly<Record<string, string>>;

type PromptVariable = keyof typeof PROMPT_VARIABLES;
export type PromptValues = Readonly<Record<PromptVariable, string>>;

const PROMPT_VARIABLE_NAMES = Object.keys(PROMPT_VARIABLES) as readonly PromptVariable[];

/** A backslash before `{{name}}` keeps the braces. */
const VARIABLE = /\\?\{\{\s*([\w.-]+)\s*\}\}/g;

/** Returns the names used in a text, unknown ones included, each once, in order. */
export function variablesIn(text: string): readonly string[] {
  const names = [...text.matchAll(VARIABLE)].flatMap(([whole, name]) =>
    whole.startsWith('\\') || name === undefined ? [] : [name],
  );
  return [...new Set(names)];
}

/** Message about a template's unknown variables; `null`: all are known. */
export function templateProblem(template: string, name: string): string | null {
  const unknown = variablesIn(template).filter((variable) => !isKnown(variable));
  if (unknown.length === 0) return null;
  const named = unknown.map((variable) => {
    const near = nearest(variable, PROMPT_VARIABLE_NAMES);
    const line = template.split(/\r\n?|\n/).findIndex((text) => variablesIn(text).includes(variable));
    return `{{${variable}}} in line ${line + 1}${near === null ? '' : ` (did you mean {{${near}}}?)`}`;
  });
  return (
    `The prompt template ${name} uses ${named.join(', ')}, which ralph doesn't know. ` +
    `Known variables: ${PROMPT_VARIABLE_NAMES.join(', ')}. ` +
    'Fix the name, or write \\{{…}} to keep the braces.'
  );
}

/** Fills a template. Values aren't searched for variables; sections and lines of only empty variables are left out. */
export function fillTemplate(template: string, values: PromptValues): string {
  const kept = sectionsOf(template.replace(/\r\n?/g, '\n'))
    .filter((section) => section.heading === null || !isEmpty(section.body.join('\n'), values))
    .flatMap((section) => [
      ...(section.heading === null ? [] : [section.heading]),
      ...withoutEmptyLines(section.body, values),
    ]);
  return `${substitute(kept.join('\n').trim(), values)}\n`;
}

type Section = { readonly heading: string | null; readonly body: readonly string[] };

function sectionsOf(template: string): readonly Section[] {
  const sections: { heading: string | null; body: string[] }[] = [{ heading: null, body: [] }];
  let open: OpenFence = null;
  for (const line of template.split('\n')) {
    if (open === null && /^#{1,6}\s/.test(line)) {
      sections.push({ heading: line, body: [] });
      continue;
    }
    open = fenceAfter(open, line);
    sections.at(-1)?.body.push(line);
  }
  return sections;
}

function withoutEmptyLines(body: readonly string[], values: PromptValues): readonly string[] {
  const kept: string[] = [];
  let dropped = false;
  for (const line of body) {
    const empty = isEmpty(line, values);
    if (!empty && !(dropped && line.trim() === '')) kept.push(line);
    dropped = empty;
  }
  return kept;
}

function isEmpty(text: string, values: PromptValues): boolean {
  return variablesIn(text).length > 0 && substitute(text, values).trim() === '';
}

function substitute(text: string, values: PromptValues): string {
  return text.replace(VARIABLE, (whole: string, name: string) => {
    if (whole.startsWith('\\')) return whole.slice(1);
    return isKnown(name) ? values[name] : whole;
  });
}

function isKnown(name: string): name is PromptVariable {
  return PROMPT_VARIABLE_NAMES.some((known) => known === name);
}
