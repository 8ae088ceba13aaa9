import { shareable } from 'ralph-kit/redact-deep';
import { gatesIn } from '../../domain/command-runs.ts';
import type { Ids } from '../../domain/ports.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';

// OTLP/JSON: ids in hex, 64-bit numbers as text, enumerations as numbers (https://opentelemetry.io/docs/specs/otlp/).

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

type Attributes = Readonly<Record<string, string | number>>;

type Part = {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly attributes: Attributes;
};

type Origin = {
  readonly ids: Pick<Ids, 'sha256'>;
  readonly version: string;
  /** Texts to hide, as the file may be passed on to a service. */
  readonly secrets: readonly string[];
};

const KIND_INTERNAL = 1;
const STATUS_OK = 1;
const STATUS_ERROR = 2;

/**
 * Returns a line of OTLP's JSON file format: an iteration's span and those of its phases (docs/METRICS.md).
 * Ids derive from run, iteration and phase.
 */
export function iterationSpans(times: Times, { ids, version, secrets }: Origin): string {
  const { facts, decisions } = times;
  const { run, iteration } = facts;
  const traceId = ids.sha256(`trace ${run}`).slice(0, 32);
  const spanId = (part: string) => ids.sha256(`span ${run} ${iteration}${part}`).slice(0, 16);
  const parent = {
    traceId,
    spanId: spanId(''),
    ...spanOf(wholeOf(times), secrets),
    status: { code: decisions.failedAttempt ? STATUS_ERROR : STATUS_OK },
  };
  const phases = phasesOf(times).map((phase, index) => ({
    traceId,
    spanId: spanId(` ${index}`),
    parentSpanId: parent.spanId,
    ...spanOf(phase, secrets),
  }));
  const resource = { attributes: keyValues({ 'service.name': 'ralph', 'service.version': version }) };
  const scopeSpans = [{ scope: { name: 'ralph', version }, spans: [parent, ...phases] }];
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
}

function wholeOf({ facts, decisions, to }: Times): Part {
  return {
    name: 'iteration',
    from: facts.startedAt,
    to,
    attributes: {
      'ralph.run': facts.run,
      'ralph.iteration': facts.iteration,
      'ralph.task_id': facts.task.id,
      'ralph.agent': facts.agent,
      'ralph.attempt': facts.attempt,
      'ralph.verdict': decisions.verdict.kind,
      'ralph.files_changed': facts.changes.changes.length,
    },
  };
}

function phasesOf({ facts, decisions, agentEnded, gatesBegan, gatesEnded, decidedAt, to }: Times): Part[] {
  const { interventions } = decisions;
  return [
    {
      name: 'agent_execution',
      from: facts.startedAt,
      to: agentEnded,
      attributes: {
        'ralph.agent_end': facts.end.kind,
        'ralph.tool_calls': facts.report.toolCalls,
        'ralph.tokens': facts.resources.tokens,
      },
    },
    {
      name: 'detection',
      from: facts.endedAt,
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
            name: 'intervention',
            from: decidedAt,
            to,
            attributes: { 'ralph.interventions': interventions.map(({ record }) => record.type).join(',') },
          },
        ]),
  ];
}

function spanOf({ name, from, to, attributes }: Part, secrets: Origin['secrets']) {
  return {
    name,
    kind: KIND_INTERNAL,
    startTimeUnixNano: nanos(from),
    // The wall clock may have been set back, but a span must not end before its start.
    endTimeUnixNano: nanos(Date.parse(to) < Date.parse(from) ? from : to),
    attributes: keyValues(shareable(attributes, secrets)),
  };
}

function nanos(at: string): string {
  return String(BigInt(Date.parse(at)) * 1_000_000n);
}

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(value) }
        : // Half a surrogate pair isn't UTF-8.
          { stringValue: value.replace(/\p{Surrogate}/gu, '\ufffd') },
  }));
}
