import { formatDuration } from 'ralph-kit/duration';
import { match } from 'ralph-kit/match';
import * as z from 'zod/mini';
import { TestResults } from './test-results.ts';

/** A check command. `run` is your command line, which the shell gets unchanged. */
export const GateSpec = z.object({
  name: z.string(),
  run: z.string(),
  timeoutMs: z.number(),
  onMissing: z.enum(['fail', 'warn', 'skip']),
  /** The gate runs only if one of these globs matches a changed path; `null`: always. */
  paths: z.nullable(z.array(z.string())),
  /** Whether the gate must pass even if it failed before the attempt, or can't run. */
  required: z.boolean(),
  box: z.boolean(),
  /** Formats (`Parses`) of the gate's output and files; empty: ralph recognises the format. */
  parses: z.array(z.string()),
  /** Absolute path of files that only this gate gets, and no agent; `null`: there are none. */
  heldOut: z.nullable(z.string()),
});
export type GateSpec = z.infer<typeof GateSpec>;

export const GateOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.literal('failed'), exitCode: z.nullable(z.number()), signal: z.nullable(z.string()) }),
  z.object({ kind: z.literal('timed_out'), afterMs: z.number() }),
  /**
   * The command ended with 126 or 127, the shell couldn't be started, or the gate that the task names isn't configured.
   */
  z.object({ kind: z.literal('tool_missing'), tool: z.string() }),
  z.object({ kind: z.literal('skipped'), reason: z.string() }),
]);
export type GateOutcome = z.infer<typeof GateOutcome>;

/** Returns how a gate ended, in words that follow its name: `failed (exit 1)`, `timed out after 5 min`. */
export function outcomeText(outcome: GateOutcome): string {
  return match(outcome, 'kind', {
    passed: () => 'passed',
    failed: ({ exitCode, signal }) =>
      exitCode === 0
        ? 'ends with 0, and reports failing tests'
        : `failed (${exitCode === null ? (signal ?? 'killed') : `exit ${exitCode}`})`,
    timed_out: ({ afterMs }) => `timed out after ${formatDuration(afterMs)}`,
    tool_missing: ({ tool }) => `could not run: ${tool} was not found`,
    skipped: ({ reason }) => `was skipped: ${reason}`,
  });
}

/** Returns whether an outcome is a failure. A gate that didn't run hasn't failed. */
export function isRed(outcome: GateOutcome | undefined): boolean {
  return outcome?.kind === 'failed' || outcome?.kind === 'timed_out';
}

export const GateResult = z.object({
  name: z.string(),
  outcome: GateOutcome,
  durationMs: z.number(),
  /** The end of the combined output, bounded and cleaned for reading. */
  outputTail: z.string(),
  /** Test results read from the gate's output; `null`: none could be read. */
  results: z.nullable(TestResults),
  /** Changed production files that the gate rewrote: it then tested other content than the content that would land. */
  rewrote: z.array(z.string()),
});
export type GateResult = z.infer<typeof GateResult>;

export type GateRun = Omit<GateResult, 'results' | 'rewrote'> & {
  readonly printed: { readonly text: string; readonly whole: boolean };
  readonly written: readonly { readonly path: string; readonly text: string }[];
};

/** A program, a script or an entry of a script list (such as `package.json`) that a gate's command runs. */
export const GateSource = z.object({
  /** The name that the command uses: `./check.sh`, `jest`, `scripts.test`. */
  name: z.string(),
  /** Path of the source's file, relative to the top if it is in the work tree. */
  path: z.string(),
  /** Hash that is equal for equal content. For an entry of a script list, the entry itself. */
  content: z.string(),
  /** Version of a test runner's package in `node_modules`; `null` for other sources. */
  version: z.nullable(z.string()),
  /**
   * Why the source checks nothing, as the end of a sentence that begins with its path; `null`: it may check something.
   */
  hollow: z.nullable(z.string()),
  /** Whether the gate's command itself names the source. Otherwise another source runs it. */
  direct: z.boolean(),
});
export type GateSource = z.infer<typeof GateSource>;

export const GateSources = z.record(z.string(), z.array(GateSource));
export type GateSources = z.infer<typeof GateSources>;

export const GateChange = z.object({
  gate: z.string(),
  source: z.string(),
  path: z.string(),
  change: z.enum(['changed', 'added', 'removed']),
  /** Whether this attempt made the change; false: an earlier attempt did, and didn't end as done. */
  now: z.boolean(),
  /** Why the gate can't pass any more: its command checks nothing, or is another one; `null`: it can pass. */
  hollow: z.nullable(z.string()),
});
export type GateChange = z.infer<typeof GateChange>;

/** Gates that passed on the branch and fail there now. Times are ISO 8601 UTC. */
export const GateOutage = z.object({
  gates: z.array(z.string()),
  since: z.string(),
  until: z.string(),
  tries: z.number(),
  idleSince: z.string(),
});
export type GateOutage = z.infer<typeof GateOutage>;

/** A gate that can't judge the work: it failed before the work, or can't run at all. */
export const OffGate = z.object({ gate: z.string(), why: z.enum(['fails', 'cannot_run']) });
export type OffGate = z.infer<typeof OffGate>;

export const GateJudgement = z.object({
  name: z.string(),
  outcome: GateOutcome,
  standing: z.enum([
    'passed',
    'fixed',
    'regression',
    'required_failed',
    'failed_before',
    /** The gate passed before, and now fails even without the work: something outside of the work changed. */
    'down',
    'tool_missing',
    'skipped',
    /** The gate's command checks nothing any more, whatever its exit code is. */
    'hollow',
    /** The gate passes, but tests that passed before are missing, or no test ran. */
    'tests_missing',
    /** The gate can't fail any more: it passes although ralph added a failing test to its tests. */
    'dead',
    /** The gate rewrote files, so it tested other content than the content that would land. */
    'rewritten',
    /** The gate ended with 0, but reports failed tests. */
    'tests_failed',
  ]),
  counts: z.boolean(),
  /** Why a gate whose command ended with 0 fails, as words that follow its name: `no test ran`; otherwise `null`. */
  why: z.nullable(z.string()),
});
export type GateJudgement = z.infer<typeof GateJudgement>;

/** What the gates say of an attempt's work. `none`: nothing had to be checked, and no gate ran. */
export const GateReport = z.object({
  status: z.enum(['none', 'passed', 'failed']),
  judgements: z.array(GateJudgement),
});
export type GateReport = z.infer<typeof GateReport>;
