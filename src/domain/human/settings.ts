import * as z from 'zod/mini';
import { count, ratio, Seconds, section, strings } from '../../lib/settings-section.ts';

/** What a gate for findings has. A timeout never lets anything pass. */
const WAITING = {
  /** 0: it waits without a limit. */
  timeout: z._default(Seconds, 0),
  on_timeout: z._default(z.enum(['block', 'escalate']), 'block'),
};

export const Role = z.enum(['developer', 'tech_lead']);
export type Role = z.infer<typeof Role>;

const Person = z.strictObject({
  role: z._default(Role, 'developer'),
  /** SSH public keys: `ssh-ed25519 AAAA…`. */
  keys: z._default(strings, []),
});

/** `[human.gates]`; recorded with each iteration. */
export const HumanGateSettings = section({
  'GATE-AP-RECOVERY': section({
    ...WAITING,
    recovery_attempts: z._default(z.int().check(z.minimum(1)), 3),
    confidence: z._default(ratio, 0.5),
  }),
  'GATE-AP-FALSE-POSITIVE': section({
    ...WAITING,
    /** `critical`: where the severity is critical. */
    signature: z._default(z.union([z.boolean(), z.literal('critical')]), true),
    detection_confidence: z._default(ratio, 0.7),
  }),
  'GATE-AP-DESTRUCTIVE': section({
    ...WAITING,
    /** The gate opens above these numbers. */
    tests_removed: z._default(count, 0),
    features_removed: z._default(count, 0),
    assertions_weakened: z._default(count, 2),
    skip_patterns_added: z._default(count, 0),
    /** It opens below this change in points of coverage. */
    coverage_delta: z._default(z.number().check(z.maximum(0)), -2),
  }),
  /** Approval of single actions, after `ralph resume ID --option manual_intervention`. */
  MANUAL: section({ timeout: z._default(Seconds, 3600) }),
});

/** `[human]`: the gates that you decide, and who may (spec 5-human-gates). */
export const HumanSettings = section({
  gates: HumanGateSettings,
  /** By mail address. */
  people: z._default(z.record(z.string(), Person), {}),
});
export type HumanSettings = z.infer<typeof HumanSettings>;
