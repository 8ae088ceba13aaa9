import * as z from 'zod/mini';

/** A check command. `run` is your own command line and is given to the shell as it is. */
export const GateSpec = z.object({
  name: z.string(),
  run: z.string(),
  timeoutMs: z.number(),
  onMissing: z.enum(['fail', 'warn', 'skip']),
  /** Run only when one of these globs matches a changed path; `null` means always. */
  paths: z.nullable(z.array(z.string())),
  /** Must pass: one that failed before, or can't be run, counts against an attempt as well. */
  required: z.boolean(),
});
export type GateSpec = z.infer<typeof GateSpec>;

export const GateOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.literal('failed'), exitCode: z.nullable(z.number()), signal: z.nullable(z.string()) }),
  z.object({ kind: z.literal('timed_out'), afterMs: z.number() }),
  /** Exit 126 or 127, or the shell could not be started; or the task asks for a gate that isn't configured. */
  z.object({ kind: z.literal('tool_missing'), tool: z.string() }),
  z.object({ kind: z.literal('skipped'), reason: z.string() }),
]);
export type GateOutcome = z.infer<typeof GateOutcome>;

export const GateResult = z.object({
  name: z.string(),
  outcome: GateOutcome,
  durationMs: z.number(),
  /** The end of the combined output, bounded and cleaned for reading. */
  outputTail: z.string(),
});
export type GateResult = z.infer<typeof GateResult>;

/** How each gate stood before the task's first attempt. */
export const GateBaseline = z.object({
  /** Tree id the baseline was taken on. */
  tree: z.string(),
  takenAt: z.string(),
  outcomes: z.record(z.string(), GateOutcome),
  /** The command of each gate, so that a changed one is noticed. */
  commands: z.record(z.string(), z.string()),
});
export type GateBaseline = z.infer<typeof GateBaseline>;

/** One gate judged against its baseline. */
export const GateJudgement = z.object({
  name: z.string(),
  outcome: GateOutcome,
  standing: z.enum([
    'passed',
    'fixed',
    'regression',
    'required_failed',
    'failed_before',
    'tool_missing',
    'skipped',
  ]),
  /** True when it counts against the attempt. */
  counts: z.boolean(),
});
export type GateJudgement = z.infer<typeof GateJudgement>;

/** `none`: nothing to prove, no gate ran. */
export const GateReport = z.object({
  status: z.enum(['none', 'passed', 'failed']),
  judgements: z.array(GateJudgement),
});
export type GateReport = z.infer<typeof GateReport>;
