import { excerptOf } from 'ralph-kit/error-line';
import { gatesIn } from '../../domain/command-runs.ts';
import type { GateJudgement } from '../../domain/gate.ts';
import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import type { AttemptSummary, Failing } from '../../domain/records/state.ts';
import type { TestComparison } from '../../domain/test-results.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { isSetAside } from '../../respond/intervene/index.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs'>;

/** Returns the attempt's summary for the journal. It names only gates that count against the attempt. */
export function summarise(
  facts: Facts,
  {
    gateReport,
    findings,
    verdict,
    cause,
    proof,
    testResults,
    ...due
  }: Pick<IterationDecisions, 'gateReport' | 'findings' | 'verdict' | 'cause' | 'proof' | 'testResults'> &
    Parameters<typeof isSetAside>[0],
): AttemptSummary {
  const held = gateReport.judgements.filter(({ counts }) => counts);
  const missingTools = held.flatMap(({ name, outcome }) =>
    outcome.kind === 'tool_missing' ? [{ gate: name, tool: outcome.tool }] : [],
  );
  return {
    run: facts.run,
    iteration: facts.iteration,
    agent: facts.agent,
    mode: facts.mode,
    startedAt: facts.startedAt,
    durationMs: facts.durationMs,
    timeoutSeconds: facts.timeoutSeconds,
    verdict: verdict.kind,
    cause,
    filesChanged: facts.changes.changes.length,
    active: facts.report.toolCalls > 0 || facts.report.finalMessage.trim() !== '',
    failedGates: held.map(({ name }) => name),
    missingTools,
    failing: failingIn(facts, held, verdict, testResults),
    tree: facts.changes.after.tree,
    before: facts.changes.before.tree,
    findings: findings.map(({ type }) => type),
    bent: proof.bent.length > 0,
    resources: facts.resources,
    model: facts.report.model,
    session:
      facts.report.sessionId === null ? null : { id: facts.report.sessionId, usage: facts.sessionUsage },
    ...(isSetAside(due) ? { restarts: true as const } : {}),
  };
}

/** Returns output that shows the cause: by the first gate that counts, or by an agent that ended with an error. */
function failingIn(
  facts: Facts,
  held: readonly GateJudgement[],
  { kind }: Verdict,
  testResults: readonly TestComparison[],
): Failing | null {
  const [judgement] = held;
  const { errorTail, report } = facts;
  const gate = gatesIn(facts).find(({ name }) => name === judgement?.name);
  if (judgement !== undefined && PASSES_FALSELY.has(judgement.standing)) return null;
  if (judgement !== undefined && gate !== undefined) {
    const compared = testResults.find((one) => one.gate === gate.name);
    const names = (compared?.newlyFailing.length ?? 0) > 0 ? compared?.newlyFailing : compared?.now.failing;
    const lines = excerptOf(gate.outputTail, names, compared?.now.places);
    const since = SINCE[judgement.standing] ?? null;
    return lines.length === 0 ? null : { gate: gate.name, since, lines: [...lines] };
  }
  if (kind !== 'agent_error') return null;
  const lines = excerptOf([...report.errors, errorTail].join('\n'));
  return lines.length === 0 ? null : { gate: null, since: null, lines: [...lines] };
}

/** Results of gates whose output doesn't show the failure. Their cause is in words. */
const PASSES_FALSELY: ReadonlySet<GateJudgement['standing']> = new Set([
  'dead',
  'tests_missing',
  'rewritten',
  'hollow',
]);

const SINCE: Readonly<Partial<Record<GateJudgement['standing'], Failing['since']>>> = {
  regression: 'work',
  failed_before: 'before',
  down: 'before',
  required_failed: 'before',
};
