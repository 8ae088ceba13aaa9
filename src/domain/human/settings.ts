import { count, ratio, Seconds, section, strings } from 'ralph-kit/settings-section';
import * as z from 'zod/mini';

/** Settings of human gates for findings. When the time is over, nothing passes. */
const WAITING = {
  /** Seconds for your decision; 0: no limit. */
  timeout: z._default(Seconds, 0),
  on_timeout: z._default(z.enum(['block', 'escalate']), 'block'),
};

export const Role = z.enum(['developer', 'tech_lead']);
export type Role = z.infer<typeof Role>;

const Person = z.strictObject({
  role: z._default(Role, 'developer'),
  keys: z._default(strings, []),
});

/** `[human.gates]`; the settings are recorded with each iteration. */
export const HumanGateSettings = section({
  'GATE-AP-RECOVERY': section({
    ...WAITING,
    recovery_attempts: z._default(z.int().check(z.minimum(1)), 3),
    confidence: z._default(ratio, 0.5),
  }),
  'GATE-AP-FALSE-POSITIVE': section({
    ...WAITING,
    signature: z._default(z.union([z.boolean(), z.literal('critical')]), true),
    detection_confidence: z._default(ratio, 0.7),
  }),
  'GATE-AP-DESTRUCTIVE': section({
    ...WAITING,
    tests_removed: z._default(count, 0),
    features_removed: z._default(count, 0),
    assertions_weakened: z._default(count, 2),
    skip_patterns_added: z._default(count, 0),
    coverage_delta: z._default(z.number().check(z.maximum(0)), -2),
  }),
  MANUAL: section({ timeout: z._default(Seconds, 3600) }),
});

/** `[human]`: the gates at which you decide, and who may decide (docs/HUMAN_GATES.md). */
export const HumanSettings = section({
  gates: HumanGateSettings,
  people: z._default(z.record(z.string(), Person), {}),
});
export type HumanSettings = z.infer<typeof HumanSettings>;
