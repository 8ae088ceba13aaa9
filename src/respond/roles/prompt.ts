import { bullets, fenced, inlineCode } from 'ralph-kit/markdown';
import type { InputsDocument } from '../../domain/records/run-record.ts';
import type { TaskState } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import {
  type Planner,
  REVIEW_DIFF_LIMIT,
  type Reviewer,
  type ReviewFinding,
  type Role,
  type RoleRun,
  type WorkflowFacts,
  type WorkflowRole,
} from '../../domain/workflow/roles.ts';
import { plannerSigns } from './decide-workflow.ts';
import { taskSummary } from './shadows/observation.ts';
import { answerFormat, ROLE_TEMPLATES } from './templates.ts';

export type RoleBasis = {
  readonly facts: { readonly task: Task; readonly taskState: Pick<TaskState, 'workflow'> };
  readonly inputs: Pick<InputsDocument, 'constraints' | 'roleTemplates'>;
};

/** Sections that are added to your own template if it lacks them. */
const NEEDED_TO_REVIEW = [
  ['Look again', 'stance'],
  ['Diff', 'diff'],
  ['Correction (read this first)', 'correction'],
  ['Answer', 'answer_format'],
] as const;
const NEEDED_TO_PLAN = [
  ['Task', 'task'],
  ['Correction (read this first)', 'correction'],
] as const;

/**
 * Returns the prompt of a planner.
 * @param runs Earlier runs of planners. If the last one had the same role, its shadow (overdone strength) is corrected
 */
export function plannerPrompt(basis: RoleBasis, role: Planner, runs: readonly RoleRun[]): string {
  const exploration = runs.findLast((one) => one.role === 'explorer')?.turns.at(-1);
  const last = runs.at(-1);
  const again = last?.role === role ? plannerSigns(last, taskSummary(basis.facts.task)) : [];
  return rolePrompt(basis, role, NEEDED_TO_PLAN, {
    exploration: exploration?.trouble === null ? exploration.text : '',
    correction: correctionsFor(basis, role, again),
  });
}

const STANCE =
  '**Look again.** Everyone approved this within seconds. Assume that the change is wrong, and look for how: what is untested, what was taken for granted, what breaks at the edges. Approve only what you tried to break.';

/**
 * Returns the prompt of a reviewer.
 * @param nonce Code that the answer has to repeat
 */
export function reviewerPrompt(
  basis: RoleBasis,
  {
    role,
    plan,
    diff,
    files,
    adversarial,
  }: { readonly role: Reviewer; readonly adversarial: boolean } & Pick<
    WorkflowFacts,
    'plan' | 'diff' | 'files'
  >,
  nonce: string | null,
): string {
  const earlier = basis.facts.taskState.workflow?.reviews.filter((one) => one.role === role).at(-1);
  const cut = diff.length >= REVIEW_DIFF_LIMIT ? '\n\nThe diff is longer; read the rest in the files.' : '';
  return rolePrompt(basis, role, NEEDED_TO_REVIEW, {
    plan: plan?.text ?? '',
    earlier: bullets((earlier?.findings ?? []).map((finding) => findingLine({ role, finding }))),
    correction: correctionsFor(basis, role),
    files: bullets(files.map(({ path, added, removed }) => `${inlineCode(path)} +${added} −${removed}`)),
    diff: `${fenced(diff, 'diff')}${cut}`,
    stance: adversarial ? STANCE : '',
    answer_format: nonce === null ? '' : answerFormat(nonce),
  });
}

function correctionsFor({ facts }: RoleBasis, role: Role, more: readonly { readonly text: string }[] = []) {
  const waiting = facts.taskState.workflow?.corrections.filter((one) => one.role === role) ?? [];
  return bullets([...waiting, ...more].map(({ text }) => text));
}

function rolePrompt(
  { facts: { task }, inputs }: RoleBasis,
  role: WorkflowRole,
  needed: readonly (readonly [heading: string, variable: string])[],
  own: Readonly<Record<string, string>>,
): string {
  const expectedPaths = task.expectedPaths ?? [];
  const taskText = [
    `**${task.id}**: ${task.title}`,
    task.description.trim(),
    task.acceptance.length === 0 ? '' : `Acceptance criteria:\n\n${bullets(task.acceptance)}`,
    expectedPaths.length === 0 ? '' : `Expected files: ${expectedPaths.map(inlineCode).join(', ')}`,
    task.notes.trim(),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  const template = inputs.roleTemplates[role] ?? ROLE_TEMPLATES[role];
  const missing = needed
    .filter(([, name]) => !template.includes(`{{${name}}}`))
    .map(([heading, name]) => `## ${heading}\n\n{{${name}}}`);
  const whole = [template.replace(/\r\n?/g, '\n').trimEnd(), ...missing].join('\n\n');
  const values = {
    exploration: '',
    plan: '',
    earlier: '',
    files: '',
    diff: '',
    stance: '',
    answer_format: '',
    role,
    task: taskText,
    task_id: task.id,
    constraints: bullets([...new Set([...inputs.constraints, ...task.constraints])]),
    ...own,
  };
  return `${withoutEmpty(whole, values)}\n`;
}

/** Returns the template without sections whose variables are all empty. */
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

/** Maximum number of characters of an invalid answer that its reviewer gets back. */
const ANSWER_SHOWN = 4000;

export function repairPrompt(prompt: string, problem: string, answer: string): string {
  return [
    prompt.trimEnd(),
    '## Your answer could not be read',
    `You answered already, and your answer was not valid: ${problem}. Answer again with exactly one valid JSON block of the form above. Your answer began:`,
    fenced(answer.slice(0, ANSWER_SHOWN), 'text'),
    '',
  ].join('\n\n');
}

export function findingLine({
  role,
  finding,
}: {
  readonly role: Role;
  readonly finding: ReviewFinding;
}): string {
  const { severity, file, line, category, claim, fix, alternative, repro } = finding;
  const parts = [
    `${severity} ${file}${line === null ? '' : `:${line}`} (${role}, ${category}): ${claim}`,
    ...(repro === null ? [] : [`Reproduce: ${repro}`]),
    ...(fix === null ? [] : [`Fix: ${fix}`]),
    ...(alternative === null ? [] : [`Or: ${alternative}`]),
  ];
  return parts.join(' — ');
}
