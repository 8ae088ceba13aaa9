import { cutMarkdown, fenceAfter, type OpenFence } from 'ralph-kit/markdown';
import type { InputsDocument } from '../domain/records/run-record.ts';
import { BUILT_IN_TEMPLATE, EVIDENCE_HEADING, FEEDBACK_HEADING } from './built-in-template.ts';
import { fillTemplate, templateProblem, variablesIn } from './fill-template.ts';
import { contextOf, type PromptContents, promptValues } from './prompt-values.ts';

export type PromptInput = PromptContents & Readonly<Pick<InputsDocument, 'template' | 'templateName'>>;

type PromptResult =
  | { readonly ok: true; readonly prompt: string }
  | { readonly ok: false; readonly message: string };

/** Sections that a template doesn't provide by one of these variables are added at its end, in this order. */
const INDISPENSABLE: readonly (readonly [heading: string, variables: readonly string[]])[] = [
  ['## Task', ['task', 'task_title']],
  ['## Constraints', ['constraints']],
  ['## Boundaries', ['boundaries']],
  ['## Goals', ['goals']],
  ['## Repository Notes', ['notes']],
  ['## Lessons', ['lessons']],
  ['## Guidance From the User', ['guidance']],
  [FEEDBACK_HEADING, ['feedback']],
  ['## Rules of the Loop', ['rules']],
  [EVIDENCE_HEADING, ['status_block']],
];

/** Renders an attempt's prompt (docs/PROMPT_ANATOMY.md); fails only for a template with unknown variables. */
export function renderPrompt(input: PromptInput): PromptResult {
  const own = input.template !== null && input.template.trim() !== '' ? input.template : null;
  const template = own ?? BUILT_IN_TEMPLATE;
  const problem = templateProblem(template, own === null ? 'built into ralph' : input.templateName);
  if (problem !== null) return { ok: false, message: problem };
  const context = contextOf(input);
  const values = promptValues(input, context);
  // The documented heading is added to templates that name the feedback section differently.
  const headed = template.includes(FEEDBACK_HEADING) || !variablesIn(template).includes('feedback');
  const feedback =
    headed || values.feedback === '' ? values.feedback : `${FEEDBACK_HEADING}\n\n${values.feedback}`;
  const whole = complete(template);
  const filled = (part: string) => fillTemplate(part, { ...values, feedback });
  if (context.binding === '') return { ok: true, prompt: filled(whole) };
  const [before, ending] = splitAtEnding(whole);
  return { ok: true, prompt: `${filled(before)}\n${context.binding}\n\n${filled(ending)}` };
}

/** Splits a template before the section of the status block; within a single section, before its paragraph. */
function splitAtEnding(template: string): readonly [string, string] {
  const lines = template.split('\n');
  const isEnding = (line: string) =>
    line.includes('RALPH_STATUS') || variablesIn(line).includes('status_block');
  const marker = lines.findIndex(isEnding);
  let open: OpenFence = null;
  let heading = 0;
  let paragraph = 0;
  for (const [index, line] of lines.slice(0, marker + 1).entries()) {
    if (open === null && /^#{1,6}\s/.test(line)) heading = index;
    if (open === null && line.trim() !== '' && (lines[index - 1] ?? '').trim() === '') paragraph = index;
    open = fenceAfter(open, line);
  }
  const at = heading > 0 ? heading : paragraph;
  return [lines.slice(0, at).join('\n'), lines.slice(at).join('\n')];
}

function complete(template: string): string {
  const used = variablesIn(template);
  const missing = INDISPENSABLE.filter(
    ([heading, variables]) =>
      !variables.some((name) => used.includes(name)) &&
      !(heading === EVIDENCE_HEADING && template.includes('RALPH_STATUS')),
  ).map(([heading, [variable]]) => `${heading}\n\n{{${variable}}}`);
  // A fence that the template leaves open must not swallow added sections.
  const whole = cutMarkdown(template.replace(/\r\n?/g, '\n').trimEnd(), Number.POSITIVE_INFINITY);
  return [whole, ...missing].join('\n\n');
}

/** Leaves out examples, and code blocks of your notes, so that a prompt has only rules. */
export function withoutExamples(inputs: InputsDocument): InputsDocument {
  return {
    ...inputs,
    notes: inputs.notes.map(({ path, text }) => {
      let open: OpenFence = null;
      const lines = text.split('\n').filter((line) => {
        const before = open;
        open = fenceAfter(open, line);
        return before === null && open === null;
      });
      return { path, text: lines.join('\n') };
    }),
    reinforcement: { ...inputs.reinforcement, examples: false },
  };
}
