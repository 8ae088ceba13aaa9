import type { InputsDocument } from '../domain/records/run-record.ts';
import { cutMarkdown, fenceAfter, type OpenFence } from '../lib/markdown.ts';
import { BUILT_IN_TEMPLATE, EVIDENCE_HEADING, FEEDBACK_HEADING } from './built-in-template.ts';
import { fillTemplate, templateProblem, variablesIn } from './fill-template.ts';
import { contextOf, type PromptContents, promptValues } from './prompt-values.ts';

export type PromptInput = PromptContents & Readonly<Pick<InputsDocument, 'template' | 'templateName'>>;

type PromptResult =
  | { readonly ok: true; readonly prompt: string }
  | { readonly ok: false; readonly message: string };

/** Sections that every prompt needs: a template without one gets it at its end, in this order. */
const INDISPENSABLE: readonly { readonly has: (template: Used) => boolean; readonly section: string }[] = [
  {
    has: ({ variables }) => variables.includes('task') || variables.includes('task_title'),
    section: '## Task\n\n{{task}}',
  },
  { has: ({ variables }) => variables.includes('constraints'), section: '## Constraints\n\n{{constraints}}' },
  { has: ({ variables }) => variables.includes('boundaries'), section: '## Boundaries\n\n{{boundaries}}' },
  { has: ({ variables }) => variables.includes('goals'), section: '## Goals\n\n{{goals}}' },
  { has: ({ variables }) => variables.includes('lessons'), section: '## Lessons\n\n{{lessons}}' },
  {
    has: ({ variables }) => variables.includes('guidance'),
    section: '## Guidance From the User\n\n{{guidance}}',
  },
  { has: ({ variables }) => variables.includes('feedback'), section: `${FEEDBACK_HEADING}\n\n{{feedback}}` },
  {
    has: ({ variables, text }) => variables.includes('status_block') || text.includes('RALPH_STATUS'),
    section: `${EVIDENCE_HEADING}\n\n{{status_block}}`,
  },
];

type Used = { readonly variables: readonly string[]; readonly text: string };

/** The prompt of one attempt (spec 1-loop, Feedback); fails only on a template with unknown variables. */
export function renderPrompt(input: PromptInput): PromptResult {
  const own = input.template !== null && input.template.trim() !== '' ? input.template : null;
  const template = own ?? BUILT_IN_TEMPLATE;
  const problem = templateProblem(template, own === null ? 'built into ralph' : input.templateName);
  if (problem !== null) return { ok: false, message: problem };
  const context = contextOf(input);
  const values = promptValues(input, context);
  // A template that names the feedback in its own way still shows it under the documented heading.
  const headed = template.includes(FEEDBACK_HEADING) || !variablesIn(template).includes('feedback');
  const feedback =
    headed || values.feedback === '' ? values.feedback : `${FEEDBACK_HEADING}\n\n${values.feedback}`;
  const whole = complete(template);
  const filled = (part: string) => fillTemplate(part, { ...values, feedback });
  if (context.binding === '') return { ok: true, prompt: filled(whole) };
  const [before, ending] = splitAtEnding(whole);
  return { ok: true, prompt: `${filled(before)}\n${context.binding}\n\n${filled(ending)}` };
}

/**
 * The template up to the section of the status block, and the rest. A template of one section is split at the
 * paragraph.
 */
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
  const used: Used = { variables: variablesIn(template), text: template };
  const missing = INDISPENSABLE.filter(({ has }) => !has(used)).map(({ section }) => section);
  // A fence that the template leaves open must not swallow what is added.
  return [cutMarkdown(template.replace(/\r\n?/g, '\n').trimEnd(), Number.POSITIVE_INFINITY), ...missing].join(
    '\n\n',
  );
}
