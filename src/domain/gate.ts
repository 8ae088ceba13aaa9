import * as z from 'zod/mini';
import { TestResults } from './test-results.ts';

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
  /** Runs in the box, where there is one. */
  box: z.boolean(),
  /** What its output and its files are read as (`Parses`); empty: as what they are recognised as. */
  parses: z.array(z.string()),
  /** Absolute path of what only it sees, and no agent; `null`: nothing. */
  heldOut: z.nullable(z.string()),
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

/** Whether an outcome says that the gate does not hold. A gate that didn't run says nothing. */
export function isRed(outcome: GateOutcome | undefined): boolean {
  return outcome?.kind === 'failed' || outcome?.kind === 'timed_out';
}

export const GateResult = z.object({
  name: z.string(),
  outcome: GateOutcome,
  durationMs: z.number(),
  /** The end of the combined output, bounded and cleaned for reading. */
  outputTail: z.string(),
  /** What it reported of its tests; `null`: nothing that could be read. */
  results: z.nullable(TestResults),
  /** Changed production files that it wrote while it ran, so that it tested something else than what would land. */
  rewrote: z.array(z.string()),
});
export type GateResult = z.infer<typeof GateResult>;

/** A gate that was run, with what it said of its tests to be read. */
export type GateRun = Omit<GateResult, 'results' | 'rewrote'> & {
  /** The end of what it printed, of which more than `outputTail` is kept. */
  readonly printed: { readonly text: string; readonly whole: boolean };
  /** The files that `parses` names, as far as this run of it wrote them. */
  readonly written: readonly { readonly path: string; readonly text: string }[];
};

/** A part of what a gate's command runs, as it was at one moment: a program, a script, an entry of a list of scripts. */
export const GateSource = z.object({
  /** As the command names it: `./check.sh`, `jest`, `scripts.test`. */
  name: z.string(),
  /** The file that it is; relative to the top where it lies in the work tree. */
  path: z.string(),
  /** Equal for equal content; of an entry the entry itself. */
  content: z.string(),
  /** Of a runner in `node_modules`: the version of its package. */
  version: z.nullable(z.string()),
  /** Why it checks nothing, as the rest of a sentence that begins with its path; `null` where it may. */
  hollow: z.nullable(z.string()),
  /** The command names it itself; else something that it runs does. */
  direct: z.boolean(),
});
export type GateSource = z.infer<typeof GateSource>;

/** The sources of each gate, by its name. */
export const GateSources = z.record(z.string(), z.array(GateSource));
export type GateSources = z.infer<typeof GateSources>;

/** What became of a source of a gate. */
export const GateChange = z.object({
  gate: z.string(),
  source: z.string(),
  path: z.string(),
  change: z.enum(['changed', 'added', 'removed']),
  /** In this attempt; otherwise in an earlier one that didn't end as done. */
  now: z.boolean(),
  /** Why the gate can't be passed any more: what it runs checks nothing, or isn't what it was; `null` where it can. */
  hollow: z.nullable(z.string()),
});
export type GateChange = z.infer<typeof GateChange>;

/** Gates that are down: they fail on the branch that they passed on. Times in ISO 8601 UTC. */
export const GateOutage = z.object({
  gates: z.array(z.string()),
  since: z.string(),
  /** When they are asked again, and how often they were. */
  until: z.string(),
  tries: z.number(),
  /** Since when nothing else was done. */
  idleSince: z.string(),
});
export type GateOutage = z.infer<typeof GateOutage>;

/** A gate that says nothing of the work, as it doesn't pass before it, or can't run at all. */
export const OffGate = z.object({ gate: z.string(), why: z.enum(['fails', 'cannot_run']) });
export type OffGate = z.infer<typeof OffGate>;

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
    /** It passed before, and fails without the work as well by now: something outside of the work changed. */
    'down',
    'tool_missing',
    'skipped',
    /** What it runs checks nothing any more, whatever it ended with. */
    'hollow',
    /** It passes, and tests that passed at the reference are gone, or none ran. */
    'tests_missing',
    /** It can't fail any more: it passes with a failing test among its own. */
    'dead',
    /** It passes on other files than would land: it wrote them. */
    'rewritten',
    /** It ends as passed, and its own numbers say that tests failed. */
    'tests_failed',
  ]),
  /** True when it counts against the attempt. */
  counts: z.boolean(),
  /** Why it isn't passed although the command ended with 0, as words behind the gate's name: `no test ran`; `null` for every other gate. */
  why: z.nullable(z.string()),
});
export type GateJudgement = z.infer<typeof GateJudgement>;

/** `none`: nothing to prove, no gate ran. */
export const GateReport = z.object({
  status: z.enum(['none', 'passed', 'failed']),
  judgements: z.array(GateJudgement),
});
export type GateReport = z.infer<typeof GateReport>;
