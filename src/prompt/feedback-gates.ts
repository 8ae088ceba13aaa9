import { bullets, fenced, inlineCode, tailOf } from 'ralph-kit/markdown';
import { firstFew } from 'ralph-kit/text';
import type { PassedElsewhere } from '../domain/command-runs.ts';
import {
  type GateChange,
  type GateJudgement,
  type GateOutcome,
  type GateResult,
  outcomeText,
} from '../domain/gate.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import { ranNoTest, type TestComparison } from '../domain/test-results.ts';

type GateFacts = Readonly<Pick<IterationFacts, 'iteration'> & Pick<IterationDecisions, 'gateReport'>> & {
  readonly gates: readonly GateResult[];
  readonly passedElsewhere: readonly PassedElsewhere[];
  readonly taskId: string;
  readonly outputLimit: number;
  readonly heldOut: readonly string[];
  readonly gateChanges: readonly GateChange[];
  readonly testResults: readonly TestComparison[];
};

/** Returns text on the gates that count against the attempt, with the end of their output; `null`: none does. */
export function failedGatesText(
  facts: GateFacts,
  { claimed, work }: { readonly claimed: boolean; readonly work: readonly string[] },
): string | null {
  const { iteration, taskId, gateReport } = facts;
  const failed = gateReport.judgements.filter(({ counts }) => counts);
  if (failed.length === 0) return null;
  const names = failed.map(({ name }) => inlineCode(name)).join(', ');
  // Many failing gates share the room of two, so that one attempt can't fill a prompt.
  const limit = Math.floor((facts.outputLimit * 2) / Math.max(2, failed.length));
  const signal = claimed ? 'Your EXIT_SIGNAL (true) was IGNORED. ' : '';
  return [
    `**CRITICAL**: In iteration ${iteration}, these gates fail on your work for task ${taskId}: ${names}. ${signal}Task ${taskId} remains OPEN until they pass.`,
    bullets([
      ...work,
      ...remarks(gateReport.judgements),
      'Next: fix the code, not the check. If the check itself is wrong, leave it as it is, report BLOCKED and say why.',
    ]),
    ...failed.map((judgement) => failure(judgement, facts, limit)),
  ].join('\n\n');
}

function failure(
  judgement: GateJudgement,
  { gates, gateChanges, testResults, heldOut, passedElsewhere }: GateFacts,
  limit: number,
): string {
  const { name, standing: status, why } = judgement;
  const gate = `Gate ${inlineCode(name)}`;
  if (status === 'hollow') {
    const reasons = gateChanges
      .filter((one) => one.gate === name && one.hollow !== null)
      .map(({ path, hollow: why }) => `${inlineCode(path)} ${why}`);
    return `${gate} can't be passed: ${reasons.join('; ')}. Restore it as it was before your work.`;
  }
  if (heldOut.includes(name))
    return `${gate} is held out: what it runs and what it printed aren't shown. Go by the task: do all of what it says, for every input.`;
  if (status === 'tests_missing')
    return `${gate} ends as passed, but ${why ?? 'tests are gone'}. It counts only with the tests that it ran before your work: let them run again.`;
  if (status === 'dead')
    return `${gate} can't fail any more: a failing test that was added to it didn't fail it. Take out what ends, replaces or silences the checks.`;
  if (status === 'rewritten') {
    const written = gates.find((one) => one.name === name)?.rewrote ?? [];
    return `${gate} writes ${firstFew(written.map(inlineCode), TESTS_NAMED)} as it runs, so it doesn't test your work. If that is a formatter, run it and keep what it changes; else take it out.`;
  }
  if (status === 'tests_failed')
    return `${gate} ends as passed, but ${why ?? 'it reports failed tests'}, more than before your work.`;
  const output = gates.find((one) => one.name === name)?.outputTail ?? '';
  const before = status === 'regression' ? " It didn't fail before your changes." : '';
  const tests = testResults.find((one) => one.gate === name);
  const there = passedElsewhere.find((one) => one.gate === name);
  const named =
    there === undefined || there.ignored.length === 0
      ? ''
      : ` (${firstFew(there.ignored.map(inlineCode), TESTS_NAMED)})`;
  const elsewhere =
    there === undefined
      ? ''
      : ` It passes only with what git ignores${named}: no commit holds that, and your work has to pass without it.`;
  const lead = `${gate} ${describe(judgement.outcome)}.${before}${tests === undefined ? '' : failingText(tests)}${elsewhere}`;
  if (output.trim() === '') return `${lead} It printed nothing.`;
  return limit === 0 ? lead : `${lead} The end of its output:\n\n${fenced(tailOf(output, limit))}`;
}

/** Limit of test names in one list; others are only counted. */
const TESTS_NAMED = 10;

/** Lists failing tests with their places, separately those that failed before, and files that couldn't be loaded. */
function failingText({ now, newlyFailing, failingBefore, before }: TestComparison): string {
  const named = (names: readonly string[]) =>
    firstFew(
      names.map((name) => {
        const at = now.places.find(({ test }) => test === name);
        return at === undefined ? inlineCode(name) : `${inlineCode(name)} (${inlineCode(at.place)})`;
      }),
      TESTS_NAMED,
    );
  const fail = before === null ? 'Failing' : 'Failing since your work';
  const files = now.notLoaded ?? [];
  return [
    ...(newlyFailing.length > 0 ? [` ${fail}: ${named(newlyFailing)}.`] : []),
    ...(failingBefore.length > 0 ? [` These failed before your work, too: ${named(failingBefore)}.`] : []),
    ...(files.length > 0 ? [` Not loaded: ${named(files)}.`] : []),
    ...(ranNoTest(now) ? [' No test ran.'] : []),
  ].join('');
}

function describe(outcome: GateOutcome): string {
  if (outcome.kind !== 'tool_missing') return outcomeText(outcome);
  return `could not run: ${inlineCode(outcome.tool)} was not found, or can't be started. A gate that can't run isn't passed`;
}

/** Failures that the agent should not work on. */
function remarks(judgements: readonly GateJudgement[]): readonly string[] {
  const named = (status: GateJudgement['standing']) =>
    judgements.filter((judgement) => judgement.standing === status).map(({ name }) => inlineCode(name));
  const before = [...named('failed_before'), ...named('down')];
  const missing = named('tool_missing');
  return [
    ...(before.length > 0 ? [`Failed before your work; ignored: ${before.join(', ')}.`] : []),
    ...(missing.length > 0 ? [`Could not run without a missing tool; ignored: ${missing.join(', ')}.`] : []),
  ];
}
