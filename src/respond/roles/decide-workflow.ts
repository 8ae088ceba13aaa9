import { type Escalation, escalate } from '../../domain/workflow/escalation.ts';
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
} from '../../domain/workflow/roles.ts';
import { counted } from '../../lib/counted.ts';
import { expectedPathsOf } from '../../lib/scope/expected-paths.ts';
import {
  type Answer,
  answersOf,
  asksForChanges,
  causeOutside,
  finalAnswers,
  missingAnswers,
  outsideCauseOf,
} from './answers.ts';
import { changedLines } from './change.ts';
import { scoreOf } from './score.ts';
import { CORRECTIONS, roleSigns } from './shadows/index.ts';
import type { RoleLook } from './shadows/look.ts';
import { isSameFinding } from './similar.ts';
import { SYSTEM_CORRECTIONS, systemSigns } from './system-shadows.ts';

export type WorkflowInput = {
  readonly workflow: WorkflowFacts;
  /** What the task kept until now. */
  readonly before: TaskWorkflow | null;
  readonly task: RoleLook['task'];
  /** Paths that the maker changed in this attempt, and its commits. */
  readonly changed: readonly string[];
  readonly commits: number;
  readonly doMs: number;
  readonly gatesPassed: boolean;
  /** Work that gates and evidence accept. */
  readonly isComplete: boolean;
};

type Placed = WorkflowDecisions['findings'][number];

/** What follows from the work of the roles beside the maker, from the facts alone. Reviewers only add strictness. */
export function decideWorkflow(input: WorkflowInput): Omit<WorkflowDecisions, 'spend'> {
  const { workflow, isComplete } = input;
  const before = input.before ?? NEW_WORKFLOW;
  const answers = answersOf(workflow.runs);
  const final = [...finalAnswers(answers), ...missingAnswers(answers, input)];
  const requested = final.filter(({ answer }) => answer !== null && asksForChanges(answer));
  const failed = final.filter(({ answer }) => answer === null);
  const outside = isComplete && requested.length === 0 ? outsideCauseOf(failed, workflow.runs) : null;
  const grown = withTimes(before, input, outside === null);
  // What corrects a shadow of the system is cut off with the cycle: seen again, it is seen for the first time.
  const isCutOff = outside !== null || (!isComplete && answers.length > 0);
  const ofSystem = isCutOff ? [] : signsOfSystem(input, grown, answers);
  const groups = [...signsOfRoles(input, grown, final), ofSystem];
  const signs = groups.flat();
  const { issues, escalations } = countIssues(grown, groups, input);
  const { findings, parkedFindings } = sorted(final, requested.length > 0);
  const isRejected = isComplete && requested.length + failed.length > 0;
  const cycles = grown.cycles;
  const persons = escalations.filter(({ step }) => step === 'person');
  const accepted = isComplete && !isRejected;
  return {
    answers: [...answers],
    signs: [...signs],
    escalations: [...escalations],
    findings,
    parkedFindings,
    rejected: isRejected
      ? { roles: [...requested, ...failed].map(({ role }) => role), why: whyRejected(requested, failed) }
      : null,
    outside,
    parked: accepted
      ? null
      : whyParked(persons, requested, failed, isRejected && outside === null ? cycles : 0, workflow),
    pause: pauseOf(escalations),
    next: nextWorkflow(grown, { input, issues, escalations, final }),
    score: scoreOf({ workflow, answers, before, signs, escalations }),
    deferred: accepted ? parkedFindings.filter(({ finding }) => finding.severity === 'WARNING').length : 0,
  };
}

/** A cycle is one that came to its end: one that you, the budget or an outage cut off is none. */
function withTimes(
  before: TaskWorkflow,
  { workflow, doMs, isComplete }: WorkflowInput,
  isReviewed: boolean,
): TaskWorkflow {
  const { runs, planMs, plan } = workflow;
  return {
    ...before,
    plan: plan ?? before.plan,
    cycles: before.cycles + (isComplete && isReviewed && runs.some(({ phase }) => phase === 'check') ? 1 : 0),
    explorerStarts: before.explorerStarts + runs.filter(({ role }) => role === 'explorer').length,
    planMs: before.planMs + planMs,
    doMs: before.doMs + doMs,
  };
}

/** The proposal: what the task expects, and the files of the plan. */
function proposalOf({ task }: WorkflowInput, { plan }: TaskWorkflow) {
  const listed = [...new Set([...task.expectedPaths, ...(plan?.files ?? [])])];
  const expected = expectedPathsOf({ expectedPaths: listed });
  return listed.length === 0 || expected === null ? null : { listed, matches: expected.matches };
}

function outsideOf(input: WorkflowInput, task: TaskWorkflow): readonly string[] {
  const proposal = proposalOf(input, task);
  return proposal === null ? [] : input.changed.filter((path) => !proposal.matches(path));
}

/** The signs of each agent that ended, the maker first. */
function signsOfRoles(
  input: WorkflowInput,
  task: TaskWorkflow,
  final: readonly Answer[],
): readonly (readonly ShadowSign[])[] {
  const { workflow, changed, commits, gatesPassed } = input;
  const files = workflow.files;
  const base: RoleLook = {
    ...{ text: '', answer: null, reads: [], plan: task.plan, task: input.task },
    ...{ changed: files, lines: changedLines(workflow.diff), commits, gatesPassed, earlier: [] },
    ...{ proposal: proposalOf(input, task)?.listed ?? null, outside: outsideOf(input, task) },
    commands: workflow.commands,
  };
  const own = files.filter(({ path }) => changed.includes(path));
  const maker = changed.length === 0 ? [] : roleSigns('maker', { ...base, changed: own });
  const others = workflow.runs.map((run) => {
    const last = run.turns.at(-1);
    if (last === undefined || last.trouble !== null) return [];
    const look = { ...base, text: last.text, reads: run.reads };
    if (run.phase === 'plan') return roleSigns(run.role, look);
    const answer = final.find(({ number }) => number === run.number)?.answer ?? null;
    const earlier = task.reviews.filter(({ role }) => role === run.role);
    return answer === null ? [] : roleSigns(run.role, { ...look, answer, earlier });
  });
  return [maker, ...others];
}

function signsOfSystem(
  input: WorkflowInput,
  task: TaskWorkflow,
  answers: readonly Answer[],
): readonly ShadowSign[] {
  const { workflow, changed } = input;
  const first = workflow.runs.filter(({ phase, adversarial }) => phase === 'check' && !adversarial);
  const numbers = new Set(first.map(({ number }) => number));
  const reviews = finalAnswers(answers.filter(({ number }) => numbers.has(number)));
  const paths = workflow.files.map(({ path }) => path);
  return systemSigns({
    ...{ reviews, changed, checkMs: workflow.checkMs, task, taskEdited: false },
    allRead: first.length > 0 && first.every(({ reads }) => paths.every((path) => reads.includes(path))),
    proposal: proposalOf(input, task)?.listed ?? null,
    outside: outsideOf(input, task),
    ...{ lessons: workflow.lessons, deferred: workflow.deferred, cleanUp: workflow.cleanUp },
  });
}

/** Corrective actions for a planner that shows its shadow: it is asked again with them. */
export function plannerSigns(run: RoleRun, task: RoleLook['task']): readonly Correction[] {
  const last = run.turns.at(-1);
  if (last === undefined || last.trouble !== null) return [];
  const nothing = { answer: null, plan: null, proposal: null, outside: [], commands: null, earlier: [] };
  const look = { ...nothing, text: last.text, reads: run.reads, task, changed: [], lines: new Map() };
  const signs = roleSigns(run.role, { ...look, commits: 0, gatesPassed: false });
  const [shadow] = shadowsIn(signs);
  return shadow === undefined ? [] : correctionsFor('role', shadow);
}

/** Whether everyone approved too quickly: then the guardian is asked again, adversarially. */
export function wantsAdversary(
  runs: readonly RoleRun[],
  checkMs: number,
  files: WorkflowFacts['files'],
): boolean {
  const answers = finalAnswers(answersOf(runs));
  const paths = files.map(({ path }) => path);
  const look = {
    ...{ reviews: answers, checkMs, task: NEW_WORKFLOW, taskEdited: false, changed: [], proposal: null },
    allRead: runs.every(({ reads }) => paths.every((path) => reads.includes(path))),
    ...{ outside: [], lessons: [], deferred: [], cleanUp: null },
  };
  return (
    answers.some(({ role }) => role === 'guardian') && shadowsIn(systemSigns(look)).includes('echo_chamber')
  );
}

/** Counts what was found, once for each agent that showed it; the same issue again goes a step further. */
function countIssues(
  task: TaskWorkflow,
  groups: readonly (readonly ShadowSign[])[],
  { workflow }: WorkflowInput,
) {
  const found = groups.flatMap((signs) => [...new Set(shadowsIn(signs))]);
  const escalations: Escalation[] = [];
  const looked = new Set<Role>(['maker', ...workflow.runs.map(({ role }) => role)]);
  const known = task.issues.map((one): IssueCount => {
    const [role] = one.issue.split(':');
    const wasLooked = one.layer === 'system' || looked.has(role as Role);
    return wasLooked ? { ...one, isOpen: false } : one;
  });
  const issues = new Map(known.map((one) => [one.issue, one]));
  for (const issue of found) {
    const layer = issue.includes(':') ? 'role' : 'system';
    const escalation = escalate(layer, issue, (issues.get(issue)?.times ?? 0) + 1);
    escalations.push(escalation);
    issues.set(issue, { layer, issue, times: escalation.times, step: escalation.step, isOpen: true });
  }
  return { issues: [...issues.values()], escalations };
}

const RANK = { CRITICAL: 0, WARNING: 1, INFO: 2 } as const;

/** What the maker fixes now, the worst first and each once; INFO waits while there is anything worse, and so does all where nothing has to change. */
function sorted(final: readonly Answer[], isRequested: boolean) {
  const all: Placed[] = [];
  for (const { role, answer } of final)
    for (const finding of answer?.findings ?? [])
      if (!all.some((known) => isSameFinding(known.finding, finding))) all.push({ role, finding });
  all.sort((one, other) => RANK[one.finding.severity] - RANK[other.finding.severity]);
  if (!isRequested) return { findings: [], parkedFindings: all };
  const isInfo = ({ finding }: Placed) => finding.severity === 'INFO';
  return all.every(isInfo)
    ? { findings: all, parkedFindings: [] }
    : { findings: all.filter((one) => !isInfo(one)), parkedFindings: all.filter(isInfo) };
}

function whyRejected(requested: readonly Answer[], failed: readonly Answer[]): string {
  const asks = requested.length === 0 ? [] : [`${names(requested)} asked for changes`];
  return [...asks, ...failed.map(({ role, failure }) => `the review by ${role} failed (${failure})`)].join(
    '; ',
  );
}

function whyParked(
  persons: readonly Escalation[],
  requested: readonly Answer[],
  failed: readonly Answer[],
  cycles: number,
  { maxCycles }: WorkflowFacts,
): string | null {
  const [person] = persons;
  if (person !== undefined) return `${person.issue} for the ${ordinal(person.times)} time: ${person.asks}.`;
  if (cycles === 0) return null;
  if (requested.length === 0) return `No review: ${whyRejected(requested, failed)}.`;
  if (cycles < maxCycles) return null;
  return `${names(requested)} still asked for changes after ${counted(cycles, 'cycle')}.`;
}

function names(answers: readonly Answer[]): string {
  return [...new Set(answers.map(({ role }) => role))].join(' and ');
}

function ordinal(times: number): string {
  return times === 3 ? 'third' : `${times}th`;
}

function pauseOf(escalations: readonly Escalation[]): string | null {
  const paused = escalations.find(({ layer, step }) => layer === 'system' && step !== 'correct');
  return paused === undefined ? null : `${paused.issue} was found ${paused.times} times.`;
}

type Outcome = {
  readonly input: WorkflowInput;
  readonly issues: IssueCount[];
  readonly escalations: readonly Escalation[];
  readonly final: readonly Answer[];
};

function nextWorkflow(task: TaskWorkflow, { input, issues, escalations, final }: Outcome): TaskWorkflow {
  const heard = new Set<Role>(['maker', ...input.workflow.runs.map(({ role }) => role)]);
  const fresh = escalations.flatMap(({ layer, issue }) => correctionsFor(layer, issue));
  const kept = task.corrections.filter(({ role }) => !heard.has(role));
  const replaced = new Map(task.replaced.map(({ role, times }) => [role, times]));
  for (const { issue, step } of escalations) {
    const role = issue.split(':')[0] as Role;
    if (step === 'replace') replaced.set(role, (replaced.get(role) ?? 0) + 1);
  }
  const made = final.filter(({ number }) => causeOutside(input.workflow.runs, number) === null);
  const reviews = made.map(({ role, answer }) => ({
    cycle: task.cycles,
    role,
    verdict: answer?.verdict ?? null,
    findings: answer?.findings.slice(0, FINDINGS_KEPT) ?? [],
  }));
  return {
    ...task,
    issues,
    corrections: [...kept, ...fresh],
    replaced: [...replaced].map(([role, times]) => ({ role, times })),
    reviews: [...task.reviews, ...reviews].slice(-REVIEWS_KEPT),
  };
}

/** Findings of one review that a task keeps. */
const FINDINGS_KEPT = 20;

function correctionsFor(layer: Escalation['layer'], issue: string): Correction[] {
  if (layer === 'system') {
    const { roles, text } = SYSTEM_CORRECTIONS[issue as SystemShadow];
    return roles.map((role) => ({ role, issue, text }));
  }
  const role = ROLES.find((one) => issue.startsWith(`${one}:`));
  return role === undefined ? [] : [{ role, issue, text: CORRECTIONS[role] }];
}
