import * as z from 'zod/mini';
import { Severity, SURE_DETECTION } from '../../lib/severity.ts';
import { Detections } from '../human/state.ts';

/** A sign of avoided work in an attempt's diff. */
export const FoundAvoidance = z.object({
  /** `test_skip`, `assertion_weakening`, …; `kind` says what exactly. */
  category: z.string(),
  kind: z.string(),
  /** '' where it is about no file, as coverage is. */
  path: z.string(),
  line: z.number(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** 0 to 1, as the detector has it. */
  confidence: z.number(),
  severity: Severity,
  reason: z.string(),
  /** What speaks for it beside the sign; none: it only warns. */
  evidence: z.array(z.string()),
  /** How many checks it is about: several of one line are one finding. */
  times: z.number(),
  /** The whitelist entry, or the request that you approved before it happened, by which it is none; `null`: it counts. */
  whitelisted: z.nullable(z.string()),
});
export type FoundAvoidance = z.infer<typeof FoundAvoidance>;

/** What was seen of avoidance in an attempt, with how findings of these categories fared at the human gates. */
export const AvoidanceFacts = z.object({
  findings: z.array(FoundAvoidance),
  /** Tests that the diff takes away, net, whatever takes their place. */
  testsGone: z.number(),
  /** Exports, commands and routes that it takes away and the task doesn't ask for: `PATH: NAME`. */
  featuresGone: z.array(z.string()),
  detections: z.record(z.string(), Detections),
});
export type AvoidanceFacts = z.infer<typeof AvoidanceFacts>;

export const NO_AVOIDANCE: AvoidanceFacts = {
  findings: [],
  testsGone: 0,
  featuresGone: [],
  detections: {},
};

/** The findings by what follows from them. */
export type JudgedAvoidance = {
  /** Combined evidence, and sure enough. */
  readonly acting: readonly FoundAvoidance[];
  /** Would act, and isn't sure enough: you decide whether it is a false positive. */
  readonly unsure: readonly FoundAvoidance[];
  /** For the next attempt to know. */
  readonly warned: readonly FoundAvoidance[];
};

export const NOTHING_AVOIDED: JudgedAvoidance = { acting: [], unsure: [], warned: [] };

/** A human gate opens for each sign of at least this, alone: it is no accusation. */
export const GATE_DETECTION = 0.5;
/** Decisions that a category has to have got before its false positives weigh as much as the detector. */
const PRIOR_DECISIONS = 4;

/** What follows from each finding. Confirmed false positives make a category less sure. */
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

/** What a finding is about, wherever its line is by now. */
export function signOf({ category, kind, path, before, after }: Omit<FoundAvoidance, 'whitelisted'>): string {
  return JSON.stringify([category, kind, path, before, after]);
}

/** Signs that a record keeps for you. */
export const SIGNS_KEPT = 5;

/** `tests/a.test.ts:2: A test is skipped.` */
export function avoidanceLine({ path, line, reason }: FoundAvoidance): string {
  const place = path === '' ? '' : `${path}${line > 0 ? `:${line}` : ''}: `;
  return `${place}${reason}`;
}
