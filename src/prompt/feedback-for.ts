import type { EvidenceCheck } from '../domain/claim.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import type { Finding } from '../domain/finding.ts';
import type { GateReport, GateResult } from '../domain/gate.ts';
import type { Tampering } from '../domain/iteration.ts';
import type { ReviewFacts } from '../domain/review.ts';
import type { Verdict } from '../domain/verdict.ts';
import { formatDuration } from '../lib/duration.ts';
import { bullets, inlineCode } from '../lib/markdown.ts';
import { unreachable } from '../lib/unreachable.ts';
import { failedGatesText } from './feedback-gates.ts';

/** What an iteration came to, as far as the agent should hear of it. */
export type FeedbackInput = {
  readonly iteration: number;
  readonly taskId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** One sentence for people: why the verdict is what it is. */
  readonly cause: string;
  readonly gateReport: GateReport;
  readonly gates: readonly GateResult[];
  readonly evidence: readonly EvidenceCheck[];
  /** Acceptance criteria that can be checked and are not met. */
  readonly unmet: readonly string[];
  readonly tampering: readonly Tampering[];
  readonly review: ReviewFacts;
  /** Paths of the attempt's change set. */
  readonly changedPaths: readonly string[];
  readonly timeoutSeconds: number;
  /** Characters of a failing gate's output (`[gates] output_limit`). */
  readonly outputLimit: number;
};

/** Paths named in one entry; the rest is counted. */
const PATHS_SHOWN = 20;

const EVIDENCE_REQUIRED =
  '**Evidence required**: in the status block, list every file that you changed as `path:from-to what was done there`.';

/**
 * What the next attempt of the task must be told (spec 1-loop, Feedback), most basic problem first: files that are
 * not the agent's, the verdict, the gates, the evidence. Empty after a verified `done`, after clean progress, and
 * for causes outside of the work.
 */
export function feedbackFor(input: FeedbackInput): readonly FeedbackEntry[] {
  if (input.verdict.kind === 'done') return [];
  const texts: readonly (readonly [kind: string, text: string | null])[] = [
    ['state_tampering', tamperingText(input)],
    ['action_denied', deniedText(input)],
    [kindOf(input.verdict), verdictText(input)],
    [
      'gates_failed',
      failedGatesText(input, claimedCompletion(input) && kindOf(input.verdict) !== 'false_completion'),
    ],
    ['evidence_missing', evidenceText(input)],
  ];
  return texts.flatMap(([kind, text]) =>
    text === null
      ? []
      : [
          {
            at: input.at,
            taskId: input.taskId,
            iteration: input.iteration,
            kind,
            source: 'loop' as const,
            text,
          },
        ],
  );
}

/** What the attempt itself came to, also where its work was taken back. */
function kindOf(verdict: Verdict): string {
  return verdict.kind === 'rolled_back' ? verdict.instead : verdict.kind;
}

function claimedCompletion({ verdict, findings }: FeedbackInput): boolean {
  if (verdict.kind === 'no_files') return verdict.completionClaimed;
  return verdict.kind === 'false_completion' || findings.some(({ type }) => type === 'false_completion');
}

function verdictText(input: FeedbackInput): string | null {
  const { verdict, iteration, taskId } = input;
  const open = `Task ${taskId} remains OPEN.`;
  switch (verdict.kind) {
    case 'done':
    case 'progress':
    case 'gates_failed':
      return null;
    case 'no_files':
      return noFilesText(input, open);
    case 'false_completion':
      return falseCompletionText(input, verdict.reasons.length > 0 ? verdict.reasons : [input.cause], open);
    case 'timed_out':
      return timedOutText(input, verdict, open);
    case 'agent_error':
      return [
        `**WARNING**: In iteration ${iteration}, your attempt at task ${taskId} ended with an error: ${inlineCode(verdict.message)}.`,
        bullets([open, ...inTheTree(input.changedPaths), 'Avoid the step that led to the error.']),
      ].join('\n\n');
    case 'agent_blocked':
      return [
        `**NOTE**: In iteration ${iteration}, you reported task ${taskId} as blocked: ${inlineCode(verdict.reason)}.`,
        bullets([
          'The task has been taken up again. Look whether the obstacle is gone, or whether there is a way around it.',
          'If it still holds, report BLOCKED again and say what exactly is missing.',
        ]),
      ].join('\n\n');
    case 'review_blocked':
      return [
        `**CRITICAL**: In iteration ${iteration}, your attempt at task ${taskId} was ended: ${inlineCode(verdict.message)}.`,
        bullets([open, ...inTheTree(input.changedPaths), 'Do the task without this action.']),
      ].join('\n\n');
    case 'rolled_back':
      return takenBackText(input, verdict.instead, open);
    case 'rate_limited':
    case 'auth':
    case 'outage':
    case 'spawn_failed':
    case 'interrupted':
      return null;
    default:
      return unreachable(verdict);
  }
}

function falseCompletionText(input: FeedbackInput, reasons: readonly string[], open: string): string {
  return [
    `**CRITICAL**: In iteration ${input.iteration}, you claimed that task ${input.taskId} is complete, but it is not.`,
    bullets([
      ...reasons,
      ...input.unmet.map((criterion) => `Not met: ${criterion}`),
      `Your EXIT_SIGNAL (true) was IGNORED. ${open}`,
      'Do what is missing with your write and edit tools, check it, and only then claim completion again.',
    ]),
    EVIDENCE_REQUIRED,
  ].join('\n\n');
}

/** How each ending that the rollback has taken the place of is said; for the others the gates and findings speak. */
const ENDED_EARLY: Readonly<Record<string, string>> = {
  timed_out: 'was ended at its time limit. Work in smaller steps',
  agent_error: 'ended with an error. Avoid the step that led to it',
  review_blocked: 'was ended for what you did or began to do. Do the task without it',
};

/**
 * What went wrong besides the issue that the work was taken back for. That it was taken back, and to where, is said
 * by the intervention; nothing here may say that the work is still there.
 */
function takenBackText(input: FeedbackInput, instead: string, open: string): string | null {
  if (instead === 'no_files') return noFilesText(input, open);
  if (instead === 'false_completion') {
    const found = input.findings.filter(({ type }) => type === 'false_completion');
    return falseCompletionText(
      input,
      found.map(({ summary }) => summary),
      open,
    );
  }
  const said = Object.hasOwn(ENDED_EARLY, instead) ? ENDED_EARLY[instead] : undefined;
  if (said === undefined) return null;
  return `**WARNING**: In iteration ${input.iteration}, your attempt at task ${input.taskId} ${said}.`;
}

/** Denied actions named in one entry. */
const DENIED_SHOWN = 5;

function deniedText({ review, iteration }: FeedbackInput): string | null {
  if (review.blocked.length === 0) return null;
  const shown = review.blocked.slice(0, DENIED_SHOWN);
  const more = review.denied - shown.length;
  return [
    `**WARNING**: In iteration ${iteration}, actions of yours were denied:`,
    bullets([
      ...shown.map(({ action, reason }) => `${inlineCode(action)}: ${reason}`),
      ...(more > 0 ? [`and ${more} more`] : []),
      'Do not try them again in another form. Find a way that does not need them, or report BLOCKED.',
    ]),
  ].join('\n\n');
}

function noFilesText(input: FeedbackInput, open: string): string {
  const { iteration, taskId } = input;
  const claimed = claimedCompletion(input);
  return [
    claimed
      ? `**CRITICAL**: In iteration ${iteration}, you claimed that task ${taskId} is complete but wrote NO FILES.`
      : `**WARNING**: In iteration ${iteration}, you worked on task ${taskId} and wrote NO FILES.`,
    bullets([
      ...(claimed ? ['Your EXIT_SIGNAL (true) was IGNORED because no file was changed.'] : []),
      open,
      'You MUST use your write and edit tools NOW to create or modify files. Text in a message changes nothing.',
    ]),
    EVIDENCE_REQUIRED,
  ].join('\n\n');
}

function timedOutText(
  input: FeedbackInput,
  verdict: Extract<Verdict, { kind: 'timed_out' }>,
  open: string,
): string {
  const after = formatDuration(verdict.afterMs);
  const how =
    verdict.which === 'wall'
      ? `was ended after ${after}, at its time limit of ${formatDuration(input.timeoutSeconds * 1000)}`
      : `was ended after ${after}, because nothing had happened for too long`;
  return [
    `**WARNING**: In iteration ${input.iteration}, your attempt at task ${input.taskId} ${how}.`,
    bullets([
      open,
      ...inTheTree(input.changedPaths),
      input.changedPaths.length > 0
        ? 'Look at what is there and go on from it; do not start over.'
        : 'Write the first file within your first steps.',
      'Work in smaller steps: one file or one function at a time, each written before the next is thought about.',
      verdict.which === 'idle'
        ? 'Do not start commands that wait for input or never end (watchers, servers, prompts).'
        : 'End with the status block and IN_PROGRESS before the time is up: that is no failure when files were written.',
    ]),
  ].join('\n\n');
}

function inTheTree(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return ['Nothing had been written: the work tree is as it was before.'];
  const shown = paths.slice(0, PATHS_SHOWN).map(inlineCode).join(', ');
  const more = paths.length > PATHS_SHOWN ? ` and ${paths.length - PATHS_SHOWN} more` : '';
  return [`What you wrote is still in the work tree: ${shown}${more}.`];
}

const TAMPERED: Readonly<Record<Tampering['change'], string>> = {
  modified: 'modified; your version was undone',
  deleted: 'deleted; it is there again',
  created: 'created; it was taken away',
};

function tamperingText({ tampering, iteration, taskId }: FeedbackInput): string | null {
  if (tampering.length === 0) return null;
  return [
    `**CRITICAL**: In iteration ${iteration}, while working on task ${taskId}, you changed files that only ralph or a person writes. All of it was put back and does not count as work.`,
    bullets([
      ...tampering
        .slice(0, PATHS_SHOWN)
        .map(({ path, change }) => `${inlineCode(path)}: ${TAMPERED[change]}`),
      ...(tampering.length > PATHS_SHOWN ? [`and ${tampering.length - PATHS_SHOWN} more`] : []),
      'Do not edit the task list, the configuration or anything under `.ralph/` again. The status of a task is set by ralph, from your work.',
    ]),
  ].join('\n\n');
}

function evidenceText({ evidence, findings, verdict, iteration, taskId }: FeedbackInput): string | null {
  const contradicted = evidence.filter(({ standing }) => standing === 'contradicted');
  const missing = findings.some(({ type }) => type === 'evidence_missing');
  // Without any file written there is one thing to say, and the verdict says it.
  if (kindOf(verdict) === 'no_files' || (contradicted.length === 0 && !missing)) return null;
  const lead = contradicted.length > 0 ? 'does not agree with the work tree' : 'is missing';
  return [
    `**WARNING**: In iteration ${iteration}, the evidence that you gave for task ${taskId} ${lead}.`,
    bullets([
      ...contradicted
        .slice(0, PATHS_SHOWN)
        .map(({ item, why }) => `${inlineCode(placeOf(item))}: ${inlineCode(why)}`),
      'Name only files that you changed in this attempt, with line numbers read back from the files as they are now.',
    ]),
    EVIDENCE_REQUIRED,
  ].join('\n\n');
}

function placeOf({ path, from, to }: EvidenceCheck['item']): string {
  if (from === null) return path;
  return to === null || to === from ? `${path}:${from}` : `${path}:${from}-${to}`;
}
