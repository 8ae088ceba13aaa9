import { counted } from 'ralph-kit/counted';
import { excerptOf, placesIn } from 'ralph-kit/error-line';
import { firstFew, onOneLine, quotedNames } from 'ralph-kit/text';
import { checksIn, gatesIn } from '../../domain/command-runs.ts';
import type { GateJudgement } from '../../domain/gate.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import type { Answer, Remark, RemarkRule, WorkVerdict } from '../../domain/verification.ts';
import { describeGates, type Reason, reasonsAgainstCompletion } from '../../proof/findings/index.ts';
import { judge } from '../decide-iteration.ts';
import { signsOf } from '../finished-record.ts';

type Draft = Pick<Remark, 'rule' | 'level' | 'text'> & Partial<Remark>;

/** Rules of remarks against the work, the most serious first. */
const ORDER: readonly RemarkRule[] = [
  'nothing_changed',
  'credential',
  'gates',
  'criterion',
  'proof',
  'evidence',
  'avoidance',
  'tests_alone',
  'unfinished',
  'refused',
  'decision',
];

const NAMED = 3;

/**
 * Returns the answer about the work: its verdict, and the reasons in the order of their weight.
 * @param paths All files of the work, by which a remark gets its place.
 */
export function answerOf(
  facts: IterationFacts,
  decisions: IterationDecisions,
  paths: readonly string[],
): Answer {
  const { attempt } = judge(facts, decisions.claim);
  const verdict = verdictOf(facts, decisions, reasonsAgainstCompletion(attempt));
  const signs = signsOf(facts, decisions);
  const drafts = [
    ...againstCompletion(facts, decisions, { verdict, attempt }),
    ...whatShows(facts, decisions, verdict),
    ...signs.map((text): Draft => ({ rule: 'look', level: 'warning', text })),
    ...redBefore(decisions).map((name) =>
      note('red_before', `gate "${name}" failed before the work, too: that doesn't count`),
    ),
  ];
  const isFile = new Set(paths);
  return { verdict, remarks: drafts.map((draft) => placed(draft, isFile)) };
}

function note(rule: RemarkRule, text: string): Draft {
  return { rule, level: 'note', text };
}

const REFUSED: ReadonlySet<string> = new Set([
  'no_files',
  'false_completion',
  'incomplete',
  'gates_failed',
  'review_blocked',
]);

function verdictOf(
  facts: IterationFacts,
  { verdict: { kind }, proof, gateReport: { judgements } }: IterationDecisions,
  reasons: readonly Reason[],
): WorkVerdict {
  // You decide whether removals are accepted. Every other objection means "not verified".
  const isHeldAnyway =
    reasons.some(({ topic }) => topic !== 'avoidance' && topic !== 'gates') ||
    judgements.some(({ counts, standing: status }) => counts && status !== 'tests_missing');
  if (REFUSED.has(kind) || (kind === 'awaiting_human' && isHeldAnyway)) return 'not_verified';
  if (kind !== 'done') return 'cant_tell';
  const { grade } = proof;
  if (grade === 'held-out') return 'verified';
  if (grade === 'tests') return isBentUnasked(facts, proof) ? 'verified_weak' : 'verified';
  return grade === 'gates' || needsNoGate(facts) ? 'verified_weak' : 'cant_tell';
}

/** Returns whether old tests now require something else although the request doesn't ask for that. */
function isBentUnasked(
  { task }: Pick<IterationFacts, 'task'>,
  { changedDemands }: IterationDecisions['proof'],
): boolean {
  return changedDemands.length > 0 && !isAsked(task);
}

function isAsked({ title, acceptance, checks }: IterationFacts['task']): boolean {
  return title !== '' || acceptance.length > 0 || checks.length > 0;
}

/** Returns whether files show the requested result, or no gate is about the changed files. */
function needsNoGate(facts: IterationFacts): boolean {
  const { criteria } = facts;
  const gates = gatesIn(facts);
  const isShown = criteria.some(({ standing: status }) => status === 'shown');
  return isShown || (gates.length > 0 && gates.every(({ outcome }) => outcome.kind === 'skipped'));
}

type Judged = { readonly verdict: WorkVerdict; readonly attempt: ReturnType<typeof judge>['attempt'] };

function againstCompletion(
  facts: IterationFacts,
  decisions: IterationDecisions,
  { verdict, attempt }: Judged,
): Draft[] {
  const isHeld = verdict === 'not_verified';
  const level: Remark['level'] = isHeld ? 'error' : 'warning';
  const triggers = decisions.verdict.kind === 'awaiting_human' ? decisions.humanGate?.triggers : [];
  const drafts = [
    ...facts.credentials.map(({ path, line, kind, commit }): Draft => {
      const where = commit === null ? '' : `, in commit ${commit.slice(0, 10)}`;
      const text = `a credential was written into ${path}:${line}${where} (${kind})`;
      return { rule: 'credential', level, text, path, line };
    }),
    ...reasonsAgainstCompletion(attempt)
      .filter(({ topic }) => topic !== 'gates')
      .map(({ topic: rule, text }): Draft => ({ rule, level, text })),
    ...decisions.gateReport.judgements
      .filter(({ counts }) => counts)
      .map((one) => ({ ...ofGate(one, describeGates([one], attempt), facts, decisions), level })),
    ...(triggers ?? []).map(
      ({ text }): Draft => ({ rule: 'decision', level: 'warning', text: `you have to decide: ${text}` }),
    ),
  ];
  if (isHeld && drafts.every(({ level }) => level !== 'error'))
    drafts.push({ rule: 'refused', level: 'error', text: decisions.cause });
  return drafts.toSorted((one, other) => ORDER.indexOf(one.rule) - ORDER.indexOf(other.rule));
}

/** States of gates that passed wrongly, so their output shows nothing. */
const PRINTS_NOTHING: readonly string[] = ['dead', 'tests_missing', 'rewritten', 'hollow'];

function ofGate(
  { name, standing: status }: GateJudgement,
  text: string,
  facts: IterationFacts,
  { testResults }: IterationDecisions,
): Draft {
  const output = gatesIn(facts).find((gate) => gate.name === name)?.outputTail ?? '';
  const compared = testResults.find(({ gate }) => gate === name);
  const fresh = compared?.newlyFailing ?? [];
  const failing = fresh.length > 0 ? fresh : compared?.now.failing;
  const excerpt = PRINTS_NOTHING.includes(status) ? [] : excerptOf(output, failing, compared?.now.places);
  const before = status === 'regression' ? ', and passed before the work' : '';
  return { rule: 'gates', level: 'error', text: `${text}${before}`, excerpt };
}

function whatShows(facts: IterationFacts, decisions: IterationDecisions, verdict: WorkVerdict): Draft[] {
  const { criteria, task } = facts;
  const { witnesses, grade } = decisions.proof;
  const tests = witnesses.flatMap(({ failToPass }) => failToPass).map((name) => onOneLine(name));
  const [fail, pass] = tests.length === 1 ? ['test fails', 'passes'] : ['tests fail', 'pass'];
  const met = criteria.filter(({ standing: status }) => status === 'shown').length;
  const shown = [
    tests.length > 0 &&
      `${tests.length} ${fail} without the work and ${pass} with it: ${firstFew(tests, NAMED)}`,
    ...checksIn(facts)
      .filter(({ before, after }) => before.kind === 'failed' && after.outcome.kind === 'passed')
      .map(({ command }) => `check ${onOneLine(command)} fails without the work and passes with it`),
    grade === 'held-out' && 'a held-out gate passes',
    met > 0 && `${met} of ${counted(task.acceptance.length, 'criterion', 'criteria')} shown by the files`,
  ].filter((text) => text !== false);
  const isBent = isBentUnasked({ task }, decisions.proof);
  const weak = isBent
    ? 'the work changes what tests demand, and no task text says so (--text)'
    : grade === 'gates'
      ? 'gates pass, and no test fails without the work'
      : 'no gate is about the files that changed';
  return [
    ...shown.map((text) => note('shown', text)),
    ...(verdict === 'verified_weak' && (isBent || grade === 'gates' || met === 0)
      ? [note('weak', weak)]
      : []),
    ...(verdict === 'cant_tell' && grade === 'none'
      ? [saysNothing(gatesIn(facts).length, redBefore(decisions))]
      : []),
    ...(isAsked(task)
      ? []
      : [note('not_asked', 'no task text given (--text): only gates and tests were judged')]),
  ];
}

function saysNothing(gates: number, red: readonly string[]): Draft {
  const none =
    red.length > 0 ? `no gate passes (${quotedNames(red)} failed before the work, too)` : 'no gate passed';
  const text = `nothing says anything of it: ${gates === 0 ? 'there is no gate' : none}`;
  return { rule: 'weak', level: 'warning', text };
}

function redBefore({ gateReport }: IterationDecisions): string[] {
  return gateReport.judgements.flatMap(({ name, standing: status, counts }) =>
    counts || !['failed_before', 'down'].includes(status) ? [] : [name],
  );
}

/** Returns the remark with the first file of the work that its text or excerpt names. */
function placed(draft: Draft, isFile: ReadonlySet<string>): Remark {
  const found = [draft.text, ...(draft.excerpt ?? [])]
    .flatMap((line) => placesIn(line))
    .map(({ path, line }) => ({ path: path.replace(/^\.\//, ''), line }))
    .filter(({ path }) => isFile.has(path));
  const at = found.find(({ line }) => line !== null) ?? found[0];
  return { path: at?.path ?? null, line: at?.line ?? null, excerpt: [], ...draft };
}
