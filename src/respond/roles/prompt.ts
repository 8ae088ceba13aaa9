import {
  type Correction,
  type Plan,
  REVIEW_DIFF_LIMIT,
  type RoleBesideMaker,
  type WorkflowFacts,
} from '../../domain/workflow/roles.ts';
import { bullets, fenced, inlineCode } from '../../lib/markdown.ts';
import { findingLine } from './finding-line.ts';
import { answerFormat, ROLE_TEMPLATES } from './templates.ts';

export { ROLE_TEMPLATES };

export type RolePrompt = {
  readonly role: RoleBesideMaker;
  /** Your own template; `null`: the built-in one. */
  readonly template: string | null;
  readonly task: {
    readonly id: string;
    readonly title: string;
    readonly description: string;
    readonly acceptance: readonly string[];
    readonly expectedPaths: readonly string[];
    readonly notes: string;
    readonly constraints: readonly string[];
  };
  /** What the explorer reported; empty for all but the creator. */
  readonly exploration: string;
  readonly plan: Plan | null;
  /** This role's findings of the cycle before. */
  readonly earlier: readonly Parameters<typeof findingLine>[0][];
  readonly corrections: readonly Correction[];
  readonly change: Pick<WorkflowFacts, 'diff' | 'files'>;
  readonly adversarial: boolean;
  /** What a reviewer's answer repeats; `null`: it is a planner. */
  readonly nonce: string | null;
};

const STANCE =
  '**Look again.** Everyone approved this within seconds. Assume that the change is wrong, and look for how: what is untested, what was taken for granted, what breaks at the edges. Approve only what you tried to break.';

/** What a template of your own gets where it doesn't have it. */
const NEEDED = [
  ['Look again', 'stance'],
  ['Diff', 'diff'],
  ['Correction (read this first)', 'correction'],
  ['Answer', 'answer_format'],
] as const;
const NEEDED_TO_PLAN = [
  ['Task', 'task'],
  ['Correction (read this first)', 'correction'],
] as const;

/** The prompt of a role beside the maker. */
export function rolePrompt(input: RolePrompt): string {
  const { role, task, plan } = input;
  const template = input.template ?? ROLE_TEMPLATES[role];
  const isReviewer = role !== 'explorer' && role !== 'creator';
  const values: Readonly<Record<string, string>> = {
    role,
    task: taskText(task),
    task_id: task.id,
    constraints: bullets(task.constraints),
    exploration: input.exploration,
    plan: plan?.text ?? '',
    earlier: bullets(input.earlier.map(findingLine)),
    correction: bullets(input.corrections.map(({ text }) => text)),
    files: bullets(
      input.change.files.map(({ path, added, removed }) => `${inlineCode(path)} +${added} −${removed}`),
    ),
    diff: isReviewer ? diffText(input.change.diff) : '',
    stance: input.adversarial ? STANCE : '',
    answer_format: input.nonce === null ? '' : answerFormat(input.nonce),
  };
  const needed = isReviewer ? NEEDED : NEEDED_TO_PLAN;
  const missing = needed
    .filter(([, name]) => !template.includes(`{{${name}}}`))
    .map(([heading, name]) => `## ${heading}\n\n{{${name}}}`);
  const whole = [template.replace(/\r\n?/g, '\n').trimEnd(), ...missing].join('\n\n');
  return `${withoutEmpty(whole, values)}\n`;
}

/** What a role whose answer wasn't valid is asked: once. */
export function repairPrompt(prompt: string, problem: string, said: string): string {
  return [
    prompt.trimEnd(),
    '## Your answer could not be read',
    `You answered already, and your answer was not valid: ${problem}. Answer again with exactly one valid JSON block of the form above. Your answer began:`,
    fenced(said.slice(0, SAID_SHOWN), 'text'),
    '',
  ].join('\n\n');
}

const SAID_SHOWN = 4000;

function taskText({ id, title, description, acceptance, expectedPaths, notes }: RolePrompt['task']): string {
  return [
    `**${id}**: ${title}`,
    description.trim(),
    acceptance.length === 0 ? '' : `Acceptance criteria:\n\n${bullets(acceptance)}`,
    expectedPaths.length === 0 ? '' : `Expected files: ${expectedPaths.map(inlineCode).join(', ')}`,
    notes.trim(),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function diffText(diff: string): string {
  const cut = diff.length >= REVIEW_DIFF_LIMIT ? '\n\nThe diff is longer; read the rest in the files.' : '';
  return `${fenced(diff, 'diff')}${cut}`;
}

/** Fills the variables in; a section with nothing in it but empty variables goes with its heading. */
function withoutEmpty(template: string, values: Readonly<Record<string, string>>): string {
  const sections = template.split(/\n(?=#{1,6}\s)/);
  const fill = (text: string) =>
    text.replace(/\{\{\s*([a-z_]+)\s*\}\}/g, (whole, name: string) => values[name] ?? whole);
  return sections
    .filter((section) => {
      const [heading = '', ...rest] = section.split('\n');
      const body = rest.join('\n');
      return !/^#{1,6}\s/.test(heading) || !/\{\{/.test(body) || fill(body).trim() !== '';
    })
    .map((section) =>
      fill(section)
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    )
    .join('\n\n');
}
