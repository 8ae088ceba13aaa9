import { counted } from 'ralph-kit/counted';
import { expectedPathsOf } from 'ralph-kit/scope/expected-paths';
import type { Escalation } from '../../domain/workflow/escalation.ts';
import {
  type Correction,
  type IssueCount,
  NEW_WORKFLOW,
  REVIEWS_KEPT,
  ROLES,
  type Role,
  type RoleRun,
  type ShadowSign,
  type SystemShadow,
  shadowsIn,
  type TaskWorkflow,
  type WorkflowDecisions,
  type WorkflowFacts,
  type WorkflowScore,
} from '../../domain/workflow/roles.ts';
import { escalate } from '../table.ts';
import { type Answer, answersOf, asksForChanges, causeOutside, finalAnswers } from './answers.ts';
import { reviewers } from './next-roles.ts';
import { CORRECTIONS, roleSigns } from './role-shadows.ts';
import { changedLines } from './shadows/changed-lines.ts';
import { NOTHING_OBSERVED, type RoleObservation, type TaskSummary } from './shadows/observation.ts';
import { isSameFinding } from './similar.ts';
import { quickApproval, SYSTEM_CORRECTIONS, systemSigns } from './system-shadows.ts';

export type WorkflowInput = {
  readonly workflow: WorkflowFacts;
  /** State of the workflow before the attempt; `null`: the task has none yet. */
  readonly before: TaskWorkflow | null;
  readonly task: TaskSummary;
  /** Paths that the maker changed in this attempt. `commits`: number of its commits. */
  readonly changed: readonly string[];
  readonly commits: number;
  readonly doMs: number;
  readonly gatesPassed: boolean;
  /** Whether gates and evidence accept the work. */
  readonly isComplete: boolean;
};

/** Returns the decisions about the roles. Reviewers can only make the verdict stricter. */
export function decideWorkflow(input: WorkflowInput): Omit<WorkflowDecisions, 'spend'> {
  const { workflow, isComplete } = input;
  const { runs } = workflow;
  const before = input.before ?? NEW_WORKFLOW;
  const answers = answersOf(runs);
  // A reviewer that couldn't be started hasn't approved anything.
  const notStarted = reviewers(workflow.kind, isComplete)
    .filter((role) => answers.every((one) => one.role !== role))
    .map((role): Answer => ({ number: 0, role, answer: null, failure: 'it was not started' }));
  const final = [...finalAnswers(answers), ...notStarted];
  const requested = final.filter(({ answer }) => answer !== null && asksForChanges(answer));
  const failed = final.filter(({ answer }) => answer === null);
  // An outside cause only counts if reviews are the only thing that is missing.
  const causes = failed.map(({ number }) => causeOutside(runs, number));
  const isCauseOutside = isComplete && requested.length === 0 && causes.every((cause) => cause !== null);
  const outside = isCauseOutside ? (causes[0] ?? null) : null;
  const task: TaskWorkflow = {
    ...before,
    plan: workflow.plan ?? before.plan,
    // A cycle that was cut off by you, the budget or an outage doesn't count.
    cycles: before.cycles + (isComplete && outside === null && answers.length > 0 ? 1 : 0),
    explorerStarts: before.explorerStarts + runs.filter(({ role }) => role === 'explorer').length,
    planMs: before.planMs + workflow.planMs,
    doMs: before.doMs + input.doMs,
  };
  // Shadows of the workflow in a cycle that was cut off don't count, so they count as new in the next one.
  const isCutOff = outside !== null || (!isComplete && answers.length > 0);
  const groups = signGroups(input, task, answers, final, isCutOff);
  const signs = groups.flat();
  const observed = new Set<string>(['maker', ...runs.map(({ role }) => role)]);
  const { issues, escalations } = countIssues(task, groups, observed);
  const { findings, parkedFindings } = sorted(final, requested.length > 0);
  const isRejected = isComplete && requested.length + failed.length > 0;
  const accepted = isComplete && !isRejected;
  const cycles = isRejected && outside === null ? task.cycles : 0;
  const why = [
    ...(requested.length === 0 ? [] : [`${names(requested)} asked for changes`]),
    ...failed.map(({ role, failure }) => `the review by ${role} failed (${failure})`),
  ].join('; ');
  const paused = escalations.find(({ layer, step }) => layer === 'system' && step !== 'correct');
  return {
    answers: [...answers],
    signs,
    escalations,
    findings,
    parkedFindings,
    rejected: isRejected ? { roles: [...requested, ...failed].map(({ role }) => role), why } : null,
    outside,
    parked: accepted ? null : whyParked(escalations, requested, cycles, workflow.maxCycles, why),
    pause: paused === undefined ? null : `${paused.issue} was found ${paused.times} times.`,
    next: {
      ...task,
      issues,
      ...correctionsAfter(task, escalations, observed),
      reviews: reviewsAfter(task, final, runs),
    },
    score: {
      roles: roleScores(workflow, answers, before, signs),
      actions: actionScores(before, signs, escalations, observed),
    },
    deferred: accepted ? parkedFindings.filter(({ finding }) => finding.severity === 'WARNING').length : 0,
  };
}

function whyParked(
  escalations: readonly Escalation[],
  requested: readonly Answer[],
  /** Number of cycles in which reviews rejected complete work. */
  cycles: number,
  maxCycles: number,
  whyRejected: string,
): string | null {
  const person = escalations.find(({ step }) => step === 'person');
  if (person !== undefined) {
    const times = person.times === 3 ? 'third' : `${person.times}th`;
    return `${person.issue} for the ${times} time: ${person.asks}.`;
  }
  if (cycles === 0) return null;
  if (requested.length === 0) return `No review: ${whyRejected}.`;
  return cycles < maxCycles
    ? null
    : `${names(requested)} still asked for changes after ${counted(cycles, 'cycle')}.`;
}

/** Returns signs in groups: the maker's first, those of the whole workflow last. */
function signGroups(
  input: WorkflowInput,
  task: TaskWorkflow,
  answers: readonly Answer[],
  final: readonly Answer[],
  isCutOff: boolean,
): readonly (readonly ShadowSign[])[] {
  const { workflow, changed, commits, gatesPassed } = input;
  const { runs, files, commands, checkMs, lessons, deferred, cleanUp } = workflow;
  // The proposal has the task's expected files and the plan's files.
  const listed = [...new Set([...input.task.expectedPaths, ...(task.plan?.files ?? [])])];
  const expected = expectedPathsOf({ expectedPaths: listed });
  const proposal = expected === null ? null : listed;
  const outside = changed.filter((path) => expected?.matches(path) === false);
  const base: RoleObservation = {
    ...NOTHING_OBSERVED,
    task: input.task,
    changed: files,
    lines: changedLines(workflow.diff),
    commits,
    commands,
    gatesPassed,
    proposal,
    outside,
  };
  const own = files.filter(({ path }) => changed.includes(path));
  const maker = changed.length === 0 ? [] : roleSigns('maker', { ...base, changed: own });
  const others = runs.map((run) => {
    const last = run.turns.at(-1);
    if (last === undefined || last.trouble !== null) return [];
    const observed = { ...base, text: last.text, reads: run.reads };
    if (run.phase === 'plan') return roleSigns(run.role, observed);
    const answer = final.find(({ number }) => number === run.number)?.answer ?? null;
    const earlier = task.reviews.filter(({ role }) => role === run.role);
    return answer === null ? [] : roleSigns(run.role, { ...observed, answer, earlier });
  });
  if (isCutOff) return [maker, ...others];
  const first = runs.filter(({ phase, adversarial }) => phase === 'check' && !adversarial);
  const numbers = new Set(first.map(({ number }) => number));
  const reviews = finalAnswers(answers.filter(({ number }) => numbers.has(number)));
  const system = systemSigns({
    reviews,
    checkMs,
    allRead: haveAllRead(first, files),
    task,
    changed,
    proposal,
    outside,
    lessons,
    deferred,
    cleanUp,
  });
  return [maker, ...others, system];
}

function haveAllRead(runs: readonly RoleRun[], files: WorkflowFacts['files']): boolean {
  return runs.every(({ reads }) => files.every(({ path }) => reads.includes(path)));
}

export function plannerSigns({ role, turns, reads }: RoleRun, task: TaskSummary): readonly Correction[] {
  const last = turns.at(-1);
  if (last === undefined || last.trouble !== null) return [];
  const [shadow] = shadowsIn(roleSigns(role, { ...NOTHING_OBSERVED, text: last.text, reads, task }));
  return shadow === undefined ? [] : correctionsFor({ layer: 'role', issue: shadow });
}

/** Returns whether all reviewers approved so quickly that the guardian is asked again, this time to look for faults. */
export function wantsAdversary(
  runs: readonly RoleRun[],
  checkMs: number,
  files: WorkflowFacts['files'],
): boolean {
  const reviews = finalAnswers(answersOf(runs));
  const sign = quickApproval({ reviews, checkMs, allRead: haveAllRead(runs, files) });
  return reviews.some(({ role }) => role === 'guardian') && sign !== null && sign.immune === null;
}

/** Returns how often each issue occurred, once per agent. A repeated issue leads to a stronger step. */
function countIssues(
  { issues }: TaskWorkflow,
  groups: readonly (readonly ShadowSign[])[],
  observed: ReadonlySet<string>,
) {
  const escalations: Escalation[] = [];
  const counts = new Map(
    issues.map((one): [string, IssueCount] => [
      one.issue,
      wasObserved(one, observed) ? { ...one, isOpen: false } : one,
    ]),
  );
  for (const issue of groups.flatMap((signs) => [...new Set(shadowsIn(signs))])) {
    const layer = issue.includes(':') ? 'role' : 'system';
    const escalation = escalate(layer, issue, (counts.get(issue)?.times ?? 0) + 1);
    escalations.push(escalation);
    counts.set(issue, { layer, issue, times: escalation.times, step: escalation.step, isOpen: true });
  }
  return { issues: [...counts.values()], escalations };
}

/**
 * Returns whether an issue could be seen. A role's issue, such as `guardian:paranoid`, can only be seen while an agent
 * has that role.
 */
function wasObserved({ layer, issue }: IssueCount, observed: ReadonlySet<string>): boolean {
  return layer === 'system' || observed.has(issue.split(':')[0] ?? '');
}

const RANK = { CRITICAL: 0, WARNING: 1, INFO: 2 } as const;

/**
 * Returns findings, the worst first. Those of severity INFO wait while there are worse ones, and all wait if no changes
 * were requested.
 */
function sorted(final: readonly Answer[], isRequested: boolean) {
  const all: WorkflowDecisions['findings'] = [];
  for (const { role, answer } of final)
    for (const finding of answer?.findings ?? [])
      if (!all.some((known) => isSameFinding(known.finding, finding))) all.push({ role, finding });
  all.sort((one, other) => RANK[one.finding.severity] - RANK[other.finding.severity]);
  if (!isRequested) return { findings: [], parkedFindings: all };
  const serious = all.filter(({ finding }) => finding.severity !== 'INFO');
  return serious.length === 0
    ? { findings: all, parkedFindings: [] }
    : { findings: serious, parkedFindings: all.slice(serious.length) };
}

function names(answers: readonly Answer[]): string {
  return [...new Set(answers.map(({ role }) => role))].join(' and ');
}

function correctionsAfter(
  task: TaskWorkflow,
  escalations: readonly Escalation[],
  observed: ReadonlySet<string>,
) {
  const kept = task.corrections.filter(({ role }) => !observed.has(role));
  const replaced = new Map(task.replaced.map(({ role, times }) => [role, times]));
  for (const { issue, step } of escalations) {
    const role = issue.split(':')[0] as Role;
    if (step === 'replace') replaced.set(role, (replaced.get(role) ?? 0) + 1);
  }
  return {
    corrections: [...kept, ...escalations.flatMap(correctionsFor)],
    replaced: [...replaced].map(([role, times]) => ({ role, times })),
  };
}

/** Maximum number of findings of one review that the task keeps. */
const FINDINGS_KEPT = 20;

function reviewsAfter(task: TaskWorkflow, final: readonly Answer[], runs: readonly RoleRun[]) {
  const reviews = final
    .filter(({ number }) => causeOutside(runs, number) === null)
    .map(({ role, answer }) => ({
      cycle: task.cycles,
      role,
      verdict: answer?.verdict ?? null,
      findings: answer?.findings.slice(0, FINDINGS_KEPT) ?? [],
    }));
  return [...task.reviews, ...reviews].slice(-REVIEWS_KEPT);
}

function correctionsFor({ layer, issue }: Pick<Escalation, 'layer' | 'issue'>): Correction[] {
  if (layer === 'system') {
    const { roles, text } = SYSTEM_CORRECTIONS[issue as SystemShadow];
    return roles.map((role) => ({ role, issue, text }));
  }
  const role = ROLES.find((one) => issue.startsWith(`${one}:`));
  return role === undefined ? [] : [{ role, issue, text: CORRECTIONS[role] }];
}

function roleScores(
  { runs }: WorkflowFacts,
  answers: readonly Answer[],
  before: TaskWorkflow,
  signs: readonly ShadowSign[],
): WorkflowScore['roles'] {
  const shadowed = new Set(shadowsIn(signs).map((shadow) => shadow.split(':')[0]));
  const now = answers.flatMap(({ answer }) => answer?.findings ?? []);
  return [...new Set(runs.map(({ role }) => role))].map((role) => {
    const ownRuns = runs.filter((run) => run.role === role);
    const own = answers.filter((one) => one.role === role);
    const reviews = before.reviews.filter((one) => one.role === role);
    const lastCycle = Math.max(0, ...reviews.map(({ cycle }) => cycle));
    const earlier = reviews
      .filter(({ cycle }) => cycle === lastCycle)
      .flatMap(({ findings }) => findings)
      .filter((one) => !now.some((other) => isSameFinding(one, other)));
    return {
      role,
      runs: ownRuns.length,
      failed: own.filter(({ answer }) => answer === null).length,
      findings: own.flatMap(({ answer }) => answer?.findings ?? []).length,
      resolved: own.some(({ answer }) => answer !== null) ? earlier.length : 0,
      shadows: shadowed.has(role) ? 1 : 0,
      wrote: ownRuns.filter(({ wroteInCopy }) => wroteInCopy.length > 0).length,
    };
  });
}

function actionScores(
  before: TaskWorkflow,
  signs: readonly ShadowSign[],
  escalations: readonly Escalation[],
  observed: ReadonlySet<string>,
): WorkflowScore['actions'] {
  const found = new Set(shadowsIn(signs));
  const helped = before.issues
    .filter((one) => one.isOpen && wasObserved(one, observed) && !found.has(one.issue))
    .map(({ issue, step }) => ({ issue, step, applied: 0, helped: 1 }));
  return [...helped, ...escalations.map(({ issue, step }) => ({ issue, step, applied: 1, helped: 0 }))];
}
