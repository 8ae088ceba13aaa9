import { judge } from '../../decide/index.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import type { HandlerOutcome } from '../../domain/intervention.ts';
import type { Handlers } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { isOutsideCause } from '../../domain/verdict.ts';
import { ladderOf, scoreOf } from '../../respond/table.ts';

type Asked = Pick<IterationFacts, 'ownFindings' | 'handled'>;

const NOTHING: Asked = { ownFindings: [], handled: [] };

/** Asks your modules, which get plain data. A module that fails is recorded in the answer and has no other effect. */
export async function askHandlers(
  handlers: Handlers,
  seen: Omit<IterationFacts, keyof Asked>,
): Promise<Asked> {
  if (handlers.issues.length === 0 && !handlers.strategy) return NOTHING;
  const facts: IterationFacts = { ...seen, ...NOTHING };
  const { task, iteration } = facts;
  if (isOutsideCause(judge(facts).verdict.kind)) return NOTHING;
  const attempt = handlerAttempt(facts);
  const detections = await handlers.detect(attempt);
  const ownFindings = detections.flatMap(({ issue, finding }): Finding[] =>
    finding === null
      ? []
      : [
          {
            type: issue,
            severity: finding.severity,
            confidence: finding.confidence,
            impactFactor: finding.impactFactor,
            taskId: task.id,
            iteration,
            summary: finding.summary,
            details: finding.details,
            ...(finding.ladder === undefined ? {} : { ladder: finding.ladder }),
          },
        ],
  );
  const handled: HandlerOutcome[] = detections.flatMap(({ issue, failure }) =>
    failure === null ? [] : [{ issue, call: 'detect' as const, answer: null, failure }],
  );
  const { findings } = judge({ ...facts, ownFindings });
  const question = (finding: Finding) => ({
    issue: finding.type,
    severity: finding.severity,
    confidence: finding.confidence,
    impactFactor: finding.impactFactor,
    summary: finding.summary,
    details: finding.details,
    ladder: [...ladderOf(finding)],
    history: facts.taskState.interventions.filter(({ leftOut }) => leftOut !== true),
    attempt,
  });
  for (const finding of findings) {
    if (handlers.issues.includes(finding.type)) {
      const { answer, failure } = await handlers.intervene({ issue: finding.type }, question(finding));
      handled.push({ issue: finding.type, call: 'intervene', answer, failure });
    }
  }
  const gravest = findings.toSorted((one, other) => rank(other) - rank(one))[0];
  if (handlers.strategy && gravest !== undefined) {
    const { answer, failure } = await handlers.intervene('strategy', question(gravest));
    handled.push({ issue: 'strategy', call: 'intervene', answer, failure });
  }
  return { ownFindings, handled };
}

function rank(finding: Finding): number {
  return scoreOf(finding, { weights: {} }, 0).severityScore;
}

/** Returns an attempt in the form that types/handler.d.ts declares. */
function handlerAttempt(facts: IterationFacts): Record<string, unknown> {
  const { run, iteration, attempt, agent, mode, startedAt, endedAt, durationMs } = facts;
  const { task, end, resources, limits } = facts;
  const gates = gatesIn(facts);
  return {
    run,
    iteration,
    attempt,
    agent,
    mode,
    startedAt,
    endedAt,
    durationMs,
    task,
    end,
    gates,
    resources,
    limits,
    finalMessage: facts.report.finalMessage,
    actions: facts.observed.actions,
    changes: facts.changes.changes,
  };
}
