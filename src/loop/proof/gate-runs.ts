import { roleOf } from 'ralph-ecosystems';
import { narrow } from 'ralph-kit/narrow';
import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { CommandRun, Purpose } from '../../domain/command-run.ts';
import { gatesIn, gatesPassedElsewhere } from '../../domain/command-runs.ts';
import { type GateResult, type GateSpec, isRed } from '../../domain/gate.ts';
import { isOfAgentsCopy, runBefore } from '../../domain/gate-baseline.ts';
import type { AtHead } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { ask, askThere, noteNotRun, type Tested, testedBase } from '../../lab/index.ts';
import { manifestsToInstall } from '../../proof/gates/index.ts';
import type { JudgeContext } from '../context.ts';
import { rememberOutputs } from '../outputs.ts';
import { readGateSources } from '../read-gate-sources.ts';
import { workPaths } from '../work-paths.ts';
import { attributeFailure, isGreen, joinedWithLine } from './joined.ts';
import { redSince, stillRedOn } from './red-line.ts';
import { runHeldOut } from './run-held-out.ts';
import { pathsIn } from './tree-files.ts';

type Seen = Pick<IterationFacts, 'changes' | 'series' | 'baseline' | 'taskState' | 'gateSources'>;

type Left = Pick<IterationFacts, 'leftTree' | 'gateSources'>;

type Ran = Left &
  Pick<IterationFacts, 'testedTree' | 'conflict' | 'redSince' | 'missing'> & {
    readonly tested: Tested | null;
  };

type Options = {
  readonly claim: Claim;
  /** Absolute path of the folder for the gates' output. */
  readonly folder: string;
  /** Whether gates run on the work together with what has landed since. */
  readonly joins: boolean;
  readonly head: AtHead;
};

/**
 * Runs the gates that decide on the work. A gate that fails in the clean copy runs again before the failure counts, and
 * then in the agent's copy, to find the cause.
 */
export async function runDecidingGates(
  context: JudgeContext,
  specs: readonly GateSpec[],
  seen: Seen,
  { claim, folder, joins, head }: Options,
): Promise<Ran> {
  const { work } = context.ports;
  const base = work.base();
  const { after } = seen.changes;
  const asLeft = { leftTree: after.tree, gateSources: seen.gateSources };
  const nothing = { ...asLeft, conflict: null, redSince: null };
  if (base === null) return { ...nothing, missing: [], testedTree: after.tree, tested: null };
  const paths = await workPaths(context, after);
  const result = await work.resultTree(after.tree, paths);
  const missing = [...result.missing];
  const none = { ...nothing, missing };
  const alone = { tree: result.tree, base, head, folder };
  const joined = joins ? await joinedWithLine(context, alone) : ({ kind: 'same', tested: alone } as const);
  if (joined.kind === 'conflict') {
    const skipped = { kind: 'skipped', reason: 'it conflicts with what landed meanwhile' } as const;
    for (const { name } of specs) noteNotRun(context, folder, '', [name, skipped]);
    return { ...none, conflict: joined.conflict, testedTree: await work.keyOf(alone.tree), tested: null };
  }
  const { tested } = joined;
  const testedTree = await work.keyOf(tested.tree);
  context.lab.see(tested.tree, testedTree);
  // A task's checks run even without gates, so they need the tested tree.
  if (specs.length === 0) return { ...none, testedTree, tested };
  const isThere = ({ name }: GateSpec) => isOfAgentsCopy(seen.baseline, name);
  const clean = specs.filter((spec) => spec.heldOut === null && !isThere(spec));
  const watched = paths.filter((path) => roleOf(path) === 'source');
  const first = await ask(context, clean, tested, { why: 'deciding', watched });
  rememberOutputs(context, first.createdPaths, pathsOf(seen.changes));
  const again = await runAgain(context, clean, first.results, { seen, claim, tested, watched });
  // If another task's work has landed meanwhile, the second run is on the work alone.
  if (joined.kind === 'same' && seen.taskState.recovering === null)
    again.push(...(await runAgain(context, clean, again, { seen, claim, tested, watched })));
  const results = gatesIn({ commandRuns: [...first.results, ...again] });
  const red = broken(clean, results, seen);
  const { conflict, redSince: since } =
    joined.kind === 'same'
      ? { conflict: null, redSince: await redBefore(context, tested, red, { seen, claim }) }
      : await attributeFailure(context, results, { ...joined, alone, red });
  await heldOutGates(context, specs, { seen, claim, tested });
  const rest = specs.filter(isThere);
  await askThere(context, rest, inAgents(context, tested, 'deciding'));
  const hasRun = claim.completion && (await runElsewhere(context, clean, { seen, tested }));
  return {
    ...(rest.length > 0 || hasRun ? await leftByGates(context, seen) : asLeft),
    testedTree,
    tested,
    conflict,
    redSince: since,
    missing,
  };
}

/**
 * Runs failing gates on the line without the work, unless this run's baseline saw them pass and no result landed since.
 * An older baseline doesn't show whether a landing of an earlier run broke them.
 */
async function redBefore(
  context: JudgeContext,
  { base, folder }: Tested,
  red: readonly GateSpec[],
  { seen: { baseline }, claim }: { readonly seen: Seen; readonly claim: Claim },
): Promise<IterationFacts['redSince']> {
  const { store, stop } = context.ports;
  if (red.length === 0 || baseline === null || stop.polite.aborted) return null;
  const line = testedBase(base, folder);
  const { results } = await ask(context, red, line, { why: 'since-when' });
  const began = store.state.runs.findLast(({ run }) => run === context.run)?.startedAt;
  if (!claim.completion || began === undefined || baseline.takenAt >= began) return null;
  return redSince(context, line, null, {
    specs: red,
    red: await stillRedOn(context, line, red, results),
  });
}

async function leftByGates(
  context: JudgeContext,
  { changes, gateSources }: Pick<Seen, 'changes' | 'gateSources'>,
): Promise<Left> {
  const { git, work } = context.ports;
  const now = await work.git.snapshot();
  const made = await git.madeBetween(changes.after.tree, now.tree);
  rememberOutputs(context, made, pathsOf(changes));
  return { leftTree: now.tree, gateSources: [...gateSources, readGateSources(context)] };
}

/** Runs the held-out gates. A gate that passed before and fails now runs again, and then without the work. */
async function heldOutGates(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { seen, claim, tested }: GateContext & { readonly claim: Claim },
): Promise<void> {
  const first = await runHeldOut(context, specs, tested, 'deciding');
  const again = await runHeldOut(
    context,
    claim.completion ? broken(specs, first, seen) : [],
    tested,
    'again',
  );
  const red = broken(specs, gatesIn({ commandRuns: [...first, ...again] }), seen);
  await runHeldOut(context, red, testedBase(tested.base, tested.folder), 'since-when');
}

type GateContext = { readonly seen: Seen; readonly tested: Tested };

function broken(specs: readonly GateSpec[], results: readonly GateResult[], { baseline }: Seen): GateSpec[] {
  return specs.filter((spec) => {
    const before = runBefore(baseline, spec.name)?.outcome;
    return !isRed(before) && isRed(results.find(({ name }) => name === spec.name)?.outcome);
  });
}

/**
 * Runs failed gates a second time: in a recovery all of them, otherwise only if the agent claims completion. Only two
 * failures count. A gate that fails one time in ten is red twice for one result in a hundred, three times for one in a
 * thousand.
 */
async function runAgain(
  context: JudgeContext,
  specs: readonly GateSpec[],
  results: readonly GateResult[],
  {
    seen,
    claim,
    tested,
    watched,
  }: GateContext & { readonly claim: Claim; readonly watched: readonly string[] },
): Promise<CommandRun[]> {
  const isRecovering = seen.taskState.recovering !== null;
  const failed = isRecovering
    ? specs.filter(({ name }) => results.some((one) => one.name === name && one.outcome.kind === 'failed'))
    : claim.completion
      ? broken(specs, results, seen)
      : [];
  if (failed.length === 0) return [];
  const why = isRecovering ? 'in-recovery' : 'again';
  return (await ask(context, failed, tested, { why, watched })).results;
}

function inAgents({ ports: { work } }: JudgeContext, { base, tree, folder }: Tested, why: Purpose) {
  return { copy: work.mounted, place: 'agents-copy', commit: base.commit, tree, folder, why } as const;
}

/** Maximum number of gate runs that search for the ignored files that make a difference. */
const MOST_TRIALS = 12;

/**
 * Finds ignored files with which a gate passes in the agent's copy and without which it fails in a clean copy. If the
 * work changed the packages to install, the agent's copy decides, because ralph doesn't install them. Returns whether
 * any gate ran.
 */
async function runElsewhere(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { seen, tested }: GateContext,
): Promise<boolean> {
  const { config, ports, lab } = context;
  const { git, work, stop } = ports;
  const all = () => ({ commandRuns: lab.runsFor(tested.folder) });
  const red = broken(specs, gatesIn(all()), seen);
  const made = red.length === 0 ? [] : await work.createdPaths();
  if (made.length === 0 || stop.polite.aborted) return false;
  const there = await askThere(context, red, inAgents(context, tested, 'copy'));
  const green = red.filter(({ name }) => isGreen(there, name));
  for (const spec of green)
    await narrow(made, (paths) => passesWith(context, spec, tested, paths), MOST_TRIALS);
  if (green.length === 0) return true;
  const files = new Set(await pathsIn(git, tested.tree));
  const changed = pathsOf(seen.series?.changes ?? seen.changes);
  if (manifestsToInstall(config.gates.setup, changed, (path) => files.has(path)).length === 0) return true;
  for (const { gate, ignored } of gatesPassedElsewhere(all()))
    if (ignored.length > 0 && ignored.every(work.holdsPackages))
      for (const run of there) if (run.name === gate) lab.decides(tested.folder, run);
  return true;
}

async function passesWith(
  context: JudgeContext,
  spec: GateSpec,
  tested: Tested,
  paths: readonly string[],
): Promise<boolean> {
  const { work, stop } = context.ports;
  if (stop.polite.aborted) return false;
  const ignored = { paths, from: work.mounted };
  return isGreen((await ask(context, [spec], tested, { why: 'trial', ignored })).results, spec.name);
}
