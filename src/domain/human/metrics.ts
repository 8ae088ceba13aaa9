import { HUMAN_GATES, type HumanGateName } from './gate.ts';
import type { Recovery } from './recovery.ts';
import { type GateTotals, type HumanState, NO_GATE_TOTALS } from './state.ts';

/** What the literature reports of agents alone and with people, for comparison. @see docs/HUMAN_GATES.md */
const LITERATURE = {
  cost_multiplier: { autonomous: 6, with_people: 1 },
  error_rate: { autonomous: 0.35, with_people: 0.05 },
  revision_cycles: { autonomous: 4.2, with_people: 0.83 },
} as const;

/** What the rates are shares of, and what tasks cost. */
export type TaskNumbers = {
  readonly id: string;
  readonly done: boolean;
  readonly blocked: boolean;
  /** Reported or estimated. */
  readonly usd: number;
};

/** The numbers of the human gates; a share of nothing is `null`. */
export function gateMetrics(
  { human, recoveries }: { readonly human: HumanState; readonly recoveries: readonly Recovery[] },
  tasks: readonly TaskNumbers[],
) {
  const of = (gate: HumanGateName): GateTotals => human.totals[gate] ?? NO_GATE_TOTALS;
  const [recovery, destructive] = [of('GATE-AP-RECOVERY'), of('GATE-AP-DESTRUCTIVE')];
  const ended = (how: string) => recoveries.filter((one) => one.ended?.how === how).length;
  const detections = Object.values(human.detections);
  const confirmed = sum(detections.map((one) => one.confirmed));
  const falsePositives = sum(detections.map((one) => one.falsePositives));
  const decided = (totals: GateTotals) => sum(Object.values(totals.decided));
  const rejected = human.decided.filter(
    ({ request, option }) =>
      request.gate === 'GATE-AP-DESTRUCTIVE' && (option === 'reject' || option === 'suggest'),
  );
  const done = new Set(tasks.filter((task) => task.done).map(({ id }) => id));
  const found = rejected.filter(({ request }) => done.has(request.facts.taskId)).length;
  const isActive = ({ removedAt }: HumanState['whitelist'][0]) => removedAt === null;
  return {
    open: human.requests.length,
    refused: human.refused,
    recovery: {
      started: recoveries.length,
      /** Of the newest, those that are over by themselves. */
      success_rate: share(ended('recovered'), ended('recovered') + ended('escalated') + ended('blocked')),
      escalation_rate: share(recovery.opened, tasks.length),
      average_attempts_before_escalation: share(recovery.attempts, decided(recovery)),
      time_to_decision_seconds: share(recovery.seconds, decided(recovery)),
    },
    false_positives: {
      false_positive_rate: share(falsePositives, falsePositives + confirmed),
      detection_precision: share(confirmed, falsePositives + confirmed),
      whitelist_entries: human.whitelist.filter(isActive).length,
    },
    destructive: {
      destructive_action_rate: share(destructive.opened, tasks.length),
      approval_rate: share(destructive.decided.approve ?? 0, decided(destructive)),
      alternative_found_rate: share(found, rejected.length),
      auto_approved: destructive.autoApproved,
    },
    tasks: { with_people: groupOf(human, tasks, true), without: groupOf(human, tasks, false) },
    literature: LITERATURE,
  };
}

/** Tasks about which something was decided, or those about which nothing was. */
function groupOf({ decided }: HumanState, tasks: readonly TaskNumbers[], withPeople: boolean) {
  const ids = new Set(decided.map(({ request }) => request.facts.taskId));
  const group = tasks.filter(({ id }) => ids.has(id) === withPeople);
  return {
    count: group.length,
    average_usd: share(sum(group.map(({ usd }) => usd)), group.length),
    error_rate: share(group.filter(({ blocked }) => blocked).length, group.length),
  };
}

/** For Prometheus: name, help, and samples by label; empty where nothing was ever asked. */
export function gateSamples(human: HumanState) {
  const gates = HUMAN_GATES.flatMap((gate) => {
    const totals = human.totals[gate];
    return totals === undefined ? [] : [{ gate, totals }];
  });
  return {
    requests: gates.map(({ gate, totals }) => ({ labels: { gate }, value: totals.opened })),
    decisions: gates.flatMap(({ gate, totals }) =>
      Object.entries(totals.decided).map(([option, value]) => ({ labels: { gate, option }, value })),
    ),
    seconds: gates.map(({ gate, totals }) => ({ labels: { gate }, value: totals.seconds })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
