import type { EvidenceCheck } from '../domain/claim.ts';
import type { JudgedAvoidance } from '../domain/findings/avoidance.ts';
import type { Finding } from '../domain/findings/finding.ts';
import type { GateChange } from '../domain/gate.ts';
import type { FeedbackEntry } from '../domain/records/feedback.ts';
import type { IterationDecisions, IterationFacts, Tampering } from '../domain/records/iteration.ts';
import type { TestComparison } from '../domain/results/test-results.ts';
import { isOutsideCause, type Verdict, type VerdictKind } from '../domain/verdict.ts';
import { formatDuration } from '../lib/duration.ts';
import { bullets, inlineCode } from '../lib/markdown.ts';
import { firstFew } from '../lib/text.ts';
import { unreachable } from '../lib/unreachable.ts';
import { avoidanceText } from './feedback-avoidance.ts';
import { failedGatesText } from './feedback-gates.ts';

/** The result of an iteration, as far as the agent should know it. */
export type FeedbackInput = Readonly<
  Pick<IterationFacts, 'iteration' | 'gates' | 'tampering' | 'lostWork' | 'review' | 'timeoutSeconds'> &
    Pick<IterationDecisions, 'verdict' | 'cause' | 'gateReport'>
> & {
  readonly taskId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly findings: readonly Finding[];
  /** What the diff shows of avoided work. */
  readonly avoidance: JudgedAvoidance;
  readonly evidence: readonly EvidenceCheck[];
  readonly gateChanges: readonly GateChange[];
  /** What the gates reported of their tests. */
  readonly testResults: readonly TestComparison[];
  /** Acceptance criteria that can be checked and are not met. */
  readonly unmet: readonly string[];
  /** Files that git ignores, of those that the claim or a criterion names. */
  readonly ignoredPaths: readonly string[];
  /** Paths of the attempt's change set. */
  readonly changedPaths: readonly string[];
  /** Characters of a failing gate's output (`[gates] output_limit`). */
  readonly outputLimit: number;
};

/** Paths named in one entry; the rest is counted. */
const PATHS_SHOWN = 20;

/**
 * What the next attempt of the task must know (spec 1-loop, Feedback), most basic problem first: files that are not
 * the agent's, the verdict, the gates, the evidence. Empty after a verified `done`, after clean progress, and for
 * causes outside of the work.
 */
export function feedbackFor(input: FeedbackInput): readonly FeedbackEntry[] {
  const { at, taskId, iteration, verdict } = input;
  if (verdict.kind === 'done') return [];
  const kind = ownVerdict(verdict);
  const texts: readonly (readonly [kind: string, text: string | null])[] = [
    ['state_tampering', tamperingText(input)],
    ['user_work_destroyed', destroyedText(input)],
    ['action_denied', deniedText(input)],
    [kind, verdictText(input)],
    ['gates_failed', failedGatesText(input, claimedCompletion(input) && kind !== 'false_completion')],
    ['avoidance', isOutsideCause(verdict.kind) ? null : avoidanceText(input.avoidance, input)],
    ['evidence_missing', evidenceText(input)],
  ];
  return texts.flatMap(([kind, text]) =>
    text === null ? [] : [{ at, taskId, iteration, kind, source: 'loop' as const, text }],
  );
}

/** The verdict of the attempt itself, also where its work was rolled back. */
function ownVerdict(verdict: Verdict): VerdictKind {
  return verdict.kind === 'rolled_back' ? verdict.instead : verdict.kind;
}

function claimedCompletion({ verdict, findings }: FeedbackInput): boolean {
  if (verdict.kind === 'no_files') return verdict.completionClaimed;
  return verdict.kind === 'false_completion' || findings.some(({ type }) => type === 'false_completion');
}

function notice(level: string, { iteration }: FeedbackInput, what: string, ...items: string[]): string {
  return `**${level}**: In iteration ${iteration}, ${what}\n\n${bullets(items)}`;
}

function withEvidence(text: string): string {
  return `${text}\n\n**Evidence required**: in the status block, list every file that you changed as \`path:from-to what was done there\`.`;
}

function verdictText(input: FeedbackInput): string | null {
  const { verdict, taskId } = input;
  switch (verdict.kind) {
    case 'no_files':
      return noFilesText(input);
    case 'false_completion':
      return falseCompletionText(input, verdict.reasons.length > 0 ? verdict.reasons : [input.cause]);
    case 'timed_out':
      return timedOutText(input, verdict);
    case 'agent_error':
      return notice(
        'WARNING',
        input,
        `your attempt at task ${taskId} ended with an error: ${inlineCode(verdict.message)}.`,
        open(input),
        ...inTheTree(input.changedPaths),
        'Avoid the step that led to the error.',
      );
    case 'agent_blocked':
      return notice(
        'NOTE',
        input,
        `you reported task ${taskId} as blocked: ${inlineCode(verdict.reason)}.`,
        'The task has been started again. Check whether the obstacle is gone, or whether there is a way around it.',
        'If it is still there, report BLOCKED again and name exactly what is missing.',
      );
    case 'review_blocked':
      return notice(
        'CRITICAL',
        input,
        `your attempt at task ${taskId} was ended: ${inlineCode(verdict.message)}.`,
        open(input),
        ...inTheTree(input.changedPaths),
        'Do the task without this action.',
      );
    case 'rolled_back':
      return rolledBackText(input, verdict.instead);
    case 'done':
    case 'progress':
    case 'gates_failed':
    case 'gates_unclear':
    case 'changes_requested':
    case 'rate_limited':
    case 'auth':
    case 'outage':
    case 'spawn_failed':
    case 'interrupted':
    case 'awaiting_human':
      return null;
    default:
      return unreachable(verdict);
  }
}

function open({ taskId }: FeedbackInput): string {
  return `Task ${taskId} remains OPEN.`;
}

function falseCompletionText(input: FeedbackInput, reasons: readonly string[]): string {
  return withEvidence(
    notice(
      'CRITICAL',
      input,
      `you claimed that task ${input.taskId} is complete, but it is not.`,

      ...reasons,
      ...input.unmet.map((criterion) => `Not met: ${criterion}`),
      `Your EXIT_SIGNAL (true) was IGNORED. ${open(input)}`,
      'Do what is missing with your write and edit tools, check it, and only then claim completion again.',
    ),
  );
}

/** What is said of each verdict that a rollback replaced; for the others the gates and findings speak. */
const ENDED_EARLY: Readonly<Partial<Record<VerdictKind, string>>> = {
  timed_out: 'was ended at its time limit. Work in smaller steps',
  agent_error: 'ended with an error. Avoid the step that led to it',
  review_blocked: 'was ended for what you did or began to do. Do the task without it',
};

/**
 * What went wrong besides the issue that the work was rolled back for. The intervention says that it was rolled back,
 * and to where; nothing here may say that the work is still there.
 */
function rolledBackText(input: FeedbackInput, instead: VerdictKind): string | null {
  if (instead === 'no_files') return noFilesText(input);
  if (instead === 'false_completion') {
    const found = input.findings.filter(({ type }) => type === 'false_completion');
    return falseCompletionText(
      input,
      found.map(({ summary }) => summary),
    );
  }
  const ended = ENDED_EARLY[instead];
  if (ended === undefined) return null;
  return `**WARNING**: In iteration ${input.iteration}, your attempt at task ${input.taskId} ${ended}.`;
}

/** Denied actions named in one entry. */
const DENIED_SHOWN = 5;

function deniedText(input: FeedbackInput): string | null {
  const { review } = input;
  if (review.blocked.length === 0) return null;
  const shown = review.blocked.slice(0, DENIED_SHOWN);
  const more = review.denied - shown.length;
  return notice(
    'WARNING',
    input,
    'actions of yours were denied:',
    ...shown.map(({ action, reason }) => `${inlineCode(action)}: ${reason}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    'Do not try them again in another form. Find a way that does not need them, or report BLOCKED.',
  );
}

function noFilesText(input: FeedbackInput): string {
  const claimed = claimedCompletion(input);
  return withEvidence(
    notice(
      claimed ? 'CRITICAL' : 'WARNING',
      input,
      claimed
        ? `you claimed that task ${input.taskId} is complete but wrote NO FILES.`
        : `you worked on task ${input.taskId} and wrote NO FILES.`,

      ...(claimed ? ['Your EXIT_SIGNAL (true) was IGNORED because no file was changed.'] : []),
      ...noWork(input),
      ...ignored(input),
      open(input),
      'You MUST use your write and edit tools NOW to create or modify files. Text in a message changes nothing.',
    ),
  );
}

/** Work that no snapshot shows. */
function ignored({ ignoredPaths }: FeedbackInput): string[] {
  if (ignoredPaths.length === 0) return [];
  const names = ignoredPaths.slice(0, PATHS_SHOWN).map(inlineCode).join(', ');
  return [
    `Git ignores ${names}: that can't be seen as your work. Write to files that git doesn't ignore; where the task needs an ignored file, say BLOCKED and why.`,
  ];
}

/** Changes that aren't work: the summary names their kind. */
function noWork({ changedPaths, findings }: FeedbackInput): string[] {
  const summary = findings.find(({ type }) => type === 'no_files')?.summary;
  if (changedPaths.length === 0 || summary === undefined) return [];
  return [`${summary} That doesn't count as work unless the task asks for it.`];
}

function timedOutText(
  input: FeedbackInput,
  { which, afterMs }: Extract<Verdict, { kind: 'timed_out' }>,
): string {
  const { changedPaths, taskId, timeoutSeconds } = input;
  const why =
    which === 'wall'
      ? `at its time limit of ${formatDuration(timeoutSeconds * 1000)}`
      : 'because nothing had happened for too long';
  return notice(
    'WARNING',
    input,
    `your attempt at task ${taskId} was ended after ${formatDuration(afterMs)}, ${why}.`,

    open(input),
    ...inTheTree(changedPaths),
    changedPaths.length > 0
      ? 'Read what is there and continue from it; do not start over.'
      : 'Write the first file within your first steps.',
    'Work in smaller steps: one file or one function at a time, each written before you think about the next.',
    which === 'idle'
      ? 'Do not start commands that wait for input or never end (watchers, servers, prompts).'
      : "End with the status block and IN_PROGRESS before the time is up: that isn't a failure when files were written.",
  );
}

function inTheTree(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return ['Nothing had been written: the work tree is as it was before.'];
  return [`What you wrote is still in the work tree: ${firstFew(paths.map(inlineCode), PATHS_SHOWN)}.`];
}

const TAMPERED: Readonly<Record<Tampering['change'], string>> = {
  modified: 'modified; your version was undone',
  deleted: 'deleted; it was restored',
  created: 'created; it was removed',
};

function tamperingText(input: FeedbackInput): string | null {
  const { tampering, taskId } = input;
  if (tampering.every(({ kind }) => kind === 'tracker')) return null;
  const more = tampering.length - PATHS_SHOWN;
  return notice(
    'CRITICAL',
    input,
    `while working on task ${taskId}, you changed files that only ralph or its user writes. They were restored, and nothing of it counts as work.`,

    ...tampering.slice(0, PATHS_SHOWN).map(({ path, change }) => `${inlineCode(path)}: ${TAMPERED[change]}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    'Do not edit the task list, the configuration or anything under `.ralph/` again. The status of a task is set by ralph, from your work.',
  );
}

/** Only what the agent undid: of gates it knows nothing. */
function destroyedText(input: FeedbackInput): string | null {
  const lost = input.lostWork.filter(({ by, kept }) => by === 'agent' && kept === null);
  if (lost.length === 0) return null;
  return notice(
    'WARNING',
    input,
    'you undid uncommitted work of the user. It was put back:',
    firstFew(
      lost.map(({ path }) => inlineCode(path)),
      PATHS_SHOWN,
    ),
    'Do not use `git checkout`, `git restore`, `git reset --hard`, `git clean` or `git stash` on files that you did not make. Undo your own edits by editing.',
  );
}

function evidenceText(input: FeedbackInput): string | null {
  const { evidence, findings, verdict, taskId } = input;
  const contradicted = evidence.filter(({ standing }) => standing === 'contradicted');
  const missing = findings.some(({ type }) => type === 'evidence_missing');
  // Without any file written there is one thing to say, and the verdict says it.
  if (ownVerdict(verdict) === 'no_files' || (contradicted.length === 0 && !missing)) return null;
  const problem = contradicted.length > 0 ? 'does not agree with the work tree' : 'is missing';
  return withEvidence(
    notice(
      'WARNING',
      input,
      `the evidence that you gave for task ${taskId} ${problem}.`,

      ...contradicted
        .slice(0, PATHS_SHOWN)
        .map(({ item, why }) => `${inlineCode(placeOf(item))}: ${inlineCode(why)}`),
      'Name only files that you changed in this attempt, with line numbers read back from the files as they are now.',
    ),
  );
}

function placeOf({ path, from, to }: EvidenceCheck['item']): string {
  if (from === null) return path;
  return to === null || to === from ? `${path}:${from}` : `${path}:${from}-${to}`;
}
