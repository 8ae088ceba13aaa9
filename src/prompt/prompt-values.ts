import { formatDuration } from 'ralph-kit/duration';
import { bullets, cutMarkdown, fenced, inlineCode } from 'ralph-kit/markdown';
import type { FeedbackEntry } from '../domain/feedback.ts';
import type { GateSpec } from '../domain/gate.ts';
import type { InputsDocument } from '../domain/records/run-record.ts';
import type { UnjudgedWork } from '../domain/records/unjudged-work.ts';
import type { Task } from '../domain/task.ts';
import { RULES, STATUS_INSTRUCTIONS } from './built-in-template.ts';
import { MIN_FEEDBACK_CHARS, renderFeedback } from './feedback-select.ts';
import type { PromptValues } from './fill-template.ts';
import {
  closed,
  type Lists,
  oneLine,
  type PromptContext,
  type Reinforce,
  reinforcedContext,
  unique,
} from './reinforced-context.ts';
import { unjudgedText } from './unjudged-text.ts';

export type PromptContents = Readonly<
  Pick<InputsDocument, 'maxAttempts' | 'notes' | 'gates' | 'guidance' | 'commit' | 'limits'>
> &
  Lists & {
    readonly task: Task;
    /** Number of the attempt in its series, from 1. */
    readonly attempt: number;
    /** Work that an earlier attempt left unjudged; `null`: none did. */
    readonly unjudged: UnjudgedWork | null;
    readonly progress: {
      readonly done: number;
      readonly total: number;
      /** Titles of done tasks, newest last. */
      readonly doneTitles: readonly string[];
    };
    /** Entries from `selectFeedback`; your own become guidance. */
    readonly feedback: readonly FeedbackEntry[];
    /** Text from `reinforcement`, shown before the feedback; '' when no threshold was exceeded. */
    readonly reinforcement: string;
    /** Recurring findings of earlier attempts, one sentence each. */
    readonly lessons: readonly string[];
    /** How to rebuild the context; `null`: not at all. */
    readonly reinforce: Reinforce | null;
    /** Notice of reduced limits; '': none. */
    readonly throttleNotice: string;
    readonly timeoutSeconds: number;
  };

const DONE_SHOWN = 10;

const ONCE_VERIFIED =
  'Do not commit, push, or change branches: ralph commits what you changed once the task is verified.';

const COMMIT_POLICY: Readonly<Record<InputsDocument['commit'], string>> = {
  never: 'Do not commit, push, or change branches: the user does that.',
  on_done: ONCE_VERIFIED,
  every_iteration: ONCE_VERIFIED,
};

const KIND_EXCEPTION: Readonly<Record<Task['kind'], string>> = {
  build: '',
  verify:
    '**Exception**: this is a `verify` task. It may end without a changed file; then report what you ran, what you saw, and where (`path:line`).',
  research:
    '**Exception**: this is a `research` task. It may end without a changed file; then report your findings with their sources (`path:line`).',
};

/** Joins the configuration's lists with the task's, and rebuilds them if an intervention requires it. */
export function contextOf({ task, reinforce, ...lists }: PromptContents): PromptContext {
  const joined = {
    constraints: unique([...lists.constraints, ...task.constraints]),
    boundaries: unique([...lists.boundaries, ...task.boundaries]),
    goals: unique([...lists.goals, ...task.goals]),
  };
  return reinforce === null || reinforce.issues.length === 0
    ? { ...joined, block: '', binding: '' }
    : reinforcedContext(reinforce, task, joined);
}

/** Returns every variable's value; '' leaves out the variable's section. */
export function promptValues(contents: PromptContents, context: PromptContext): PromptValues {
  const { task, limits } = contents;
  return {
    task: taskText(task),
    task_id: task.id,
    task_title: oneLine(task.title),
    task_description: closed(task.description),
    task_kind: task.kind,
    task_notes: closed(task.notes),
    acceptance: bullets(task.acceptance),
    expected_paths: (task.expectedPaths ?? []).map(inlineCode).join(', '),
    kind_exception: KIND_EXCEPTION[task.kind],
    attempt: String(contents.attempt),
    max_attempts: String(contents.maxAttempts),
    timeout: formatDuration(contents.timeoutSeconds * 1000),
    constraints: bullets(context.constraints),
    boundaries: bullets(context.boundaries),
    goals: bullets(context.goals),
    gates: gatesText(contents.gates, task),
    commit_policy: COMMIT_POLICY[contents.commit],
    rules: `${RULES}\n- ${COMMIT_POLICY[contents.commit]}`,
    progress: progressText(contents.progress),
    notes: notesText(contents.notes, limits.notes),
    lessons:
      contents.lessons.length === 0
        ? ''
        : `Found in several attempts so far; keep it from coming back:\n\n${bullets(contents.lessons.map(oneLine))}`,
    guidance: guidanceText(contents, limits.feedback),
    feedback: feedbackText(contents, context, limits.feedback),
    status_block: STATUS_INSTRUCTIONS.replaceAll('{{task_id}}', () => task.id),
  };
}

function taskText(task: Task): string {
  const paths = (task.expectedPaths ?? []).map(inlineCode).join(', ');
  return [
    `**${task.id}**: ${oneLine(task.title)}`,
    closed(task.description),
    task.acceptance.length === 0
      ? ''
      : `Acceptance criteria, all of them to be met:\n\n${bullets(task.acceptance)}`,
    task.without.length === 0
      ? ''
      : `Not a part of this task now, as the user has left it alone:\n\n${bullets(task.without)}`,
    paths === '' ? '' : `Stay within: ${paths}`,
    task.notes.trim() === '' ? '' : `Notes:\n\n${closed(task.notes)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function gatesText(gates: readonly GateSpec[], task: Task): string {
  if (gates.length === 0) return '';
  const lines = gates.map((gate) => {
    if (gate.heldOut !== null) return `${gate.name}: held out, you don't see what it checks; it must pass`;
    const always = gate.required || task.gates.includes(gate.name);
    const remarks = [
      ...(gate.paths === null || gate.paths.length === 0
        ? []
        : [`when ${gate.paths.map(inlineCode).join(', ')} changed`]),
      ...(always ? ['must pass even if it failed before'] : []),
    ];
    return `${gate.name}: ${inlineCode(gate.run)}${remarks.length === 0 ? '' : ` (${remarks.join('; ')})`}`;
  });
  return `These commands judge your work after you stop. What passed before must pass then: run them, fix what they report, and don't change what they run.\n\n${bullets(lines)}`;
}

function progressText({ done, total, doneTitles }: PromptContents['progress']): string {
  if (doneTitles.length === 0) return '';
  const lead = `${done} of ${total} tasks are done.`;
  const shown = doneTitles.slice(-DONE_SHOWN).map(oneLine);
  return `${lead} ${doneTitles.length > DONE_SHOWN ? 'The newest' : 'Done so far'}:\n\n${bullets(shown)}`;
}

/** Each file is fenced, so that its headings don't become parts of the prompt; `limit` applies to all together. */
function notesText(notes: PromptContents['notes'], limit: number): string {
  let room = limit;
  const parts: string[] = [];
  for (const { path, text } of notes) {
    if (text.trim() === '') continue;
    const kept = text.trim().slice(0, Math.max(0, room));
    const cut = text.trim().length - kept.length;
    room -= kept.length;
    const block = kept === '' ? '' : `:\n\n${fenced(kept, 'markdown')}`;
    const rest = cut === 0 ? '' : `\n\n(${cut} characters left out; read the rest in ${inlineCode(path)}.)`;
    parts.push(`From ${inlineCode(path)}${block}${rest}`);
  }
  return parts.join('\n\n');
}

/** FEEDBACK.md without comments, then guidance from the command line. */
function guidanceText({ guidance, feedback }: PromptContents, limit: number): string {
  const added = feedback
    .filter(({ source }) => source !== 'loop')
    .map(({ source, text }) => (source === 'person' ? text : `${text} (By ralph, not by the user.)`));
  const written = containsGuidance(guidance) ? withoutComments(guidance) : '';
  const whole = [bullets(added), written].filter((part) => part !== '').join('\n\n');
  return cutMarkdown(whole, Math.max(limit, MIN_FEEDBACK_CHARS)).trim();
}

function withoutComments(guidance: string): string {
  return guidance
    .replace(/\r\n?/g, '\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trim();
}

/** Whether FEEDBACK.md has guidance, beyond headings and comments. */
export function containsGuidance(guidance: string): boolean {
  return withoutComments(guidance)
    .split('\n')
    .some((line) => line.trim() !== '' && !/^#{1,6}\s/.test(line));
}

function feedbackText(
  { unjudged, feedback, reinforcement, throttleNotice }: PromptContents,
  { block }: PromptContext,
  limit: number,
): string {
  const own = feedback.filter(({ source }) => source === 'loop');
  const parts = [
    unjudgedText(unjudged),
    reinforcement,
    block,
    throttleNotice,
    own.length === 0 ? '' : renderFeedback(own, limit),
  ];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}
