import { counted, grouped } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { isObject } from 'ralph-kit/is-object';
import { bullets, inlineCode } from 'ralph-kit/markdown';
import { own } from 'ralph-kit/own';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew, shortened } from 'ralph-kit/text';
import type { Finding } from '../../domain/findings/finding.ts';
import { entryOf, type IssueFacts } from '../../domain/findings/index.ts';
import { type KnownCheckpoint, Resources } from '../../domain/intervention.ts';
import type { Task } from '../../domain/task.ts';
import { taskCommand } from '../../domain/work-place.ts';
import type { InterventionInput } from './types.ts';

type Values = IssueFacts & { readonly progress: string; readonly iteration: number };

/**
 * Variables that your templates for soft corrections may have (`[interventions] custom_prompts_path`), written as
 * `{variable}`.
 */
export const CORRECTION_VARIABLES: Readonly<Record<string, (values: Values) => string>> = {
  issue: ({ issue }) => issue,
  summary: ({ summary }) => summary,
  task_id: ({ taskId }) => taskId,
  task_title: ({ taskTitle }) => taskTitle,
  request: ({ request }) => request,
  expected_paths: ({ expectedPaths }) => expectedPaths,
  path: ({ path }) => path,
  error: ({ error }) => error,
  paths: ({ paths }) => paths,
  resources: ({ resources }) => resources,
  progress: ({ progress }) => progress,
  iteration: ({ iteration }) => String(iteration),
};

/** Issues that the feedback on an attempt already describes (`prompt/feedback-for.ts`). */
const IN_FEEDBACK: ReadonlySet<string> = new Set([
  'no_files',
  'false_completion',
  'evidence_missing',
  'gate_regression',
  'avoidance',
  'state_tampering',
  'action_denied',
]);

/**
 * Returns a soft correction in Markdown for the next prompt, by your template if there is one; '': the feedback already
 * describes the issue.
 */
export function softCorrection(finding: Finding, input: InterventionInput): string {
  const template = own(input.texts, finding.type) ?? '';
  const values = {
    ...factsOf(finding, input.task),
    progress: progressOf(input),
    iteration: input.iteration,
  };
  if (template.trim() !== '') return filled(template, values);
  const facts = factsText([finding], input);
  if (facts === '') return '';
  return [
    facts,
    `You were asked for: ${values.request}${values.expectedPaths && `\nExpected paths: ${values.expectedPaths}`}`,
    ...(values.progress === '' ? [] : [`Progress so far:\n\n${values.progress}`]),
  ].join('\n\n');
}

/** Returns the template with its variables replaced. Unknown names stay, because a template may contain braces. */
function filled(template: string, values: Values): string {
  return template
    .replace(/\r\n?/g, '\n')
    .trim()
    .replace(
      /\{(\w+)\}/g,
      (whole: string, name: string) => own(CORRECTION_VARIABLES, name)?.(values) ?? whole,
    );
}

/** Returns texts about findings, without issues that the feedback already describes. */
export function factsText(findings: readonly Finding[], { task, iteration }: InterventionInput): string {
  return findings
    .filter(({ type }) => !IN_FEEDBACK.has(type))
    .map((finding) => {
      const facts = factsOf(finding, task);
      const { problem, steps } = entryOf(finding.type).correction;
      return `**CORRECTION** (iteration ${iteration}): ${problem(facts)}\n\n${bullets(steps(facts))}`;
    })
    .join('\n\n');
}

/** Returns a correction for a running agent, which already has the prompt. */
export function streamCorrection(finding: Pick<Finding, 'type' | 'summary' | 'details'>, task: Task): string {
  const facts = factsOf(finding, task);
  const { problem, steps } = entryOf(finding.type).correction;
  return `Correction: ${problem(facts)} ${steps(facts).join(' ')} Your task: ${facts.taskTitle}.`;
}

/**
 * Returns the text about a rollback.
 * @param checkpoint Restored checkpoint; `null`: there is none, so the rollback is left to you
 */
export function rollbackText(
  findings: readonly Finding[],
  checkpoint: KnownCheckpoint | null,
  { task, iteration, changes }: InterventionInput,
): string {
  const problems = bullets(
    findings.map((finding) => entryOf(finding.type).correction.problem(factsOf(finding, task))),
  );
  const ways = bullets(findings.map(({ type }) => entryOf(type).correction.alternative));
  const approach = `Take a different approach:\n\n${ways}`;
  if (checkpoint === null) {
    const lead = `**NOTE**: after iteration ${iteration}, your work on this task was to be rolled back and could not be; the user has checked it since.`;
    return [lead, problems, approach].join('\n\n');
  }
  const isAsItWas = changes.after.tree === checkpoint.tree;
  return [
    isAsItWas
      ? `**STARTING OVER**: after iteration ${iteration}, you begin again in a fresh session. The files are as they were before iteration ${checkpoint.iteration}: your work changed none of them.`
      : `**ROLLED BACK**: after iteration ${iteration}, the work tree was put back to checkpoint ${code(checkpoint.id)}, the state before iteration ${checkpoint.iteration} (${checkpoint.at}). What was written since then is gone from the tree; do not look for it, and do not rebuild it as it was.`,
    `What went wrong:\n\n${problems}`,
    approach,
    `You were asked for: ${requestOf(task)}`,
  ].join('\n\n');
}

/** Returns steps that you can choose from, the most likely first. */
export function recoveryPlan(
  findings: readonly Finding[],
  { task, checkpoints }: Pick<InterventionInput, 'task' | 'checkpoints'>,
  last = `Then hand it back: ralph unblock ${shellQuote(task.id)} --reason "what you did"`,
): string[] {
  return [
    `See what the attempts did: ${taskCommand('diff', task.id)}, and ralph interventions --task ${shellQuote(task.id)}`,
    `Why it is called for: ${findings.map(({ type, summary }) => `${type} (${summary})`).join('; ')}`,
    checkpoints.length === 0
      ? 'No checkpoint can be restored without undoing verified work.'
      : `Checkpoints from after the trouble began: ${checkpoints.map(({ id }) => id).join(', ')}. Go back to one with: ralph rollback ID`,
    'Fix the work tree by hand, or narrow the task in the task list.',
    last,
  ];
}

/** Maximum number of characters of the request in a message, so that it stays short. */
const REQUEST_CHARS = 600;
/** Maximum number of characters of a single fact in a message. */
const FACT_CHARS = 300;
/** Maximum number of changed paths and of finished tasks in a text. */
const NAMES_SHOWN = 8;

/**
 * Keys in the details of findings that have paths, the most important first. `members`: keys within the entries of a
 * list.
 */
const PATHS = {
  keys: ['path', 'outside', 'files', 'credentials', 'contradicted', 'paths'],
  // Entries of `errors` and `gates` are failures, so paths are only in their members.
  records: ['errors', 'gates'],
  members: ['path'],
};
const ERRORS = { keys: ['error', 'errors', 'gates'], records: [], members: ['line', 'error', 'gate'] };

/** Returns the facts for a template. Text by the agent, the repository or the task list becomes inline code. */
function factsOf(
  { type, summary, details }: Pick<Finding, 'type' | 'summary' | 'details'>,
  task: Task,
): IssueFacts {
  return {
    issue: type,
    summary: code(summary.trim().replace(/\.$/, '')),
    taskId: task.id,
    taskTitle: code(task.title),
    request: requestOf(task),
    expectedPaths: named(task.expectedPaths ?? textsIn(details.expected)),
    path: code(textsUnder(details, PATHS)[0] ?? ''),
    error: code(textsUnder(details, ERRORS)[0] ?? ''),
    paths: named(textsUnder(details, PATHS)),
    resources: usedIn(details.resources),
  };
}

/** Returns words for used resources, without those that weren't measured. */
function usedIn(value: unknown): string {
  const read = Resources.safeParse(value);
  if (!read.success) return '';
  const { fileOperations, memoryMb, tokens, durationMs } = read.data;
  return [
    ...(fileOperations > 0 ? [counted(fileOperations, 'file operation')] : []),
    ...(tokens > 0 ? [`${grouped(tokens)} tokens`] : []),
    ...(memoryMb > 0 ? [`${Math.round(memoryMb)} MiB of memory`] : []),
    ...(durationMs > 0 ? [formatDuration(durationMs)] : []),
  ].join(', ');
}

function requestOf({ title, description }: Task): string {
  return code(description.trim() === '' ? title : `${title}: ${description}`, REQUEST_CHARS);
}

/** Returns a text about progress so far; '': nothing is known. */
function progressOf({ task, changes, doneTitles }: InterventionInput): string {
  const paths = changes.changes.map(({ path }) => path);
  const ticked = task.ticked.length;
  return bullets([
    ...(paths.length === 0 ? [] : [`Changed in this attempt: ${named(paths)}.`]),
    ...(ticked === 0
      ? []
      : [`Acceptance criteria that the user ticked: ${ticked} of ${task.acceptance.length}.`]),
    ...(doneTitles.length === 0 ? [] : [`Tasks done before: ${named(doneTitles)}.`]),
  ]);
}

function named(names: readonly string[]): string {
  return firstFew(
    names.map((name) => code(name)),
    NAMES_SHOWN,
  );
}

function code(text: string, longest = FACT_CHARS): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat === '' ? '' : inlineCode(shortened(flat, longest));
}

/** Returns the texts under the first key that has some: a text, a list of texts, or a member of each list entry. */
function textsUnder(
  details: Finding['details'],
  { keys, records, members }: typeof PATHS,
): readonly string[] {
  for (const key of [...keys, ...records]) {
    const value = details[key];
    const texts = (Array.isArray(value) ? value : [value]).flatMap((one) =>
      isObject(one)
        ? textsIn(members.map((member) => one[member])).slice(0, 1)
        : textsIn(records.includes(key) ? [] : [one]),
    );
    if (texts.length > 0) return texts;
  }
  return [];
}

function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
}
