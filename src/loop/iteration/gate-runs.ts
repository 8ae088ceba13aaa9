import { pathsOf } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import type { Purpose } from '../../domain/command-run.ts';
import type { GateOutcome, GateResult, GateSpec, PassedElsewhere } from '../../domain/gate.ts';
import type { AtHead } from '../../domain/ports.ts';
import type { IterationFacts, RedLine } from '../../domain/records/iteration.ts';
import { roleOf } from '../../lib/code/file-role.ts';
import { narrow } from '../../lib/narrow.ts';
import { own } from '../../lib/own.ts';
import { isFailing, manifestsToInstall } from '../../proof/gates/index.ts';
import type { JudgeContext } from '../context.ts';
import { ask, askThere, type Tested, testedBase } from '../lab/index.ts';
import { lookAtGates } from '../look-at-gates.ts';
import { pathsIn } from '../proof/tree-files.ts';
import { runHeldOut } from '../run-held-out.ts';
import { workPaths } from '../work-paths.ts';
import { type Combined, compareApart, isGreen, joinedWithLine } from './joined.ts';
import { rememberOutputs } from './outputs.ts';
import { redLineOf, stillRedOn } from './red-line.ts';

type Seen = Pick<IterationFacts, 'changes' | 'series' | 'baseline' | 'taskState' | 'gateSources'>;

type Left = Pick<IterationFacts, 'leftTree' | 'gateSources'>;

type Ran = Left &
  Pick<
    IterationFacts,
    'gates' | 'gatesAgain' | 'flaky' | 'passedElsewhere' | 'testedTree' | 'conflict' | 'redLine' | 'missing'
  > & {
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
  const nothing = {
    ...asLeft,
    gates: [],
    gatesAgain: [],
    flaky: [],
    passedElsewhere: [],
    conflict: null,
    redLine: null,
  };
  if (base === null) return { ...nothing, missing: [], testedTree: after.tree, tested: null };
  const paths = await workPaths(context, after);
  const result = await work.resultTree(after.tree, paths);
  const missing = [...result.missing];
  const none = { ...nothing, missing };
  const alone = { tree: result.tree, base, head, folder };
  const joined = joins ? await joinedWithLine(context, alone) : ({ kind: 'same', tested: alone } as const);
  if (joined.kind === 'conflict') {
    const skipped = { kind: 'skipped', reason: 'it conflicts with what landed meanwhile' } as const;
    const gates = specs.map(({ name }) => notRun(name, skipped));
    const testedTree = await work.keyOf(alone.tree);
    return { ...none, gates, conflict: joined.conflict, testedTree, tested: null };
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
  const isRecovering = seen.taskState.recovering !== null;
  const again = await runAgain(context, clean, first.results, { seen, claim, tested, watched });
  // Where something landed meanwhile, the work is run alone instead.
  if (joined.kind === 'same' && !isRecovering)
    again.unshift(...(await runAgain(context, clean, again, { seen, claim, tested, watched })));
  const seenTwice = combined(first.results, isRecovering ? [] : again);
  const red = broken(clean, seenTwice.results, seen);
  const { conflict, redLine, ...decided } =
    joined.kind === 'same'
      ? {
          ...seenTwice,
          conflict: null,
          redLine: await redBefore(context, tested, claim.completion ? red : [], seen),
        }
      : await compareApart(context, seenTwice, { ...joined, alone, red });
  const heldOut = await heldOutGates(context, specs, { seen, claim, tested });
  const rest = specs.filter(({ name }) => there.includes(name));
  const inAgentsCopy = await askThere(context, rest, inAgents(context, tested, 'deciding'));
  const elsewhere = claim.completion
    ? await runElsewhere(context, clean, { results: decided.results, seen, tested })
    : NOTHING_THERE;
  const all = [...elsewhere.deciding, ...decided.results, ...inAgentsCopy, ...heldOut.results];
  const ranThere = rest.length > 0 || elsewhere.hasRun;
  return {
    ...(ranThere ? await leftByGates(context, seen) : asLeft),
    ...{ testedTree, tested, conflict, redLine, missing, passedElsewhere: elsewhere.passed },
    gates: specs.flatMap(({ name }) => all.find((one) => one.name === name) ?? []),
    gatesAgain: isRecovering ? again : [],
    flaky: [...decided.flaky, ...heldOut.flaky],
  };
}

/**
 * Whether gates that are red with the work are so without it, as what an earlier run landed may not pass any more. What this run saw pass
 * needs no second look.
 */
async function redBefore(
  context: JudgeContext,
  { base, folder }: Tested,
  red: readonly GateSpec[],
  { baseline }: Seen,
): Promise<RedLine | null> {
  const { store, stop } = context.ports;
  const began = store.state.runs.findLast(({ run }) => run === context.run)?.startedAt;
  if (red.length === 0 || baseline === null || began === undefined || baseline.takenAt >= began) return null;
  if (stop.polite.aborted) return null;
  const line = testedBase(base, folder);
  const { results } = await ask(context, red, line, { why: 'since-when' });
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
  { seen, claim, tested }: Omit<Results, 'results'> & { readonly claim: Claim },
): Promise<Combined> {
  const first = await runHeldOut(context, specs, tested, 'deciding');
  const red = claim.completion ? broken(specs, first, seen) : [];
  return combined(first, await runHeldOut(context, red, tested, 'again'));
}

/** Results with those of a second run in the place of the red ones that it didn't repeat; and those. */
function combined(first: readonly GateResult[], again: readonly GateResult[]): Combined {
  const flaky = first.filter(({ name }) => isGreen(again, name));
  const second = (one: GateResult) => again.find(({ name }) => name === one.name) ?? one;
  return { flaky, results: first.map((one) => (flaky.includes(one) ? second(one) : one)) };
}

type Results = { readonly results: readonly GateResult[]; readonly seen: Seen; readonly tested: Tested };

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
  {
    seen,
    claim,
    tested,
    watched,
  }: Omit<Results, 'results'> & { readonly claim: Claim; readonly watched: readonly string[] },
): Promise<GateResult[]> {
  const isRecovering = seen.taskState.recovering !== null;
  const failed = isRecovering
    ? specs.filter(({ name }) => results.some((one) => one.name === name && one.outcome.kind === 'failed'))
    : claim.completion
      ? broken(specs, results, seen)
      : [];
  if (failed.length === 0) return [];
  return (await ask(context, failed, tested, { why: 'again', watched })).results;
}

function inAgents({ ports: { work } }: JudgeContext, { base, tree, folder }: Tested, why: Purpose) {
  return { copy: work.shown, place: 'agents-copy', commit: base.commit, tree, folder, why } as const;
}

/** Runs of a gate that look for what made the difference. */
const MOST_TRIALS = 12;

type Elsewhere = {
  readonly passed: PassedElsewhere[];
  /** Results of those that decide: the work brought what is to be installed, and ralph installs nothing of it. */
  readonly deciding: readonly GateResult[];
  /** Whether anything ran in the agent's copy. */
  readonly hasRun: boolean;
};

const NOTHING_THERE: Elsewhere = { passed: [], deciding: [], hasRun: false };

/** Gates that fail in the clean copy and pass in the agent's. */
async function runElsewhere(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { results, seen, tested }: Results,
): Promise<Elsewhere> {
  const { config, ports } = context;
  const { git, work, stop } = ports;
  const red = broken(specs, results, seen);
  const made = red.length === 0 ? [] : await work.made();
  if (made.length === 0 || stop.polite.aborted) return NOTHING_THERE;
  const there = await askThere(context, red, inAgents(context, tested, 'copy'));
  const green = red.filter(({ name }) => isGreen(there, name));
  if (green.length === 0) return { ...NOTHING_THERE, hasRun: true };
  const files = new Set(await pathsIn(git, tested.tree));
  const changed = pathsOf(seen.series?.changes ?? seen.changes);
  const manifests = [...manifestsToInstall(config.gates.setup, changed, (path) => files.has(path))];
  const passed: PassedElsewhere[] = [];
  for (const spec of green)
    passed.push({ gate: spec.name, ignored: await differing(context, spec, tested, made), manifests });
  const deciding = passed.filter(
    ({ ignored }) => manifests.length > 0 && ignored.length > 0 && ignored.every(work.holdsPackages),
  );
  return {
    ...{ passed, hasRun: true },
    deciding: there.filter(({ name }) => deciding.some(({ gate }) => gate === name)),
  };
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

/** A gate that wasn't run, with the reason as its outcome. */
export function notRun(name: string, outcome: GateOutcome): GateResult {
  return { name, outcome, durationMs: 0, outputTail: '', results: null, rewrote: [] };
}
