import { counted } from 'ralph-kit/counted';
import { firstFew } from 'ralph-kit/text';
import {
  type AutoApproval,
  type GateDraft,
  type GateFacts,
  HUMAN_GATES,
  type HumanGateName,
  type Trigger,
  type TriggerName,
} from '../../domain/human/gate.ts';
import type { HumanSettings } from '../../domain/human/settings.ts';

type Thresholds = HumanSettings['gates'];

type Triggered = {
  readonly triggers: readonly Trigger[];
  readonly autoApproved: readonly AutoApproval[];
};

/** Returns the triggers of a gate by these facts. @see docs/HUMAN_GATES.md*/
export function triggersOf(gate: HumanGateName, facts: GateFacts, thresholds: Thresholds): Triggered {
  const met = SENTENCES[gate](facts, thresholds).map(([name, text]): Trigger => ({ gate, name, text }));
  const judged = met.map((trigger) => ({ trigger, justification: justification(trigger.name, facts) }));
  return {
    triggers: judged.filter((one) => one.justification === null).map(({ trigger }) => trigger),
    autoApproved: judged.filter((one): one is AutoApproval => one.justification !== null),
  };
}

type Met = readonly (readonly [TriggerName, string])[];

const SENTENCES: Readonly<Record<HumanGateName, (facts: GateFacts, thresholds: Thresholds) => Met>> = {
  'GATE-AP-RECOVERY': (facts, { 'GATE-AP-RECOVERY': limit }) => {
    const { recoveryAttempts, diagnosisConfidence: confidence } = facts;
    return when([
      [
        recoveryAttempts >= limit.recovery_attempts,
        'recovery_attempts',
        `${counted(recoveryAttempts, 'recovery attempt')} of ${limit.recovery_attempts} failed`,
      ],
      [
        confidence !== null && confidence < limit.confidence,
        'diagnosis_confidence',
        `confidence of the diagnosis ${shown(confidence)}, below ${limit.confidence}`,
      ],
      [facts.severity === 'critical', 'critical', 'severity CRITICAL'],
      [facts.infiniteLoop, 'infinite_loop', 'the same fix or failure came again'],
      [facts.nonDeterministic, 'non_deterministic', 'a gate ended differently on the same tree'],
    ]);
  },
  'GATE-AP-FALSE-POSITIVE': (facts, { 'GATE-AP-FALSE-POSITIVE': limit }) => {
    const { detectionConfidence: confidence, reported, disputedCheck, bentDemand } = facts;
    return when([
      [
        reported !== null,
        'reported',
        `${reported?.event} was reported as a false positive: ${reported?.reason}`,
      ],
      [disputedCheck !== null, 'disputed_check', disputedCheck ?? ''],
      [bentDemand !== null, 'bent_demand', `again, ${bentDemand}`],
      [
        confidence !== null && confidence < limit.detection_confidence,
        'detection_confidence',
        `confidence of the detection ${shown(confidence)}, below ${limit.detection_confidence}`,
      ],
    ]);
  },
  'GATE-AP-DESTRUCTIVE': (facts, { 'GATE-AP-DESTRUCTIVE': limit }) => {
    const { testsRemoved, featuresRemoved, assertionsWeakened, skipsAdded, coverage, largeRepositories } =
      facts;
    // The difference is rounded, because with binary fractions 85.3 − 83.3 is slightly more than 2.
    const lost = coverage === null ? 0 : Math.round((coverage.before - coverage.after) * 1e6) / 1e6;
    return when([
      [testsRemoved > limit.tests_removed, 'tests_removed', `${counted(testsRemoved, 'test')} removed`],
      [
        coverage !== null && -lost < limit.coverage_delta,
        'coverage_drop',
        `coverage ${shown(coverage?.before ?? null)} % → ${shown(coverage?.after ?? null)} %`,
      ],
      [
        featuresRemoved > limit.features_removed,
        'features_removed',
        `${counted(featuresRemoved, 'feature')} removed`,
      ],
      [
        assertionsWeakened > limit.assertions_weakened,
        'assertions_weakened',
        `${counted(assertionsWeakened, 'assertion')} weakened`,
      ],
      [skipsAdded > limit.skip_patterns_added, 'skips_added', `${counted(skipsAdded, 'skipped test')} added`],
      [
        largeRepositories.length > 0,
        'large_repository',
        `the files of a repository would be committed (${firstFew(largeRepositories)})`,
      ],
    ]);
  },
  /** `MANUAL` is for single actions, so facts never open it. */
  MANUAL: () => [],
};

function when(rows: readonly (readonly [boolean, TriggerName, string])[]): Met {
  return rows.filter(([met]) => met).map(([, name, text]) => [name, text]);
}

function shown(value: number | null): string {
  return value === null ? '?' : String(Math.round(value * 100) / 100);
}

/** Returns why a trigger doesn't need you; `null`: it does. */
function justification(name: TriggerName, facts: GateFacts): string | null {
  const { testsRemoved, testsAdded, testsMissing, coverage, featuresRemoved } = facts;
  if (name === 'tests_removed' && testsAdded >= testsRemoved) {
    const replaced = `${counted(testsRemoved, 'test')} replaced by ${testsAdded}`;
    if (coverage !== null && coverage.after >= coverage.before)
      return `${replaced}; coverage kept (${shown(coverage.before)} % → ${shown(coverage.after)} %)`;
    if (coverage === null && testsMissing === 0) return `${replaced}; no test that passed before is missing`;
  }
  if (name === 'features_removed' && facts.featureRemovalApproved)
    return `${counted(featuresRemoved, 'removed feature')}: documented in the task and approved by its owner`;
  return null;
}

type ToOpen = {
  /** Request for your decision; `null`: no trigger needs you. */
  readonly draft: GateDraft | null;
  readonly autoApproved: readonly AutoApproval[];
};

/**
 * Returns the gate to open. A task has one request: at the strictest triggered gate, which is the first one in
 * `HUMAN_GATES`.
 */
export function gateToOpen(
  facts: GateFacts,
  thresholds: Thresholds,
  gates: readonly HumanGateName[] = HUMAN_GATES,
): ToOpen {
  const all = gates.map((gate) => triggersOf(gate, facts, thresholds));
  const triggers = all.flatMap((one) => one.triggers);
  const autoApproved = all.flatMap((one) => one.autoApproved);
  const [first] = triggers;
  const draft = first === undefined ? null : { gate: first.gate, facts, triggers, action: null };
  return { draft, autoApproved };
}
