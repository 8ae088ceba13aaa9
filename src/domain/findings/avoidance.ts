import { Severity, SURE_DETECTION } from 'ralph-kit/severity';
import * as z from 'zod/mini';
import { emptyOf } from '../empty-of.ts';
import { Detections } from '../human/state.ts';

export const FoundAvoidance = z.object({
  /** Group of kinds, such as `test_skip` or `assertion_weakening`; `kind` is the exact sign. */
  category: z.string(),
  kind: z.string(),
  /** Path of the file; '' if the sign isn't in a file, such as lower coverage. */
  path: z.string(),
  line: z.number(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** The detector's confidence, 0 to 1. */
  confidence: z.number(),
  severity: Severity,
  reason: z.string(),
  /** Evidence beyond the sign itself. Without any, the sign only causes a warning. */
  evidence: z.array(z.string()),
  /** Number of affected checks: several on one line are one finding. */
  times: z.number(),
  /** Whitelist entry or approved request that allows this sign; `null`: the sign counts. */
  whitelisted: z.nullable(z.string()),
});
export type FoundAvoidance = z.infer<typeof FoundAvoidance>;

/** Signs of avoidance in an attempt, with your earlier decisions about each category. */
export const AvoidanceFacts = z.object({
  findings: z.array(FoundAvoidance),
  /** Number of tests removed by the diff minus those added, whatever replaces them. */
  testsGone: z.number(),
  /** Removed exports, commands and routes that the task doesn't ask for, as `PATH: NAME`. */
  featuresGone: z.array(z.string()),
  detections: z.record(z.string(), Detections),
});
export type AvoidanceFacts = z.infer<typeof AvoidanceFacts>;

export const NO_AVOIDANCE = emptyOf(AvoidanceFacts);

export type JudgedAvoidance = {
  /** Findings with evidence beyond the sign, and enough confidence to act on. */
  readonly acting: readonly FoundAvoidance[];
  /** Findings with evidence beyond the sign but too little confidence: you decide whether they are false positives. */
  readonly unsure: readonly FoundAvoidance[];
  readonly warned: readonly FoundAvoidance[];
};

export const NOTHING_AVOIDED: JudgedAvoidance = { acting: [], unsure: [], warned: [] };

/**
 * Lowest confidence, 0 to 1, at which a single sign asks you at a human gate. It is low, because a question is not an
 * accusation.
 */
export const GATE_DETECTION = 0.5;
/**
 * Number of confirmed detections that a category starts with, so that your first few decisions don't outweigh the
 * detector.
 */
const PRIOR_DECISIONS = 4;

/** Sorts findings by consequence. False positives that you confirmed lower the confidence of their category. */
export function judgedAvoidance({
  findings,
  detections,
}: Pick<AvoidanceFacts, 'findings' | 'detections'>): JudgedAvoidance {
  const counted = findings
    .filter(({ whitelisted }) => whitelisted === null)
    .map((one) => ({ ...one, confidence: lowered(one.confidence, detections[one.category]) }));
  const combined = counted.filter(({ evidence }) => evidence.length > 0);
  return {
    acting: combined.filter(({ confidence }) => confidence >= SURE_DETECTION),
    unsure: combined.filter(({ confidence }) => confidence < SURE_DETECTION),
    warned: counted.filter(({ evidence }) => evidence.length === 0),
  };
}

function lowered(confidence: number, detections: Detections | undefined): number {
  const { confirmed, falsePositives } = detections ?? { confirmed: 0, falsePositives: 0 };
  const right = confirmed + PRIOR_DECISIONS;
  return Math.round(((confidence * right) / (right + falsePositives)) * 100) / 100;
}

export function signOf({ category, kind, path, before, after }: Omit<FoundAvoidance, 'whitelisted'>): string {
  return JSON.stringify([category, kind, path, before, after]);
}

export const SIGNS_KEPT = 5;

/** Returns a line such as `tests/a.test.ts:2: A test is skipped.` */
export function avoidanceLine({ path, line, reason }: FoundAvoidance): string {
  const place = path === '' ? '' : `${path}${line > 0 ? `:${line}` : ''}: `;
  return `${place}${reason}`;
}
