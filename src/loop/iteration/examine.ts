import { isTestOf } from 'ralph-diff-review';
import {
  type gatesToRun,
  isManifest,
  judge,
  reviewChanges,
  runsOnOpen,
  type WholeDiff,
} from '../../decide/index.ts';
import { type ChangeSet, pathsOf, type Snapshot } from '../../domain/change-set.ts';
import type { Claim } from '../../domain/claim.ts';
import { gatesIn, sortByGates } from '../../domain/command-runs.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { Git } from '../../domain/ports/git.ts';
import type { AtHead, CopyCommit } from '../../domain/ports.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { noteNotRun, type Tested } from '../../lab/index.ts';
import { criteriaOf, hasCriteria, pathsOfInterest } from '../../proof/evidence/index.ts';
import { checksOf } from '../../proof/shown/index.ts';
import type { JudgeContext } from '../context.ts';
import { runDecidingGates } from '../proof/gate-runs.ts';
import { prove } from '../proof/prove.ts';
import { pathsIn } from '../proof/tree-files.ts';
import type { factsAtStart } from '../start/facts-at-start.ts';
import type { Attempted } from './attempt.ts';
import { plantedCredentials } from './planted-credentials.ts';

/** Maximum number of bytes of the tests of changed files that are read with the diff. */
const TEST_BYTES = 1_000_000;
/** Maximum number of bytes of all changed package manifests together. */
const MANIFEST_BYTES = 4_000_000;

export type AttemptFacts = ReturnType<typeof factsAtStart> &
  Attempted['facts'] &
  Pick<IterationFacts, 'series' | 'waitedMs' | 'prover'>;

type Work = {
  readonly claim: Claim;
  readonly plan: ReturnType<typeof gatesToRun>;
  /** Absolute path of the folder for the gates' output. */
  readonly folder: string;
  /** Whether the work is judged together with what has landed since. */
  readonly joins: boolean;
  readonly head: AtHead;
  /** `patch`: diff of this attempt; `whole`: diff of all attempts of the series. */
  readonly patch: string;
  readonly whole: string;
  readonly reviewed: WholeDiff;
  readonly commits: readonly CopyCommit[];
};

type Examined = {
  readonly facts: IterationFacts;
  /** The tree on which gates ran; `null`: there was no tree to test. */
  readonly tested: Tested | null;
  readonly hasRun: boolean;
  readonly gatesBegan: string;
  readonly gatesEnded: string;
};

export async function examineWork(
  context: JudgeContext,
  attempt: AttemptFacts,
  { claim, plan, folder, joins, head, patch, whole, reviewed, commits }: Work,
): Promise<Examined> {
  const { ports } = context;
  const { git, work, clock } = ports;
  const changed = attempt.series?.changes ?? attempt.changes;
  const paths = pathsOfInterest(claim, attempt.task, changed);
  const fileFacts = [...(await work.git.fileFacts(attempt.changes.after, paths))];
  const criteria = await criteriaAfter(git, {
    task: attempt.task,
    tree: attempt.changes.after.tree,
    fileFacts,
  });
  const gatesBegan = clock.now();
  const { tested, ...ran } = await runDecidingGates(context, plan.run, attempt, {
    claim,
    folder,
    joins,
    head,
  });
  const gatesEnded = clock.now();
  const hasRun = gatesIn({ commandRuns: context.lab.runsFor(folder) }).length > 0;
  for (const { name, reason } of plan.skipped)
    noteNotRun(context, folder, tested?.tree ?? '', [name, { kind: 'skipped', reason }]);
  for (const name of plan.unknown)
    noteNotRun(context, folder, '', [
      name,
      { kind: 'tool_missing', tool: `a gate "${name}" in [gates] commands` },
    ]);
  const commandRuns = () => sortByGates(plan.run, context.lab.runsFor(folder));
  const gated = {
    ...attempt,
    credentials: plantedCredentials({ patch, whole, series: attempt.taskState.series, commits }),
    end: interruptedByYou(attempt.end, ports.stop.reason()),
    ...ran,
    fileFacts,
    criteria,
    commandRuns: commandRuns(),
    proof: null,
    mutants: null,
    head: attempt.changes.after.head,
    operation: work.git.operation(),
    endedAt: clock.now(),
    ownFindings: [],
    handled: [],
    workflow: null,
  };
  const changedPaths = changed.changes.map(({ path }) => path);
  const tests = await git.texts(
    attempt.changes.after.tree,
    (path) => isTestOf(path, changedPaths),
    TEST_BYTES,
  );
  const avoidance = reviewChanges(gated, reviewed, ports.store.state.human, tests);
  const facts = { ...gated, avoidance, runsOnOpen: await startedBy(context, changed) };
  const proof = await proofOf(context, plan.run, { facts, claim, tested });
  return { facts: { ...facts, proof, commandRuns: commandRuns() }, tested, hasRun, gatesBegan, gatesEnded };
}

/** Returns changed paths that start a program without being asked, such as when you open the folder. */
async function startedBy({ ports: { git } }: JudgeContext, change: ChangeSet): Promise<string[]> {
  const manifests = new Set(pathsOf(change).filter(isManifest));
  const textsIn = async ({ tree }: Snapshot) => {
    if (manifests.size === 0) return new Map<string, string>();
    const texts = await git.texts(tree, (path) => manifests.has(path), MANIFEST_BYTES);
    return new Map(texts.map(({ path, text }) => [path, text]));
  };
  const [before, after] = [await textsIn(change.before), await textsIn(change.after)];
  return runsOnOpen(change.changes, { before, after });
}

/** Runs the trials that prove the work, but only if the verdict would be done. */
async function proofOf(
  context: JudgeContext,
  specs: readonly GateSpec[],
  {
    facts,
    claim,
    tested,
  }: {
    readonly facts: IterationFacts;
    readonly claim: Claim;
    readonly tested: Tested | null;
  },
): Promise<IterationFacts['proof']> {
  if (context.config.proof.mode === 'off' || tested === null) return null;
  // If no gates ran, only checks can prove the work.
  if (specs.length === 0 && facts.task.checks.length === 0 && checksOf(facts) === null) return null;
  if (judge(facts, claim).verdict.kind !== 'done') return null;
  const open = specs.filter(({ heldOut }) => heldOut === null);
  return prove(context, open, facts, tested);
}

/**
 * Returns the attempt's end. If you stopped ralph, it counts as interrupted instead of failed, because nothing was
 * judged.
 */
export function interruptedByYou(end: IterationFacts['end'], signal: string | null): IterationFacts['end'] {
  return signal === null || end.kind !== 'exited' ? end : { kind: 'interrupted', signal, forced: false };
}

/**
 * Maximum number of bytes of all files that criteria name. Files beyond the limit aren't read, so they prove no
 * criterion.
 */
const MAX_BYTES = 8_000_000;
/** Longest chain of modules that re-export from each other. */
const ROUNDS = 6;

type After = Pick<IterationFacts, 'task' | 'fileFacts'> & { readonly tree: string };

/**
 * Returns the checks of the criteria. Files that they need are read and the criteria judged again, because one file may
 * lead to others.
 */
async function criteriaAfter(
  git: Pick<Git, 'texts'>,
  { task, tree, fileFacts }: After,
): Promise<IterationFacts['criteria']> {
  const paths = hasCriteria(task) ? await pathsIn(git, tree) : [];
  const texts = new Map<string, string>();
  const asked = new Set<string>();
  const read = (path: string) => {
    if (!texts.has(path)) asked.add(path);
    return texts.get(path) ?? null;
  };
  const decide = () => criteriaOf(task, { facts: fileFacts, paths, read });
  let criteria = decide();
  for (let round = 0; round < ROUNDS && asked.size > 0; round += 1) {
    const fresh = await git.texts(tree, (path) => asked.has(path), MAX_BYTES);
    asked.clear();
    if (fresh.length === 0) break;
    for (const { path, text } of fresh) texts.set(path, text);
    criteria = decide();
  }
  return criteria;
}
