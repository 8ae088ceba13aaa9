import { pathsOf } from '../domain/change-set.ts';
import type { AutoApproval, GateDraft, GateFacts, GateRequest } from '../domain/human/gate.ts';
import { NO_GATE_FACTS } from '../domain/human/gate.ts';
import type { HumanState } from '../domain/human/state.ts';
import type { IterationDecisions, IterationFacts } from '../domain/records/iteration.ts';
import type { JournalBody } from '../domain/records/journal.ts';
import type { HumanSettings } from '../domain/settings/human.ts';
import { chainedAll, gateToOpen, plainEntry } from '../human/index.ts';
import { formatDuration } from '../lib/duration.ts';

/** Attempts that the history of a request names, the newest. */
const HISTORY = 10;

/** What the human gates are decided by after an iteration. */
export function gateFactsOf(facts: IterationFacts): GateFacts {
  const { task, agent, taskState, changes, endedAt } = facts;
  return {
    ...NO_GATE_FACTS,
    taskId: task.id,
    title: task.title,
    agent,
    files: pathsOf(changes),
    detectedAt: endedAt,
    featureRemovalApproved: task.owner !== null && task.removalApprovedBy === task.owner,
    history: taskState.attempts.slice(-HISTORY).map(attemptLine),
  };
}

function attemptLine({ iteration, agent, cause, durationMs }: IterationFacts['taskState']['attempts'][0]) {
  return `Iteration ${iteration} (${agent}, ${formatDuration(durationMs)}): ${cause}`;
}

/** The human gate that an iteration opens, and what needs nobody. */
export function humanGateAfter(facts: IterationFacts): {
  readonly humanGate: GateDraft | null;
  readonly autoApproved: AutoApproval[];
} {
  const { draft, autoApproved } = gateToOpen(gateFactsOf(facts), facts.settings.humanGates);
  return { humanGate: draft, autoApproved: [...autoApproved] };
}

type Opening = {
  readonly draft: GateDraft;
  readonly at: string;
  readonly run: string;
  readonly iteration: number;
  readonly gates: HumanSettings['gates'];
};

/** The request that a draft becomes; its number is taken under the lock. */
export function requestFrom(
  { draft, at, run, iteration, gates }: Opening,
  { counters }: Pick<HumanState, 'counters'>,
): GateRequest {
  const { timeout, on_timeout } = gates[draft.gate];
  return {
    id: `G-${counters.gate + 1}`,
    ...draft,
    ...{ at, run, iteration, diffSha256: null },
    deadline: timeout === 0 ? null : new Date(Date.parse(at) + timeout * 1000).toISOString(),
    onTimeout: on_timeout,
    escalated: false,
    notes: [],
  };
}

/** What the journal gets of the human gates after an iteration: the request, and a line for each automatic approval. */
export function gateRecords(
  { run, iteration, endedAt: at, settings, task }: IterationFacts,
  { humanGate, autoApproved }: Pick<IterationDecisions, 'humanGate' | 'autoApproved'>,
  human: HumanState,
  sha256: (text: string) => string,
): JournalBody[] {
  const entries = autoApproved.map(({ trigger, justification }) => ({
    ...plainEntry({
      kind: 'auto_approved',
      timestamp: at,
      decision: 'approve',
      user: 'ralph',
      human_feedback: `${task.id}: ${trigger.text}: ${justification}`,
    }),
    gate_id: trigger.gate,
  }));
  const lines = chainedAll(human.audit.head, entries, sha256);
  const logged = lines.map((line): JournalBody => ({ type: 'audit_logged', line }));
  if (humanGate === null) return logged;
  const opening = { draft: humanGate, at, run, iteration, gates: settings.humanGates };
  return [...logged, { type: 'human_gate_opened', request: requestFrom(opening, human) }];
}
