import { gatesIn } from '../../domain/command-runs.ts';
import type { IterationSpan } from '../../domain/ports.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';

type Times = {
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  /** End of the agent's work; all times are ISO 8601 UTC. */
  readonly agentEnded: string;
  readonly gatesBegan: string;
  readonly gatesEnded: string;
  readonly decidedAt: string;
  readonly to: string;
};

/** Returns an iteration with its phases for tracing (docs/METRICS.md). */
export function iterationSpan(times: Times): IterationSpan {
  const { facts, decisions, agentEnded, gatesBegan, gatesEnded, decidedAt, to } = times;
  const { task, agent, startedAt, endedAt } = facts;
  const { interventions } = decisions;
  return {
    run: facts.run,
    iteration: facts.iteration,
    from: startedAt,
    to,
    ok: !decisions.failedAttempt,
    attributes: {
      'ralph.run': facts.run,
      'ralph.iteration': facts.iteration,
      'ralph.task_id': task.id,
      'ralph.agent': agent,
      'ralph.attempt': facts.attempt,
      'ralph.verdict': decisions.verdict.kind,
      'ralph.files_changed': facts.changes.changes.length,
    },
    phases: [
      {
        name: 'agent_execution',
        from: startedAt,
        to: agentEnded,
        attributes: {
          'ralph.agent_end': facts.end.kind,
          'ralph.tool_calls': facts.report.toolCalls,
          'ralph.tokens': facts.resources.tokens,
        },
      },
      {
        name: 'detection',
        from: endedAt,
        to: decidedAt,
        attributes: { 'ralph.findings': decisions.findings.map(({ type }) => type).join(',') },
      },
      {
        name: 'evidence_validation',
        from: agentEnded,
        to: gatesBegan,
        attributes: { 'ralph.evidence_count': decisions.evidence.length },
      },
      {
        name: 'gates',
        from: gatesBegan,
        to: gatesEnded,
        attributes: {
          'ralph.gates': gatesIn(facts).length,
          'ralph.gates_status': decisions.gateReport.status,
        },
      },
      ...(interventions.length === 0
        ? []
        : [
            {
              name: 'intervention' as const,
              from: decidedAt,
              to,
              attributes: {
                'ralph.interventions': interventions.map(({ record }) => record.type).join(','),
              },
            },
          ]),
    ],
  };
}
