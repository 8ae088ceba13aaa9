import { counted } from 'ralph-kit/counted';
import { errorIn } from 'ralph-kit/error-line';
import {
  asSentence,
  capitalized,
  firstFew,
  onOneLine,
  pathText,
  quotedNames,
  shortened,
} from 'ralph-kit/text';
import type { PassedElsewhere } from '../../../domain/command-runs.ts';
import { type GateChange, type GateJudgement, isRed, outcomeText } from '../../../domain/gate.ts';
import type { Conflict } from '../../../domain/records/iteration.ts';
import { type Judgement, strictest, WITHOUT_BLOCK } from '../../../domain/verdict.ts';
import {
  type Attempt,
  addsNothing,
  changedAtMost,
  changesTestsAlone,
  failedGates,
  ignoredNote,
  isAlreadyDone,
  lacksFiles,
  reasonsAgainstCompletion,
  workOf,
} from '../attempt.ts';
import { waits } from './ending.ts';

export type VerdictInput = Attempt & {
  /** `[loop] completion`. `gates`: passed gates make an attempt done without a claim; `unchecked`: a claim is believed without checks. */
  readonly completion: 'claim' | 'gates' | 'unchecked';
};

type GatesInput = Pick<
  VerdictInput,
  | 'claim'
  | 'completion'
  | 'conflict'
  | 'clashes'
  | 'gates'
  | 'gateReport'
  | 'gateChanges'
  | 'passedElsewhere'
  | 'down'
> &
  WorkInput;

type WorkInput = Pick<VerdictInput, 'task' | 'tampering' | 'series' | 'changes' | 'idleChanges'>;

function isBelieved({ completion, claim }: Pick<VerdictInput, 'completion' | 'claim'>): boolean {
  return completion === 'unchecked' && claim.completion;
}

export function verdictsOfGates(input: GatesInput): Judgement[] {
  const { claim, gateReport, conflict, down } = input;
  // Work with a conflict can't land, however little is checked.
  const apart = conflict === null ? [] : [conflicting(conflict, input.clashes)];
  if (isBelieved(input)) return apart;
  const verdicts: Judgement[] = [...apart];
  if (gateReport.status === 'failed') {
    const failed = failedGates(gateReport);
    const gates = failed.map((judgement) => judgement.name);
    const rejected = claim.completion ? ' Not accepted as done.' : '';
    const still = addsNothing(input) ? stillRed(input, failed) : '';
    const cause = `${describeGates(failed, input)}; ${filesChanged(input)}.${still}${rejected}`;
    verdicts.push({ verdict: { kind: 'gates_failed', gates }, cause });
  }
  if (claim.completion && down.length > 0) {
    const cause = `Gate ${quotedNames(down)} fails on your branch without the work, too: something outside of it changed. The work is kept, and judged again without its agent; no attempt is lost.`;
    verdicts.push({ verdict: { kind: 'gate_down', gates: [...down] }, cause });
  }
  return verdicts;
}

/**
 * Returns the verdicts of the claim and the work of the whole series, and of actions that wait for you. A build task
 * without a changed file is never done, unless you accept it.
 * @param before Earlier verdicts on the attempt.
 */
export function verdictsOfWork(input: VerdictInput, before: readonly Judgement[]): Judgement[] {
  const own = judgeWork(input);
  const { waiting } = input.review;
  // An agent that found another way needs no decision of yours.
  const isDone = strictest([...before, own]).verdict.kind === 'done';
  return waiting.length === 0 || isDone ? [own] : [own, waits(waiting)];
}

function judgeWork(input: VerdictInput): Judgement {
  const { claim } = input;
  if (isBelieved(input))
    return { verdict: { kind: 'done' }, cause: 'Completion was claimed; it was not checked.' };
  if ((lacksFiles(input) || changesTestsAlone(input)) && isAlreadyDone(input)) return alreadyDone(input);
  if (lacksFiles(input)) return noFiles(input);
  const files = filesChanged(input);
  if (claim.completion) {
    const reasons = reasonsAgainstCompletion(input);
    if (reasons.length > 0) {
      const texts = reasons.map(({ text, advice }) => text + advice);
      const cause = `Completion was claimed, but ${texts.join('; ')}.`;
      const kind = reasons.some(({ isFalse }) => isFalse) ? 'false_completion' : 'incomplete';
      return { verdict: { kind, reasons: texts }, cause };
    }
    const cause = `${capitalized(files)}, ${passedGates(input)}.${changedGates(input)}${mistakes(input)}`;
    return { verdict: { kind: 'done' }, cause };
  }
  if (input.completion === 'gates' && gatesSuffice(input)) {
    const cause = `The gates passed and decide alone; ${files}.${changedGates(input)}`;
    return { verdict: { kind: 'done' }, cause };
  }
  const { taskId, status } = claim;
  const other =
    status === 'none' && taskId !== null && taskId !== input.task.id
      ? ` What was claimed is about ${taskId}.`
      : '';
  const without = status === 'none' && taskId === null ? `: ${WITHOUT_BLOCK}` : '';
  return {
    verdict: { kind: 'progress' },
    cause: `${capitalized(files)}, completion is not claimed${without}.${other}`,
  };
}

function conflicting({ tasks, paths, locks }: Conflict, clashes: VerdictInput['clashes']): Judgement {
  const others = tasks.length === 0 ? 'what you committed meanwhile' : firstFew(tasks, PATHS_NAMED);
  const why = locks.map(({ path, reason }) => `; ${pathText(path)} can't be made anew: ${reason}`).join('');
  const how =
    paths.length > 0
      ? `both change ${firstFew(paths.map(pathText), PATHS_NAMED)}${why}`
      : `each passes alone, and together ${quotedNames(clashes.map(({ name }) => name))} fails`;
  return {
    verdict: { kind: 'conflict', tasks: [...tasks] },
    cause: `It conflicts with ${others}: ${how}. The task is done again on top of that; no attempt is lost.`,
  };
}

/** Number of paths in a sentence. */
const PATHS_NAMED = 3;

function noFiles(input: VerdictInput): Judgement {
  const claimed = input.claim.completion;
  const tampered = input.tampering.length === 0 ? '' : ' Its changes to protected files do not count.';
  return {
    verdict: { kind: 'no_files', completionClaimed: claimed },
    cause: `The agent finished ${claimed ? 'and claimed completion, but' : 'and'} changed ${changedAtMost(input)}.${alreadyDoneNote(input)}${ignoredNote(input)}${tampered}`,
  };
}

function alreadyDoneNote(input: VerdictInput): string {
  if (input.claim.status !== 'already_done') return '';
  const red = input.gateReport.judgements.filter(({ outcome }) => isRed(outcome)).map(({ name }) => name);
  const why = [
    ...reasonsAgainstCompletion(input)
      .slice(1)
      .map(({ text, advice }) => text + advice),
    ...(red.length === 0 ? [] : [`gates fail: ${quotedNames(red)}`]),
  ];
  const [first] = why;
  return ` It says that the task was done before, ${first === undefined ? 'and names no file that is there' : `but ${first}`}.`;
}

function alreadyDone(input: VerdictInput): Judgement {
  const places = input.evidence
    .filter(({ item, standing: status }) => item.source === 'block' && status === 'confirmed')
    .map(({ item: { path, from } }) => pathText(from === null ? path : `${path}:${from}`));
  const gates = input.gateReport.status === 'passed' ? `, ${passedGates(input)}` : '';
  return {
    verdict: { kind: 'already_done' },
    cause: `The agent says that the task was done before: ${firstFew(places, PATHS_NAMED)}${gates}.`,
  };
}

/** Characters of an error in a sentence. */
const ERROR_QUOTED = 160;

function stillRed({ gates }: Pick<VerdictInput, 'gates'>, failed: readonly GateJudgement[]): string {
  const output = gates.find(({ name }) => name === failed[0]?.name)?.outputTail ?? '';
  const { line } = errorIn(output);
  return line === '' ? ' Still red.' : ` Still red: ${asSentence(shortened(onOneLine(line), ERROR_QUOTED))}`;
}

/** Returns whether the gates make an attempt done: one has run and passed, and the agent doesn't report the work as unfinished. */
function gatesSuffice(input: VerdictInput): boolean {
  const { claim, gateReport } = input;
  const ran = gateReport.judgements.some(
    (judgement) => judgement.standing === 'passed' || judgement.standing === 'fixed',
  );
  const saysUnfinished = claim.exitSignal === false || claim.status === 'in_progress';
  const isMet = reasonsAgainstCompletion(input).length === 0;
  return gateReport.status === 'passed' && ran && !saysUnfinished && isMet;
}

/** Number of gates in a sentence. */
const GATES_NAMED = 5;

function passedGates(input: VerdictInput): string {
  const { status, judgements } = input.gateReport;
  if (status === 'none') return 'no gate was run';
  const passed = judgements.filter(
    (judgement) => judgement.standing === 'passed' || judgement.standing === 'fixed',
  );
  if (passed.length < judgements.length)
    return `${passed.length} of ${counted(judgements.length, 'gate')} passed`;
  const names = passed.map(({ name }) => onOneLine(name));
  return `${firstFew(names, GATES_NAMED)} ${names.length === 1 ? 'passes' : 'pass'}`;
}

/** A wrong line or path in the evidence doesn't reject existing work. */
function mistakes({ evidence }: Pick<VerdictInput, 'evidence'>): string {
  const wrong = evidence
    .filter(({ standing: status }) => status === 'mistaken')
    .map(({ why }) => onOneLine(why));
  return wrong.length === 0 ? '' : ` Its evidence isn't exact: ${firstFew(wrong, PATHS_NAMED)}.`;
}

/** Number of changed sources in a sentence; the record has all. */
const CHANGES_NAMED = 3;

/** Changing a gate is allowed, as it is for tests: work that passes is done, and the verdict names the change. */
function changedGates({ gateChanges }: Pick<VerdictInput, 'gateChanges'>): string {
  const changed = gateChanges.filter(({ now }) => now);
  if (changed.length === 0) return '';
  const named = changed.map(({ gate, path, change }) => `${path} (gate "${gate}", ${change})`);
  return ` It changed what the gates run: ${firstFew(named, CHANGES_NAMED)}.`;
}

export function describeGates(
  failed: readonly GateJudgement[],
  { gateChanges, passedElsewhere }: Pick<VerdictInput, 'gateChanges' | 'passedElsewhere'>,
): string {
  if (failed.length === 0) return 'The gates failed';
  return failed
    .map((judgement) => {
      const how = whyVacuous(judgement, gateChanges) ?? ended(judgement);
      const there = passedElsewhere.find(({ gate }) => gate === judgement.name);
      return `Gate "${judgement.name}" ${how}${there === undefined ? '' : withWhat(there)}`;
    })
    .join(', ');
}

function withWhat({ ignored }: Pick<PassedElsewhere, 'ignored'>): string {
  const named = ignored.length === 0 ? '' : `: ${firstFew(ignored.map(pathText), PATHS_NAMED)}`;
  return `, and passes only with what git ignores${named}`;
}

function whyVacuous(
  { name, standing: status }: GateJudgement,
  changes: readonly GateChange[],
): string | null {
  const change = changes.find(({ gate, hollow: why }) => gate === name && why !== null);
  return status !== 'hollow' || change === undefined
    ? null
    : `isn't passed, as ${change.path} ${change.hollow}`;
}

const PASSES_BUT: Readonly<Partial<Record<GateJudgement['standing'], string>>> = {
  dead: "can't fail any more: it passes with a failing test that was added to it",
  rewritten: 'passes on other code than would land, as it writes that itself',
};

function ended(judgement: GateJudgement): string {
  if (judgement.why !== null) return `ends as passed, but ${judgement.why}`;
  return PASSES_BUT[judgement.standing] ?? outcomeText(judgement.outcome);
}

function filesChanged(input: WorkInput): string {
  const files = counted(workOf(input, input.series).length, 'file');
  return addsNothing(input) ? `${files} changed by earlier attempts` : `${files} changed`;
}
