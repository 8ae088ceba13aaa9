import { formatDuration } from 'ralph-kit/duration';
import { bullets, cutMarkdown, fenced, inlineCode, tailOf } from 'ralph-kit/markdown';
import { asSentence, firstFew, shortened, tail } from 'ralph-kit/text';
import { unreachable } from 'ralph-kit/unreachable';
import type { Claim, EvidenceCheck } from '../domain/claim.ts';
import { OUTPUT_SHOWN, type PassedElsewhere } from '../domain/command-runs.ts';
import type { FeedbackEntry } from '../domain/feedback.ts';
import { avoidanceLine, type FoundAvoidance, type JudgedAvoidance } from '../domain/findings/avoidance.ts';
import type { Finding } from '../domain/findings/finding.ts';
import type { GateChange, GateResult } from '../domain/gate.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import type { TestComparison } from '../domain/test-results.ts';
import { isOutsideCause, type Verdict, type VerdictKind } from '../domain/verdict.ts';
import { failedGatesText } from './feedback-gates.ts';

export type FeedbackInput = Readonly<
  Pick<IterationFacts, 'iteration' | 'conflict' | 'tampering' | 'review' | 'timeoutSeconds'> &
    Pick<IterationDecisions, 'verdict' | 'cause' | 'gateReport'>
> & {
  readonly gates: readonly GateResult[];
  readonly passedElsewhere: readonly PassedElsewhere[];
  /** Gates that fail even without the work, on commits that landed meanwhile. */
  readonly clashes: readonly GateResult[];
  readonly taskId: string;
  /** Time of the feedback, ISO 8601 UTC. */
  readonly at: string;
  readonly findings: readonly Finding[];
  readonly avoidance: JudgedAvoidance;
  readonly claim: Pick<Claim, 'status' | 'completion'>;
  readonly evidence: readonly EvidenceCheck[];
  readonly gateChanges: readonly GateChange[];
  readonly testResults: readonly TestComparison[];
  /** Files ignored by git that the claim or a criterion names. */
  readonly ignoredPaths: readonly string[];
  /** Paths in the tree that the task's attempts changed. */
  readonly workPaths: readonly string[];
  readonly startsOver: boolean;
  /** Characters of a failing gate's output (`[gates] output_limit`). */
  readonly outputLimit: number;
  readonly heldOut: readonly string[];
};

/** Length limit of an entry without gate output and code, in characters. */
const LONGEST = 600;
/** Limits of paths and of reasons in an entry, and characters of a reason. */
const NAMED = 5;
const REASONS = 3;
const REASON_CHARS = 120;

/**
 * Returns one entry per cause with evidence, what still counts and one next step, the most basic problem first
 * (docs/PROMPT_ANATOMY.md). Empty after `done`, after progress that the agent reports, and for outside causes.
 */
export function feedbackFor(input: FeedbackInput): readonly FeedbackEntry[] {
  const { at, taskId, iteration, verdict } = input;
  if (verdict.kind === 'done') return [];
  const { kind } = verdict;
  const texts: readonly (readonly [kind: string, text: string | null])[] = [
    ['state_tampering', tamperingText(input)],
    ['action_denied', deniedText(input)],
    [kind, input.startsOver ? startsOverText(input) : verdictText(input)],
    ['gates_failed', failedGatesText(input, { claimed: claimedCompletion(input), work: inTheTree(input) })],
    [
      'avoidance',
      isOutsideCause(kind) && kind !== 'awaiting_human' ? null : avoidanceText(input.avoidance, input),
    ],
    ['evidence_missing', evidenceText(input)],
  ];
  return texts.flatMap(([kind, text]) =>
    text === null ? [] : [{ at, taskId, iteration, kind, source: 'loop' as const, text }],
  );
}

function claimedCompletion({ claim, findings, verdict }: FeedbackInput): boolean {
  if (verdict.kind === 'no_files') return verdict.completionClaimed;
  return claim.completion || findings.some(({ type }) => type === 'false_completion');
}

/** Joins evidence, details and next step; the last details are dropped from a text that is too long. */
function block(level: string, seen: string, ...items: readonly string[]): string {
  const next = items.slice(-1);
  for (let details = items.slice(0, -1); ; details = details.slice(0, -1)) {
    const text = `**${level}**: ${seen}\n\n${bullets([...details, ...next])}`;
    if (text.length <= LONGEST) return text;
    if (details.length === 0) return cutMarkdown(text, LONGEST);
  }
}

function verdictText(input: FeedbackInput): string | null {
  const { verdict, taskId, iteration } = input;
  switch (verdict.kind) {
    case 'no_files':
      return noFilesText(input);
    case 'false_completion':
      return falseCompletionText(input, verdict.reasons.length > 0 ? verdict.reasons : [input.cause]);
    case 'incomplete':
      return block(
        'WARNING',
        `In iteration ${iteration}, you claimed that task ${taskId} is complete, and something is missing. ${open(input)}`,
        ...reasonItems(verdict.reasons),
        ...inTheTree(input),
        'Next: do what is missing, check it, and claim completion again.',
      );
    case 'progress':
      return progressText(input);
    case 'timed_out':
      return timedOutText(input, verdict);
    case 'agent_error':
      return block(
        'WARNING',
        `In iteration ${iteration}, your attempt at task ${taskId} ended with an error: ${quoted(verdict.message)}. ${open(input)}`,
        ...inTheTree(input),
        'Next: deal with that first, or continue without the step that led to it.',
      );
    case 'agent_blocked':
      return block(
        'NOTE',
        `In iteration ${iteration}, you reported task ${taskId} as blocked: ${quoted(verdict.reason)}.`,
        'The user started the task again. Check whether the obstacle is gone, or whether there is a way around it.',
        'If it is still there, report BLOCKED again and name exactly what is missing.',
      );
    case 'already_done':
      return block(
        'NOTE',
        `In iteration ${iteration}, you reported that task ${taskId} was done before. The user didn't accept that: ${open(input)}`,
        'Next: find what is missing and change it, or report BLOCKED and say what you would need to know.',
      );
    case 'review_blocked':
      return block(
        'CRITICAL',
        `In iteration ${iteration}, your attempt at task ${taskId} was ended: ${quoted(verdict.message)}. ${open(input)}`,
        ...inTheTree(input),
        'Next: do the task without this action.',
      );
    case 'conflict':
      return conflictText(input);
    case 'done':
    case 'gates_failed':
    case 'changes_requested':
    case 'rate_limited':
    case 'throttled':
    case 'credit':
    case 'auth':
    case 'model':
    case 'outage':
    case 'context':
    case 'refused':
    case 'spawn_failed':
    case 'gate_down':
    case 'interrupted':
    case 'awaiting_human':
      return null;
    default:
      return unreachable(verdict);
  }
}

function quoted(text: string): string {
  return inlineCode(shortened(text, REASON_CHARS * 2));
}

function open({ taskId }: FeedbackInput): string {
  return `Task ${taskId} remains OPEN.`;
}

function ignoredSignal(input: FeedbackInput): string {
  return `Your EXIT_SIGNAL (true) was IGNORED. ${open(input)}`;
}

function falseCompletionText(input: FeedbackInput, reasons: readonly string[]): string {
  return block(
    'CRITICAL',
    `In iteration ${input.iteration}, you claimed that task ${input.taskId} is complete, but it is not. ${ignoredSignal(input)}`,
    ...reasonItems(reasons),
    ...inTheTree(input),
    'Next: do what is missing, check it, and only then claim completion again.',
  );
}

function reasonItems(reasons: readonly string[]): string[] {
  return reasons.slice(0, REASONS).map((reason) => shortened(reason, REASON_CHARS));
}

function progressText(input: FeedbackInput): string | null {
  const { claim, iteration, taskId } = input;
  if (claim.status !== 'none') return null;
  return block(
    'NOTE',
    `Iteration ${iteration} of task ${taskId} ended without the status block, so nothing was claimed. ${open(input)}`,
    ...inTheTree(input),
    'Next: finish what is left. If nothing is left, check the work and end with the block: DONE, with these files as evidence.',
  );
}

const ENDED_EARLY: Readonly<Partial<Record<VerdictKind, string>>> = {
  timed_out: 'was ended at its time limit. Work in smaller steps',
  agent_error: 'ended with an error. Avoid the step that led to it',
  review_blocked: 'was ended for what you did or began to do. Do the task without it',
};

/** Problems besides the issue that the work was set aside for. No text here may claim that the work is still there. */
function startsOverText(input: FeedbackInput): string | null {
  const { kind } = input.verdict;
  if (kind === 'no_files' || kind === 'false_completion') return verdictText(input);
  const ended = ENDED_EARLY[kind];
  if (ended === undefined) return null;
  return `**WARNING**: In iteration ${input.iteration}, your attempt at task ${input.taskId} ${ended}.`;
}

function deniedText(input: FeedbackInput): string | null {
  const { blocked, denied } = input.review;
  if (blocked.length === 0) return null;
  const shown = blocked.slice(0, REASONS);
  const more = denied - shown.length;
  return block(
    'WARNING',
    `In iteration ${input.iteration} of task ${input.taskId}, actions of yours were denied:`,
    ...shown.map(
      ({ action, reason }) =>
        `${inlineCode(shortened(action, REASON_CHARS))}: ${shortened(reason, REASON_CHARS)}`,
    ),
    ...(more > 0 ? [`and ${more} more`] : []),
    'Next: find a way without them; in another form they are denied, too. If there is none, report BLOCKED.',
  );
}

function noFilesText(input: FeedbackInput): string {
  const { iteration, taskId, findings, ignoredPaths } = input;
  const claimed = claimedCompletion(input);
  // The summary names changed files that don't count as work.
  const summary = findings.find(({ type }) => type === 'no_files')?.summary ?? '';
  const names = firstFew(ignoredPaths.map(inlineCode), NAMED);
  return block(
    claimed ? 'CRITICAL' : 'WARNING',
    claimed
      ? `In iteration ${iteration}, you claimed that task ${taskId} is complete but wrote NO FILES. ${ignoredSignal(input)}`
      : `In iteration ${iteration}, you worked on task ${taskId} and wrote NO FILES. ${open(input)}`,
    ...(summary.includes('changed only') ? [`${shortened(summary, REASON_CHARS)} That isn't work.`] : []),
    // Snapshots leave out ignored files.
    ...(ignoredPaths.length === 0
      ? []
      : [`Git ignores ${names}: that can't count. Where the task needs an ignored file, report BLOCKED.`]),
    "Next: create or change the files with your write and edit tools; text in a message changes nothing. If you can't, report BLOCKED and why; if the task was done before your first attempt, ALREADY_DONE and where.",
  );
}

function conflictText(input: FeedbackInput): string | null {
  const { conflict, clashes, iteration, taskId } = input;
  if (conflict === null) return null;
  const { tasks, paths, locks } = conflict;
  const others = tasks.length === 0 ? 'a commit of the user' : firstFew(tasks, NAMED);
  const seen =
    paths.length > 0
      ? [
          `Both changed ${firstFew(paths.map(inlineCode), NAMED)}.`,
          ...locks.map(({ path, reason }) => `${inlineCode(path)} couldn't be made anew: ${reason}.`),
        ]
      : clashes.map(({ name }) => `Each passes ${inlineCode(name)} alone, and both together fail.`);
  const note = block(
    'NOTE',
    `While you worked in iteration ${iteration}, ${others} landed, and your work at task ${taskId} conflicts with that. It isn't your fault; the files are now as they are with it. ${open(input)}`,
    ...seen,
    'Next: read what changed, do your task on top of it, check it, and claim completion again.',
  );
  const outputs = clashes.map(({ outputTail }) => tail(outputTail, OUTPUT_SHOWN));
  return [note, ...outputs.map((output) => fenced(tailOf(output, input.outputLimit)))].join('\n\n');
}

function timedOutText(
  input: FeedbackInput,
  { which, afterMs }: Extract<Verdict, { kind: 'timed_out' }>,
): string {
  const { workPaths, iteration, taskId, timeoutSeconds } = input;
  const why =
    which === 'wall'
      ? `at its time limit of ${formatDuration(timeoutSeconds * 1000)}`
      : 'because nothing had happened for too long';
  const steps =
    which === 'idle'
      ? "Don't start commands that wait for input or never end (watchers, servers, prompts)."
      : 'Take small steps, each written at once; end with IN_PROGRESS before the time is up.';
  return block(
    'WARNING',
    `In iteration ${iteration}, your attempt at task ${taskId} was ended after ${formatDuration(afterMs)}, ${why}. ${open(input)}`,
    ...inTheTree(input),
    workPaths.length > 0
      ? `Next: read what is there and continue from it. If nothing is left, report DONE. ${steps}`
      : `Next: write the first file within your first steps. ${steps}`,
  );
}

function inTheTree({ workPaths }: FeedbackInput): readonly string[] {
  if (workPaths.length === 0) return [];
  return [`Still in the work tree, and it counts: ${firstFew(workPaths.map(inlineCode), NAMED)}.`];
}

function tamperingText({ tampering, taskId, iteration }: FeedbackInput): string | null {
  if (tampering.every(({ kind }) => kind === 'tracker')) return null;
  const more = tampering.length - NAMED;
  return block(
    'CRITICAL',
    `In iteration ${iteration} of task ${taskId}, you changed files that only ralph or its user writes. Nothing of it counts as work.`,
    ...tampering.slice(0, NAMED).map(({ path, change }) => `${inlineCode(path)}: ${change}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    'Next: leave the task list, the configuration and all of `.ralph/` alone. ralph sets the status of a task.',
  );
}

function evidenceText(input: FeedbackInput): string | null {
  const { evidence, findings, verdict, claim, taskId, iteration } = input;
  const wrong = evidence.filter(({ standing: status }) => status === 'contradicted' || status === 'mistaken');
  const missing = findings.some(({ type }) => type === 'evidence_missing');
  // An attempt without files or without a claim has feedback by its verdict already.
  const isKnown = verdict.kind === 'no_files' || (verdict.kind === 'progress' && claim.status === 'none');
  if (isKnown || (wrong.length === 0 && !missing)) return null;
  return block(
    'WARNING',
    `In iteration ${iteration}, the evidence for task ${taskId} ${wrong.length > 0 ? "doesn't agree with the files" : 'is missing'}.`,
    ...wrong
      .slice(0, REASONS)
      .map(({ item, why }) => `${inlineCode(placeOf(item))}: ${inlineCode(shortened(why, REASON_CHARS))}`),
    '**Evidence required**: every file that you changed for this task as `path:from-to what was done there`, with the lines as they are now.',
  );
}

function placeOf({ path, from, to }: EvidenceCheck['item']): string {
  if (from === null) return path;
  return to === null || to === from ? `${path}:${from}` : `${path}:${from}-${to}`;
}

/** Limit of findings shown with their lines; others are only counted. */
const FINDINGS_SHOWN = 5;

/** Alternatives by category. @see docs/HUMAN_GATES.md*/
const INSTEAD: Readonly<Record<string, string>> = {
  test_deletion: 'Restore the test, and fix what makes it fail.',
  test_skip: 'Let the test run: mock what it depends on, or fix its timing.',
  test_focus: 'Let all tests run.',
  assertion_weakening: 'Restore the assertion, and fix the implementation until it holds.',
  hardcoded_test_bypass: 'Compute the result; the code must not know its tests.',
  gate_weakening: 'Restore the setting, and fix what it finds.',
  feature_removal: 'Keep the feature: put it behind a flag, or deprecate it first.',
  coverage_regression: 'Add tests for what you wrote.',
  stub_completion: 'Write the body.',
  error_swallowing: 'Handle the error, or let it through.',
};

/** Text on what an attempt avoided; `null`: it avoided nothing. */
function avoidanceText(
  { acting, unsure, warned }: JudgedAvoidance,
  { iteration, taskId }: { readonly iteration: number; readonly taskId: string },
): string | null {
  const counted = [...acting, ...unsure];
  const all = [...counted, ...warned];
  if (all.length === 0) return null;
  const lead =
    counted.length > 0
      ? `**CRITICAL**: In iteration ${iteration}, your changes for task ${taskId} make checks weaker instead of code better.`
      : `**WARNING**: In iteration ${iteration}, your changes for task ${taskId} look as if they made checks weaker. Ignore this where the task asks for it.`;
  const rest = all.length > FINDINGS_SHOWN ? [`And ${all.length - FINDINGS_SHOWN} more of this kind.`] : [];
  return [lead, ...all.slice(0, FINDINGS_SHOWN).map(shownAvoidance), ...rest].join('\n\n');
}

function shownAvoidance(one: FoundAvoidance): string {
  const mark = (text: string | null, sign: string) =>
    text === null || text === '' ? [] : text.split('\n').map((line) => `${sign} ${line}`);
  const lines = [...mark(one.before, '-'), ...mark(one.after, '+')];
  const head = bullets([`${asSentence(avoidanceLine(one))} ${INSTEAD[one.category] ?? ''}`.trim()]);
  return lines.length === 0 ? head : `${head}\n\n${fenced(lines.join('\n'))}`;
}
