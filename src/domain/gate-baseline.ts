import * as z from 'zod/mini';
import { CommandRun, type PutIn } from './command-run.ts';
import { GateSources } from './gate.ts';
import type { TestResults } from './test-results.ts';

/** How each gate stood before the task's first attempt. */
export const GateBaseline = z.object({
  /** Tree id the baseline was taken on. */
  tree: z.string(),
  takenAt: z.string(),
  /**
   * The last run of each gate on a verified tree, and the one in which a failing test of ralph's failed it, if that was seen. What they printed
   * isn't kept.
   */
  runs: z.array(CommandRun),
  /** The command of each gate, so that a changed one is noticed. */
  commands: z.record(z.string(), z.string()),
  /** What the commands ran when you or a verified task last approved it. */
  sources: GateSources,
  /** What they need of what git ignores: paths of the checkout, and a command that builds the rest; found by trying. */
  needs: z.object({ keep: z.array(z.string()), build: z.nullable(z.string()) }),
  /** Folders that they fill in each clean copy where the checkout has something built, with the files, and how long they took with that. */
  builtAnew: z.object({
    folders: z.array(z.object({ path: z.string(), files: z.number() })),
    tookMs: z.number(),
  }),
});
export type GateBaseline = z.infer<typeof GateBaseline>;

/** Of gates that weren't tried out. */
export const NOT_TRIED: Pick<GateBaseline, 'needs' | 'builtAnew'> = {
  needs: { keep: [], build: null },
  builtAnew: { folders: [], tookMs: 0 },
};

/** The last run of each gate, without a failing test. */
export function runsBefore(baseline: Pick<GateBaseline, 'runs'> | null): readonly CommandRun[] {
  return baseline?.runs.filter(({ why }) => why !== 'canary') ?? [];
}

/** The last run of a gate; `undefined`: it isn't known. */
export function runBefore(baseline: Pick<GateBaseline, 'runs'> | null, gate: string): CommandRun | undefined {
  return runsBefore(baseline).find(({ name }) => name === gate);
}

/** What a gate reported of its tests then; `null`: it didn't, or that isn't known. */
export function resultsBefore(baseline: Pick<GateBaseline, 'runs'> | null, gate: string): TestResults | null {
  return runBefore(baseline, gate)?.results ?? null;
}

/** The failing test that was seen to fail a gate; `null`: none was. */
export function canaryBefore(baseline: GateBaseline | null, gate: string): PutIn['canary'] {
  return baseline?.runs.find(({ why, name }) => why === 'canary' && name === gate)?.put?.canary ?? null;
}

/** Whether a gate passes in the agent's copy, and in no other. */
export function isOfAgentsCopy(baseline: GateBaseline | null, gate: string): boolean {
  const run = runBefore(baseline, gate);
  return run?.place === 'agents-copy' && run.outcome.kind === 'passed';
}
