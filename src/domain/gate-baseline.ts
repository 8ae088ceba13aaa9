import * as z from 'zod/mini';
import { CommandRun, type PutIn } from './command-run.ts';
import { GateSources } from './gate.ts';
import type { TestResults } from './test-results.ts';

export const GateBaseline = z.object({
  tree: z.string(),
  takenAt: z.string(),
  /**
   * For each gate, its last run on a verified tree, and its run that failed with ralph's failing test. Outputs are left
   * out.
   */
  runs: z.array(CommandRun),
  /** Command of each gate, by which a changed command is noticed. */
  commands: z.record(z.string(), z.string()),
  /** Files and scripts run by the commands, as last approved by you or by a verified task. */
  sources: GateSources,
  /**
   * Ignored files that gates need, found by trials. `keep`: paths in the checkout; `build`: command that makes the
   * others, `null`: none.
   */
  needs: z.object({ keep: z.array(z.string()), build: z.nullable(z.string()) }),
  /**
   * Folders that gates build again in each clean copy, although the checkout has them. `tookMs`: milliseconds of all gates,
   * with the build.
   */
  builtAnew: z.object({
    folders: z.array(z.object({ path: z.string(), files: z.number() })),
    tookMs: z.number(),
  }),
});
export type GateBaseline = z.infer<typeof GateBaseline>;

export const NOT_TRIED: Pick<GateBaseline, 'needs' | 'builtAnew'> = {
  needs: { keep: [], build: null },
  builtAnew: { folders: [], tookMs: 0 },
};

/** Returns the last run of each gate without ralph's failing test. */
export function runsBefore(baseline: Pick<GateBaseline, 'runs'> | null): readonly CommandRun[] {
  return baseline?.runs.filter(({ why }) => why !== 'canary') ?? [];
}

/** Returns the gate's last run without ralph's failing test; `undefined`: none is known. */
export function runBefore(baseline: Pick<GateBaseline, 'runs'> | null, gate: string): CommandRun | undefined {
  return runsBefore(baseline).find(({ name }) => name === gate);
}

/** Returns the test results of the gate's last run; `null`: unknown, or the gate reports none. */
export function resultsBefore(baseline: Pick<GateBaseline, 'runs'> | null, gate: string): TestResults | null {
  return runBefore(baseline, gate)?.results ?? null;
}

/** Returns ralph's failing test that made the gate fail; `null`: there is none. */
export function canaryBefore(baseline: GateBaseline | null, gate: string): PutIn['canary'] {
  return baseline?.runs.find(({ why, name }) => why === 'canary' && name === gate)?.put?.canary ?? null;
}

/** Returns whether a gate passes in the agent's copy only. */
export function isOfAgentsCopy(baseline: GateBaseline | null, gate: string): boolean {
  const run = runBefore(baseline, gate);
  return run?.place === 'agents-copy' && run.outcome.kind === 'passed';
}
