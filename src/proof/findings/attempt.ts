import { DISTINCT_NAMES, isTestFile } from 'ralph-ecosystems';
import { firstFew, pathText, quotedNames } from 'ralph-kit/text';
import type { Change, ChangeSet, GitOperation, IdleChange, Pointer } from '../../domain/change-set.ts';
import type { Claim, EvidenceCheck } from '../../domain/claim.ts';
import type { PassedElsewhere } from '../../domain/command-runs.ts';
import { avoidanceLine, type JudgedAvoidance } from '../../domain/findings/avoidance.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import {
  type GateChange,
  type GateJudgement,
  type GateReport,
  type GateResult,
  isRed,
} from '../../domain/gate.ts';
import type { ProofDecision } from '../../domain/proof-run.ts';
import type { IterationFacts, Tampering } from '../../domain/records/iteration.ts';
import type { AttemptSummary } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { isAskedFor, namesOfIdle } from './substance.ts';

type Facts =
  | 'task'
  | 'iteration'
  | 'end'
  | 'report'
  | 'changes'
  | 'idleChanges'
  | 'tampering'
  | 'review'
  | 'errorTail'
  | 'observed'
  | 'resources'
  | 'credentials'
  | 'fileFacts'
  | 'operation'
  | 'conflict'
  | 'pointers'
  | 'missing';

export type Attempt = Readonly<Pick<IterationFacts, Facts>> & {
  readonly claim: Claim;
  readonly gates: readonly GateResult[];
  /** Gates that fail in a clean copy and pass in the agent's. */
  readonly passedElsewhere: readonly PassedElsewhere[];
  /** Gates that fail together with work that landed meanwhile, and pass with either alone. */
  readonly clashes: readonly GateResult[];
  readonly evidence: readonly EvidenceCheck[];
  readonly gateReport: GateReport;
  /** Gates that also fail without the work, as something outside changed. */
  readonly down: readonly string[];
  readonly gateChanges: readonly GateChange[];
  readonly proof: ProofDecision;
  /** Acceptance criteria that the files contradict, as sentences. */
  readonly unmet: readonly string[];
  /** Earlier attempts of this series, oldest first. */
  readonly history: readonly AttemptSummary[];
  /** Uncommitted paths that earlier attempts of the series changed. */
  readonly earlierPaths: readonly string[];
  /** Net changes by the agents in all attempts of the series, including this one. */
  readonly series: Changed;
  /** Window over which growth is measured, in seconds (`[interventions] metrics_window_seconds`). */
  readonly metricsWindowSeconds: number;
  readonly extraFindings: readonly Finding[];
  readonly avoidance: JudgedAvoidance;
};

/** Changes between two trees; `idleChanges` are those that don't count as work. */
export type Changed = {
  readonly changes: Pick<ChangeSet, 'changes'>;
  readonly idleChanges: readonly IdleChange[];
};

type Work = Pick<Attempt, 'task' | 'tampering'>;

/**
 * Returns the changes that count as work: neither tampering nor idle changes (such as white space) that the task
 * doesn't ask for.
 */
export function workOf({ task, tampering }: Work, { changes: { changes }, idleChanges }: Changed): Change[] {
  const tampered = tamperedPaths(tampering);
  const idle = new Set(idleOf(task, idleChanges).map(({ path }) => path));
  return changes.filter(({ path }) => !tampered.has(path) && !idle.has(path));
}

function idleOf(task: Task, idleChanges: readonly IdleChange[]): IdleChange[] {
  return idleChanges.filter((change) => !isAskedFor(task, change));
}

/** Returns paths that gates and other tools wrote without the task asking for them. They don't count as work. */
export function outputsIn({ task, idleChanges }: Pick<Attempt, 'task' | 'idleChanges'>): ReadonlySet<string> {
  const outputs = idleOf(task, idleChanges).filter(({ why }) => why === 'output');
  return new Set(outputs.map(({ path }) => path));
}

export function changedAtMost({ task, series }: Pick<Attempt, 'task' | 'series'>): string {
  const idle = idleOf(task, series.idleChanges);
  return idle.length === 0 ? 'no file' : `only ${namesOfIdle(idle)}`;
}

export function ignoredNote({ fileFacts }: Pick<Attempt, 'fileFacts'>): string {
  const names = ignoredPaths(fileFacts).map(pathText);
  if (names.length === 0) return '';
  const what = names.length === 1 ? 'it does' : 'they do';
  return ` Git ignores ${firstFew(names, IGNORED_NAMED)}, so ${what} not count ([snapshot] include_ignored).`;
}

export function ignoredPaths(facts: Attempt['fileFacts']): readonly string[] {
  return facts.filter(({ ignored }) => ignored).map(({ path }) => path);
}

const IGNORED_NAMED = 3;

/** Returns whether the task needs changed files and none of its attempts left any; the newest may have nothing to add. */
export function lacksFiles(attempt: Work & Pick<Attempt, 'series'>): boolean {
  return attempt.task.kind === 'build' && workOf(attempt, attempt.series).length === 0;
}

export function addsNothing(attempt: Work & Pick<Attempt, 'changes' | 'idleChanges'>): boolean {
  return attempt.task.kind === 'build' && workOf(attempt, attempt).length === 0;
}

export function changesTestsAlone(attempt: Work & Pick<Attempt, 'series'>): boolean {
  const { task, series } = attempt;
  const work = workOf(attempt, series);
  return (
    task.kind === 'build' &&
    work.length > 0 &&
    work.every(({ path }) => isTestFile(path)) &&
    isCodeAskedFor(task)
  );
}

/** Returns whether the agent reports the task as done before, shows where, and nothing contradicts it. */
export function isAlreadyDone(attempt: Attempt): boolean {
  const { claim, evidence, gateReport } = attempt;
  return (
    claim.status === 'already_done' &&
    // A red gate counts whoever broke it: a task on a red tree was hardly done before.
    gateReport.judgements.every(({ outcome }) => !isRed(outcome)) &&
    evidence.some(({ item, standing: status }) => item.source === 'block' && status === 'confirmed') &&
    otherReasons(attempt).length === 0
  );
}

/** Returns evidence that can't be true. Files that ralph restored don't count against the agent. */
export function contradictions(attempt: Pick<Attempt, 'evidence' | 'tampering'>): EvidenceCheck[] {
  const tampered = tamperedPaths(attempt.tampering);
  return attempt.evidence.filter(
    (check) => check.standing === 'contradicted' && !tampered.has(check.item.path),
  );
}

export function failedGates(report: GateReport): GateJudgement[] {
  return report.status === 'failed' ? report.judgements.filter((judgement) => judgement.counts) : [];
}

export type Reason = {
  readonly text: string;
  /** A claim of completion despite this reason is false. */
  readonly isFalse: boolean;
  readonly about: ReasonKind;
  /** Advice for the agent after the text; empty if the text is clear. */
  readonly advice: string;
};

type ReasonKind =
  | 'nothing_changed'
  | 'tests_alone'
  | 'gates'
  | 'unfinished'
  | 'criterion'
  | 'proof'
  | 'evidence'
  | 'avoidance';

function reason(about: ReasonKind, text: string, isFalse: boolean, advice = ''): Reason {
  return { about, text, isFalse, advice };
}

/**
 * Returns the reasons against accepting the work as done. A claim is false if no file was changed, the work broke a gate, or the evidence
 * in its block isn't there. Prose evidence is too uncertain to refute a claim.
 */
export function reasonsAgainstCompletion(attempt: Attempt): Reason[] {
  const none = lacksFiles(attempt) && !isAlreadyDone(attempt);
  const broken = failedGates(attempt.gateReport);
  const names = quotedNames(broken.map(({ name }) => name));
  return [
    ...(none ? [reason('nothing_changed', `${changedAtMost(attempt)} was changed`, true)] : []),
    ...(changesTestsAlone(attempt) ? [reason('tests_alone', TESTS_ALONE, false, WRITE_IT)] : []),
    ...(broken.length === 0 ? [] : [reason('gates', `gates fail: ${names}`, broken.some(isBrokenByWork))]),
    ...otherReasons(attempt),
  ];
}

const TESTS_ALONE = 'only tests changed, and the task asks for code';
const WRITE_IT = ': write it, or report ALREADY_DONE where it is there, or BLOCKED';

/** A gate that failed before, or whose tool is missing, doesn't make a claim false. */
function isBrokenByWork({ standing: status, outcome }: GateJudgement): boolean {
  return (
    status === 'hollow' || status === 'dead' || (status === 'regression' && outcome.kind !== 'tool_missing')
  );
}

function otherReasons(attempt: Attempt): Reason[] {
  const { operation, unmet, avoidance, proof } = attempt;
  const [avoided] = avoidance.acting;
  const inProgress = operation && `${operation.what} is in progress: ${endOperation(operation)}`;
  return [
    ...(inProgress === null ? [] : [reason('unfinished', inProgress, false)]),
    ...attempt.pointers.flatMap((pointer) => pointerReason(attempt, pointer)),
    ...missingReason(attempt.missing),
    ...unmet.map((criterion) => reason('criterion', `acceptance is unmet: ${criterion}`, true)),
    ...proof.against.map((text) => reason('proof', text, false)),
    ...contradictions(attempt)
      .filter(({ item }) => item.source === 'block')
      .map(({ why }) => reason('evidence', `evidence is contradicted: ${why}`, true)),
    ...(avoided === undefined
      ? []
      : [reason('avoidance', `checks were made weaker: ${avoidanceLine(avoided)}`, true)]),
  ];
}

/** Returns the reason against a submodule's commit: others have to be able to fetch it. */
function pointerReason(
  { series: { changes } }: Pick<Attempt, 'series'>,
  { path, commit, problem, text, fetch }: Pointer,
): Reason[] {
  if (problem === null) return [];
  const name = pathText(path);
  if (problem === 'unreachable') {
    const kept = fetch === null ? '' : ` (kept: ${fetch})`;
    const why = `the submodule ${name} is at ${commit.slice(0, COMMIT_SHOWN)}, and ${text}${kept}`;
    return [reason('unfinished', why, false, PUSH_IT)];
  }
  const inside = changes.changes.find((change) => change.path.startsWith(`${path}/`))?.path;
  const what = inside === undefined ? name : pathText(inside);
  const why = `${what} was changed inside of the submodule ${name}, which no commit of this repository holds`;
  return [reason('unfinished', why, false, TAKE_BACK)];
}

const TAKE_BACK = ': take it back there, or report BLOCKED';
const PUSH_IT = ': use a commit that its remote has, or report BLOCKED';
const COMMIT_SHOWN = 10;

function missingReason(missing: readonly string[]): Reason[] {
  if (missing.length === 0) return [];
  return [reason('unfinished', `its commit would lack ${firstFew(missing.map(pathText))}`, false)];
}

function tamperedPaths(tampering: readonly Tampering[]): ReadonlySet<string> {
  return new Set(tampering.map((entry) => entry.path));
}

export function endOperation({ finish, giveUp }: GitOperation): string {
  return finish === giveUp ? `end it (${finish})` : `finish it (${finish}) or give it up (${giveUp})`;
}

const WANTS_CODE =
  /\b(?:add|implement|create|build|write|support|introduce|expose|export|return|accept|allow|handle|parse|extend|rewrite|refactor|rename|convert|replace|port|migrate|fix|correct|make|change)\b/i;
/** Words of a task that asks for tests. `TESTS_PASS` is removed first, as any code has to pass its tests. */
const WANTS_TESTS = new RegExp(
  String.raw`\b(?:(?:unit|integration)?[ -]?test(?:s|ed|ing)?|specs?|cover(?:s|age|ed)?|cases|fixtures?|mocks?|e2e|flak\w*|assert\w*|snapshots?|reproduc\w*|verif\w*|expectations?|golden|suites?|conftest|ci|${DISTINCT_NAMES.join('|')})\b`,
  'i',
);
const TESTS_PASS =
  /`[^`\n]*\btest\w*[^`\n]*`(?: (?:is|are|stays?|exits|ends) \w+)?|\b(?:all |the |existing |current )*tests? (?:still |must |should |have to )*(?:pass|succeed|run|(?:are|is|be|stay|stays) (?:green|passing))\w*|\b(?:npm|pnpm|yarn|bun|cargo|go|make|mvn|gradle) (?:run )?test\b/gi;

const MAY_BE_IN_TESTS =
  /\b(?:lint\w*|warnings?|typos?|type ?(?:check|script|error)\w*|types|format\w*|builds?|compil\w*|fail\w*|broken|red|green|imports?|deprecat\w*|dependenc\w*|upgrad\w*|everywhere|clean ?up|unused|docs?|comments?)\b/i;

/** Returns whether a task's title asks for code, while neither its texts nor its paths are about tests. */
function isCodeAskedFor({ title, description, expectedPaths }: Task): boolean {
  const text = `${title}\n${description}`.replace(TESTS_PASS, '');
  if (!WANTS_CODE.test(title) || WANTS_TESTS.test(text) || MAY_BE_IN_TESTS.test(text)) return false;
  return expectedPaths === null || expectedPaths.length === 0 || !expectedPaths.every(isTestFile);
}
