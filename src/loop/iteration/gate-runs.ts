import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { GateResult, GateSpec, PassedElsewhere } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { isFailing } from '../../gates/index.ts';
import { roleOf } from '../../lib/code/file-role.ts';
import { narrow } from '../../lib/narrow.ts';
import { own } from '../../lib/own.ts';
import { openCleanCopy, runOnTree, type Tested } from '../clean-copy.ts';
import type { LoopContext } from '../context.ts';
import { runGates } from '../run-gates.ts';
import { runHeldOut } from '../run-held-out.ts';
import { rememberOutputs } from './outputs.ts';
import { workPaths } from './work-paths.ts';

type Seen = Pick<IterationFacts, 'changes' | 'series' | 'baseline' | 'taskState'>;

type Ran = Pick<IterationFacts, 'gates' | 'gatesAgain' | 'flaky' | 'passedElsewhere' | 'testedTree'> & {
  readonly tested: Tested | null;
};

/**
 * Runs gates on what would land, in a clean copy. What fails there is run once more before it counts, and then in the agent's copy, so that what
 * made the difference can be named.
 */
export async function runDecidingGates(
  context: LoopContext,
  specs: readonly GateSpec[],
  seen: Seen,
  { claim, folder }: { readonly claim: Claim; readonly folder: string },
): Promise<Ran> {
  const { work } = context.ports;
  const base = work.base();
  const { after } = seen.changes;
  const none = { gates: [], gatesAgain: [], flaky: [], passedElsewhere: [] };
  if (base === null) return { ...none, testedTree: after.tree, tested: null };
  const paths = await workPaths(context, after);
  const tree = await work.resultTree(after.tree, paths);
  const tested = { tree, base, folder };
  // A task's checks are run where there are no gates, too.
  if (specs.length === 0) return { ...none, testedTree: after.tree, tested };
  const testedTree = await work.keyOf(tree);
  const there = seen.baseline?.inAgentsCopy ?? [];
  const clean = specs.filter(({ name, heldOut }) => heldOut === null && !there.includes(name));
  const watched = paths.filter((path) => roleOf(path) === 'source');
  const first = await runOnTree(context, clean, tested, { watched });
  rememberOutputs(context, first.made, pathsOf(seen.changes));
  const again = await runAgain(context, clean, first.results, { seen, claim, tested });
  const isRecovering = seen.taskState.recovering !== null;
  const flaky = isRecovering ? [] : first.results.filter(({ name }) => isGreen(again, name));
  const settled = first.results.map(
    (one) => (flaky.includes(one) ? again.find(({ name }) => name === one.name) : undefined) ?? one,
  );
  const heldOut = await heldOutGates(context, specs, { seen, claim, tested });
  const rest = specs.filter(({ name }) => there.includes(name));
  const besides = await runGates(context, work.shown, rest, folder, { log: 'copy' });
  const all = [...settled, ...besides, ...heldOut.results];
  const gates = specs.flatMap(({ name }) => all.find((one) => one.name === name) ?? []);
  const passedElsewhere = claim.completion
    ? await elsewhere(context, clean, { results: settled, seen, tested })
    : [];
  return {
    ...{ gates, passedElsewhere, testedTree, tested },
    gatesAgain: isRecovering ? again : [],
    flaky: [...flaky, ...heldOut.flaky],
  };
}

/** Held-out gates: one that passed before and fails now is run once more, too. */
async function heldOutGates(
  context: LoopContext,
  specs: readonly GateSpec[],
  { seen, claim, tested }: Omit<Results, 'results'> & { readonly claim: Claim },
): Promise<{ readonly results: GateResult[]; readonly flaky: GateResult[] }> {
  const first = await runHeldOut(context, specs, tested);
  const red = claim.completion ? broken(specs, first, seen) : [];
  const again = await runHeldOut(context, red, tested);
  const flaky = first.filter(({ name }) => isGreen(again, name));
  return { results: first.map((one) => again.find(({ name }) => name === one.name) ?? one), flaky };
}

function isGreen(results: readonly GateResult[], gate: string): boolean {
  return results.some(({ name, outcome }) => name === gate && outcome.kind === 'passed');
}

type Results = { readonly results: readonly GateResult[]; readonly seen: Seen; readonly tested: Tested };

/** Gates that passed before and fail now. */
function broken(specs: readonly GateSpec[], results: readonly GateResult[], { baseline }: Seen): GateSpec[] {
  return specs.filter((spec) => {
    const before = own(baseline?.outcomes ?? {}, spec.name);
    return !isFailing(before) && isFailing(results.find(({ name }) => name === spec.name)?.outcome);
  });
}

/** A red run counts once it is red again: while a task is in a recovery all of them, else where the agent says that it is done. */
async function runAgain(
  context: LoopContext,
  specs: readonly GateSpec[],
  results: readonly GateResult[],
  { seen, claim, tested }: Omit<Results, 'results'> & { readonly claim: Claim },
): Promise<GateResult[]> {
  const isRecovering = seen.taskState.recovering !== null;
  const failed = isRecovering
    ? specs.filter(({ name }) => results.some((one) => one.name === name && one.outcome.kind === 'failed'))
    : claim.completion
      ? broken(specs, results, seen)
      : [];
  return failed.length === 0 ? [] : (await runOnTree(context, failed, tested, { log: 'again' })).results;
}

/** What of a change says what is to be installed. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|requirements[\w.-]*\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|Gemfile|composer\.json|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|environment\.ya?ml|[\w.-]+-lock\.\w+|[\w.-]+\.lock)$/;

/** Runs of a gate that look for what made the difference. */
const MOST_TRIALS = 12;

/** Gates that fail in the clean copy and pass in the agent's. */
async function elsewhere(
  context: LoopContext,
  specs: readonly GateSpec[],
  { results, seen, tested }: Results,
): Promise<PassedElsewhere[]> {
  const { work, stop } = context.ports;
  const red = broken(specs, results, seen);
  const made = red.length === 0 ? [] : await work.made();
  if (made.length === 0 || stop.polite.aborted) return [];
  const there = await runGates(context, work.shown, red, tested.folder, { log: 'copy' });
  const changed = pathsOf(seen.series?.changes ?? seen.changes);
  const manifests = changed.filter((path) => MANIFEST.test(path));
  const found: PassedElsewhere[] = [];
  for (const spec of red.filter(({ name }) => isGreen(there, name)))
    found.push({ gate: spec.name, ignored: await differing(context, spec, tested, made), manifests });
  return found;
}

/** Those of the ignored files of the agent's copy with which a gate passes; none where that isn't found. */
async function differing(
  context: LoopContext,
  spec: GateSpec,
  tested: Tested,
  made: readonly string[],
): Promise<string[]> {
  const passes = async (paths: readonly string[]) => {
    if (context.ports.stop.polite.aborted) return false;
    const copy = await openCleanCopy(context, tested);
    try {
      copy.bring(paths);
      return isGreen(await runGates(context, copy.shown, [spec], tested.folder, { log: 'trial' }), spec.name);
    } finally {
      copy.close();
    }
  };
  return [...((await narrow(made, passes, MOST_TRIALS)) ?? [])];
}
