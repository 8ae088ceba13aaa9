import type { GateJudgement } from '../../domain/gate.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import type { Answer, Remark, RemarkRule, WorkVerdict } from '../../domain/verification.ts';
import { counted } from '../../lib/counted.ts';
import { excerptOf, placesIn } from '../../lib/error-line.ts';
import { firstFew, onOneLine, quotedNames } from '../../lib/text.ts';
import { describeGates, type Reason, reasonsAgainstCompletion } from '../../proof/findings/index.ts';
import { judge } from '../decide-iteration.ts';
import { signsOf } from '../finished-record.ts';

type Draft = Pick<Remark, 'rule' | 'level' | 'text'> & Partial<Remark>;

/** What is held against work, the gravest first. */
const ORDER: readonly RemarkRule[] = [
  'nothing-changed',
  'credential',
  'gate',
  'criterion',
  'proof',
  'evidence',
  'avoidance',
  'tests-alone',
  'unfinished',
  'refused',
  'decision',
];

/** Names that a sentence holds. */
const NAMED = 3;

/**
 * The answer that follows from what was decided about work: the verdict of an attempt and the grade of its proof, with the reasons in the order of
 * their weight.
 *
 * @param paths Of all files that the work has: what is said of one of them gets its place.
 */
export function answerOf(
  facts: IterationFacts,
  decisions: IterationDecisions,
  paths: readonly string[],
): Answer {
  const verdict = verdictOf(facts, decisions);
  const against = heldAgainst(facts, decisions, verdict);
  const rest = [
    ...whatShows(decisions, facts, verdict),
    ...signsOf(facts, decisions.proof).map((text): Draft => ({ rule: 'look', level: 'warning', text })),
    ...unheld(decisions),
  ];
  const isFile = new Set(paths);
  return { verdict, remarks: [...against, ...rest].map((draft) => placed(draft, isFile)) };
}

function verdictOf(facts: IterationFacts, { verdict, proof, claim }: IterationDecisions): WorkVerdict {
  switch (verdict.kind) {
    case 'done':
      if (proof.grade === 'tests' || proof.grade === 'held-out') return 'verified';
      return proof.grade === 'gates' || needsNoGate(facts) ? 'verified_weak' : 'cant_tell';
    case 'no_files':
    case 'false_completion':
    case 'incomplete':
    case 'gates_failed':
    case 'review_blocked':
    case 'rolled_back':
      return 'not_verified';
    case 'awaiting_human':
      // What speaks against it does so whatever is decided.
      return judge(facts, claim).verdict.kind === 'done' ? 'cant_tell' : 'not_verified';
    default:
      return 'cant_tell';
  }
}

/** The files show what was asked for, or no gate is about those that changed. */
function needsNoGate({ criteria, gates }: IterationFacts): boolean {
  const isShown = criteria.some(({ standing }) => standing === 'shown');
  return isShown || (gates.length > 0 && gates.every(({ outcome }) => outcome.kind === 'skipped'));
}

function heldAgainst(facts: IterationFacts, decisions: IterationDecisions, verdict: WorkVerdict): Draft[] {
  const { attempt } = judge(facts, decisions.claim);
  const isHeld = verdict === 'not_verified';
  const drafts = [
    ...facts.credentials.map(({ path, line, kind, commit }): Draft => {
      const where = commit === null ? '' : `, in commit ${commit.slice(0, 10)}`;
      const text = `a credential was written into ${path}:${line}${where} (${kind})`;
      return { rule: 'credential', level: isHeld ? 'error' : 'warning', text, path, line };
    }),
    ...reasonsAgainstCompletion(attempt).flatMap((reason) =>
      reason.about === 'gates' ? [] : [ofReason(reason)],
    ),
    ...decisions.gateReport.judgements
      .filter(({ counts }) => counts)
      .map((judgement) => ofGate(judgement, describeGates([judgement], attempt), facts, decisions)),
    ...(decisions.verdict.kind === 'awaiting_human' ? (decisions.humanGate?.triggers ?? []) : []).map(
      ({ text }): Draft => ({ rule: 'decision', level: 'warning', text: `a person has to decide: ${text}` }),
    ),
  ];
  if (isHeld && drafts.every(({ level }) => level !== 'error'))
    drafts.push({ rule: 'refused', level: 'error', text: decisions.cause });
  return drafts.toSorted((one, other) => ORDER.indexOf(one.rule) - ORDER.indexOf(other.rule));
}

const RULE_OF: Readonly<Record<Exclude<Reason['about'], 'gates'>, RemarkRule>> = {
  nothing_changed: 'nothing-changed',
  tests_alone: 'tests-alone',
  operation: 'unfinished',
  submodule: 'unfinished',
  criterion: 'criterion',
  proof: 'proof',
  evidence: 'evidence',
  avoidance: 'avoidance',
};

function ofReason({ about, text }: Reason): Draft {
  return { rule: about === 'gates' ? 'gate' : RULE_OF[about], level: 'error', text };
}

/** What a gate printed that passes falsely shows nothing. */
const PRINTS_NOTHING: ReadonlySet<GateJudgement['standing']> = new Set([
  'dead',
  'tests_missing',
  'rewritten',
  'hollow',
]);

function ofGate(
  { name, standing }: GateJudgement,
  text: string,
  { gates }: IterationFacts,
  { testResults }: IterationDecisions,
): Draft {
  const output = gates.find((gate) => gate.name === name)?.outputTail ?? '';
  const compared = testResults.find(({ gate }) => gate === name);
  const fresh = compared?.newlyFailing ?? [];
  const failing = fresh.length > 0 ? fresh : (compared?.now.failing ?? []);
  const excerpt = PRINTS_NOTHING.has(standing) ? [] : excerptOf(output, failing);
  const before = standing === 'regression' ? ', and passed before the work' : '';
  return { rule: 'gate', level: 'error', text: `${text}${before}`, excerpt: [...excerpt] };
}

/** What shows that it works, or that nothing does. */
function whatShows(
  { proof: { witnesses, grade }, gateReport }: IterationDecisions,
  { proof, gates, criteria, task }: IterationFacts,
  verdict: WorkVerdict,
): Draft[] {
  const shown = (text: string): Draft => ({ rule: 'shown', level: 'note', text });
  const tests = witnesses.flatMap(({ failToPass }) => failToPass).map((name) => onOneLine(name));
  const checks = (proof?.checks ?? []).filter(
    ({ before, after }) => before.kind === 'failed' && after.kind === 'passed',
  );
  const red = gateReport.judgements.filter(({ standing }) => standing === 'failed_before');
  const met = criteria.filter(({ standing }) => standing === 'shown').length;
  const none =
    gates.length === 0
      ? 'there is no gate'
      : red.length > 0
        ? `no gate passes (${quotedNames(red.map(({ name }) => name))} failed before the work, too)`
        : 'no gate passed that was run';
  return [
    ...(tests.length === 0
      ? []
      : [
          shown(
            `${counted(tests.length, 'test fails', 'tests fail')} without the work and ${tests.length === 1 ? 'passes' : 'pass'} with it: ${firstFew(tests, NAMED)}`,
          ),
        ]),
    ...checks.map(({ command }) =>
      shown(`check ${onOneLine(command)} fails without the work and passes with it`),
    ),
    ...(grade === 'held-out' ? [shown('a held-out gate passes')] : []),
    ...(met === 0
      ? []
      : [shown(`${met} of ${counted(task.acceptance.length, 'criterion', 'criteria')} shown by the files`)]),
    ...(verdict === 'verified_weak' && grade === 'gates'
      ? [
          {
            rule: 'weak' as const,
            level: 'note' as const,
            text: 'gates pass, and no test fails without the work',
          },
        ]
      : []),
    ...(verdict === 'verified_weak' && grade === 'none' && met === 0
      ? [{ rule: 'weak' as const, level: 'note' as const, text: 'no gate is about the files that changed' }]
      : []),
    ...(verdict === 'cant_tell' && grade === 'none'
      ? [{ rule: 'weak' as const, level: 'warning' as const, text: `nothing says anything of it: ${none}` }]
      : []),
    ...(task.title === '' && task.acceptance.length === 0 && task.checks.length === 0
      ? [{ rule: 'not-asked' as const, level: 'note' as const, text: NOT_ASKED }]
      : []),
  ];
}

const NOT_ASKED = 'nothing was asked for: only gates and tests were judged';

/** What fails and isn't held against the work. */
function unheld({ gateReport }: IterationDecisions): Draft[] {
  return gateReport.judgements.flatMap(({ name, standing, counts }): Draft[] =>
    counts || standing !== 'failed_before'
      ? []
      : [
          {
            rule: 'red-before',
            level: 'note',
            text: `gate "${name}" failed before the work, too: that isn't held against it`,
          },
        ],
  );
}

/** With the first file of the work that its text or its excerpt names. */
function placed(draft: Draft, isFile: ReadonlySet<string>): Remark {
  const found = [draft.text, ...(draft.excerpt ?? [])]
    .flatMap((line) => placesIn(line))
    .map(({ path, line }) => ({ path: path.replace(/^\.\//, ''), line }))
    .filter(({ path }) => isFile.has(path));
  const at = found.find(({ line }) => line !== null) ?? found[0];
  return { path: at?.path ?? null, line: at?.line ?? null, excerpt: [], ...draft };
}
