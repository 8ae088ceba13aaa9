import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { CommandRun, Purpose } from '../../domain/command-run.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import type { GateResult, GateSpec, PassedElsewhere } from '../../domain/gate.ts';
import type { AtHead } from '../../domain/ports.ts';
import type { IterationFacts, RedLine } from '../../domain/records/iteration.ts';
import { roleOf } from '../../ecosystems/index.ts';
import { narrow } from '../../lib/narrow.ts';
import { own } from '../../lib/own.ts';
import { isFailing, manifestsToInstall } from '../../proof/gates/index.ts';
import type { JudgeContext } from '../context.ts';
import { ask, askThere, noteNotRun, type Tested, testedBase } from '../lab/index.ts';
import { lookAtGates } from '../look-at-gates.ts';
import { pathsIn } from '../proof/tree-files.ts';
import { runHeldOut } from '../run-held-out.ts';
import { workPaths } from '../work-paths.ts';
import { compareApart, isGreen, joinedWithLine } from './joined.ts';
import { rememberOutputs } from './outputs.ts';
import { redLineOf, stillRedOn } from './red-line.ts';

type Seen = Pick<IterationFacts, 'changes' | 'series' | 'baseline' | 'taskState' | 'gateSources'>;

type Left = Pick<IterationFacts, 'leftTree' | 'gateSources'>;

type Ran = Left &
  Pick<IterationFacts, 'passedElsewhere' | 'testedTree' | 'conflict' | 'redLine' | 'missing'> & {
    readonly tested: Tested | null;
  };

type Options = {
  readonly claim: Claim;
  /** Absolute, for what they print. */
  readonly folder: string;
  /** Together with what is on the line by now. */
  readonly joins: boolean;
  /** The commit that it would be. */
  readonly head: AtHead;
};

/**
 * Runs gates on what would land, in a clean copy. What fails there is run once more before it counts, and then in the agent's copy, so that what
 * made the difference can be named.
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
  const nothing = { ...asLeft, passedElsewhere: [], conflict: null, redLine: null };
  if (base === null) return { ...nothing, missing: [], testedTree: after.tree, tested: null };
  const paths = await workPaths(context, after);
  const result = await work.resultTree(after.tree, paths);
  const missing = [...result.missing];
  const none = { ...nothing, missing };
  const alone = { tree: result.tree, base, head, folder };
  const joined = joins ? await joinedWithLine(context, alone) : ({ kind: 'same', tested: alone } as const);
  if (joined.kind === 'conflict') {
    const skipped = { kind: 'skipped', reason: 'it conflicts with what landed meanwhile' } as const;
    for (const { name } of specs) noteNotRun(context, folder, [name, skipped]);
    return { ...none, conflict: joined.conflict, testedTree: await work.keyOf(alone.tree), tested: null };
  }
  const { tested } = joined;
  const testedTree = await work.keyOf(tested.tree);
  // A task's checks are run where there are no gates, too.
  if (specs.length === 0) return { ...none, testedTree, tested };
  const there = seen.baseline?.inAgentsCopy ?? [];
  const clean = specs.filter(({ name, heldOut }) => heldOut === null && !there.includes(name));
  const watched = paths.filter((path) => roleOf(path) === 'source');
  const first = await ask(context, clean, tested, { why: 'deciding', watched });
  rememberOutputs(context, first.made, pathsOf(seen.changes));
  const again = await runAgain(context, clean, first.results, { seen, claim, tested, watched });
  // Where something landed meanwhile, the work is run alone instead.
  if (joined.kind === 'same' && seen.taskState.recovering === null)
    again.push(...(await runAgain(context, clean, again, { seen, claim, tested, watched })));
  const results = gatesIn({ commandRuns: [...first.results, ...again] });
  const red = broken(clean, results, seen);
  const { conflict, redLine } =
    joined.kind === 'same'
      ? { conflict: null, redLine: await redBefore(context, tested, claim.completion ? red : [], seen) }
      : await compareApart(context, results, { ...joined, alone, red });
  await heldOutGates(context, specs, { seen, claim, tested });
  const rest = specs.filter(({ name }) => there.includes(name));
  await askThere(context, rest, inAgents(context, tested, 'deciding'));
  const elsewhere = claim.completion
    ? await runElsewhere(context, clean, { seen, tested })
    : { passed: [], hasRun: false };
  const ranThere = rest.length > 0 || elsewhere.hasRun;
  return {
    ...(ranThere ? await leftByGates(context, seen) : asLeft),
    ...{ testedTree, tested, conflict, redLine, missing, passedElsewhere: elsewhere.passed },
  };
}

/**
 * Asks gates that are red with the work without it. What this run saw pass was made red by nothing that landed; else what an earlier run landed
 * may not pass any more.
 */
async function redBefore(
  context: JudgeContext,
  { base, folder }: Tested,
  red: readonly GateSpec[],
  { baseline }: Seen,
): Promise<RedLine | null> {
  const { store, stop } = context.ports;
  if (red.length === 0 || baseline === null || stop.polite.aborted) return null;
  const line = testedBase(base, folder);
  const { results } = await ask(context, red, line, { why: 'since-when' });
  const began = store.state.runs.findLast(({ run }) => run === context.run)?.startedAt;
  if (began === undefined || baseline.takenAt >= began) return null;
  const stillRed = await stillRedOn(context, line, red, results);
  return stillRed.length === 0 ? null : redLineOf(context, line, null, stillRed);
}

/** How gates that ran in the agent's copy left it, with what they made there noted. */
async function leftByGates(
  context: JudgeContext,
  { changes, gateSources }: Pick<Seen, 'changes' | 'gateSources'>,
): Promise<Left> {
  const { git, work } = context.ports;
  const now = await work.git.snapshot();
  const made = await git.madeBetween(changes.after.tree, now.tree);
  rememberOutputs(context, made, pathsOf(changes));
  return { leftTree: now.tree, gateSources: [...gateSources, lookAtGates(context)] };
}

/** Held-out gates: one that passed before and fails now is run once more, too. */
async function heldOutGates(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { seen, claim, tested }: Look & { readonly claim: Claim },
): Promise<void> {
  const first = await runHeldOut(context, specs, tested, 'deciding');
  await runHeldOut(context, claim.completion ? broken(specs, first, seen) : [], tested, 'again');
}

type Look = { readonly seen: Seen; readonly tested: Tested };

/** Gates that passed before and fail now. */
function broken(specs: readonly GateSpec[], results: readonly GateResult[], { baseline }: Seen): GateSpec[] {
  return specs.filter((spec) => {
    const before = own(baseline?.outcomes ?? {}, spec.name);
    return !isFailing(before) && isFailing(results.find(({ name }) => name === spec.name)?.outcome);
  });
}

/**
 * A red run counts once it is red again: while a task is in a recovery all of them, else where the agent says that it is done. A gate that fails
 * one time in ten would be red twice for one result in a hundred, three times for one in a thousand.
 */
async function runAgain(
  context: JudgeContext,
  specs: readonly GateSpec[],
  results: readonly GateResult[],
  { seen, claim, tested, watched }: Look & { readonly claim: Claim; readonly watched: readonly string[] },
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
  return { copy: work.shown, place: 'agents-copy', commit: base.commit, tree, folder, why } as const;
}

/** Runs of a gate that look for what made the difference. */
const MOST_TRIALS = 12;

type Elsewhere = {
  readonly passed: PassedElsewhere[];
  /** Whether anything ran in the agent's copy. */
  readonly hasRun: boolean;
};

/**
 * Gates that fail in the clean copy and pass in the agent's. What runs there decides where the work brought what is to be installed, and ralph
 * installs nothing of it.
 */
async function runElsewhere(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { seen, tested }: Look,
): Promise<Elsewhere> {
  const { config, ports, lab } = context;
  const { git, work, stop } = ports;
  const red = broken(specs, gatesIn({ commandRuns: lab.runsFor(tested.folder) }), seen);
  const made = red.length === 0 ? [] : await work.made();
  if (made.length === 0 || stop.polite.aborted) return { passed: [], hasRun: false };
  const there = await askThere(context, red, inAgents(context, tested, 'copy'));
  const green = red.filter(({ name }) => isGreen(there, name));
  if (green.length === 0) return { passed: [], hasRun: true };
  const files = new Set(await pathsIn(git, tested.tree));
  const changed = pathsOf(seen.series?.changes ?? seen.changes);
  const manifests = [...manifestsToInstall(config.gates.setup, changed, (path) => files.has(path))];
  const passed: PassedElsewhere[] = [];
  for (const spec of green)
    passed.push({ gate: spec.name, ignored: await differing(context, spec, tested, made), manifests });
  for (const { gate, ignored } of passed)
    if (manifests.length > 0 && ignored.length > 0 && ignored.every(work.holdsPackages))
      for (const run of there) if (run.name === gate) lab.decides(tested.folder, run);
  return { passed, hasRun: true };
}

/** Those of the ignored files of the agent's copy with which a gate passes; none where that isn't found. */
async function differing(
  context: JudgeContext,
  spec: GateSpec,
  tested: Tested,
  made: readonly string[],
): Promise<string[]> {
  const passes = async (paths: readonly string[]) => {
    if (context.ports.stop.polite.aborted) return false;
    const ignored = { paths, from: context.ports.work.shown };
    return isGreen((await ask(context, [spec], tested, { why: 'trial', ignored })).results, spec.name);
  };
  return [...((await narrow(made, passes, MOST_TRIALS)) ?? [])];
}
