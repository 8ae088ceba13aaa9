import type { Finding } from '../domain/finding.ts';
import type { Task } from '../domain/task.ts';
import { isRecord } from '../lib/is-record.ts';
import { bullets, inlineCode } from '../lib/markdown.ts';
import { shortened } from '../lib/text.ts';
import type { ControlInput } from './input.ts';

/** Characters of one fact: a message must stay short enough to be read. */
const REQUEST_CHARS = 600;
const FACT_CHARS = 300;
/** Changed paths and finished tasks named in one text. */
const NAMES_SHOWN = 8;

/**
 * What texts about an issue are made of, safe to stand in Markdown: what comes from the agent, the repository or the
 * task list is inline code.
 */
export type IssueFacts = {
  readonly issue: string;
  readonly summary: string;
  readonly taskId: string;
  readonly taskTitle: string;
  /** Title and description of the task. */
  readonly request: string;
  /** Empty where the task expects none in particular. */
  readonly expectedPaths: string;
  /** The path that the issue is about; empty where there is none. */
  readonly path: string;
  /** The error that the issue is about; empty where there is none. */
  readonly error: string;
};

/** Keys under which detectors keep the path and the error that matter most, and those of the members of lists. */
const PATHS = {
  keys: ['path', 'outside', 'files', 'credentials', 'contradicted', 'paths'],
  members: ['path'],
};
const ERRORS = { keys: ['error', 'errors', 'gates'], members: ['error', 'gate'] };

export function factsOf(
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
    path: code(firstText(details, PATHS)),
    error: code(firstText(details, ERRORS)),
  };
}

/** What a person asked for, in one line. */
export function requestOf({ title, description }: Pick<Task, 'title' | 'description'>): string {
  const text = description.trim() === '' ? title : `${title}: ${description}`;
  return code(text, REQUEST_CHARS);
}

/** What is there so far, one bullet each; empty where nothing is known. */
export function progressOf({ task, progress }: Pick<ControlInput, 'task' | 'progress'>): string {
  const ticked = task.ticked.length;
  return bullets([
    ...(progress.changedPaths.length === 0
      ? []
      : [`Changed in this attempt: ${named(progress.changedPaths)}.`]),
    ...(ticked === 0
      ? []
      : [`Acceptance criteria that a person ticked: ${ticked} of ${task.acceptance.length}.`]),
    ...(progress.doneTitles.length === 0 ? [] : [`Tasks done before: ${named(progress.doneTitles)}.`]),
  ]);
}

/** Names as inline code, the first few, with the number of the rest; empty for none. */
function named(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  const shown = names.slice(0, NAMES_SHOWN).map((name) => code(name));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Inline code of a bounded length; empty for nothing. */
export function code(text: string, longest = FACT_CHARS): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat === '' ? '' : inlineCode(shortened(flat, longest));
}

type Place = { readonly keys: readonly string[]; readonly members: readonly string[] };

/** The first text under one of the keys: itself, the first of a list, or a member of the first record of a list. */
function firstText(details: Finding['details'], { keys, members }: Place): string {
  const values = keys.map((key) => details[key]).map((value) => (Array.isArray(value) ? value[0] : value));
  const texts = values.flatMap((value) =>
    isRecord(value) ? members.map((member) => value[member]) : [value],
  );
  return textsIn(texts)[0] ?? '';
}

function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
}
