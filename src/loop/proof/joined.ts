import type { CommandRun, Purpose } from '../../domain/command-run.ts';
import { clashesIn, failsAlso } from '../../domain/command-runs.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { Conflict, IterationFacts } from '../../domain/records/iteration.ts';
import { ask, type Tested, testedBase } from '../../lab/index.ts';
import type { JudgeContext } from '../context.ts';
import { lockAnew } from './lock-anew.ts';
import { redSince, stillRedOn } from './red-line.ts';

export function isGreen(results: readonly CommandRun[], gate: string): boolean {
  return results.find(({ name }) => name === gate)?.outcome.kind === 'passed';
}

type JoinedWork =
  | { readonly kind: 'same'; readonly tested: Tested }
  /** The work was joined with what landed meanwhile; `tasks` are the ids of the tasks which that is from. */
  | { readonly kind: 'joined'; readonly tested: Tested; readonly tasks: readonly string[] }
  | { readonly kind: 'conflict'; readonly conflict: Conflict };

export async function joinedWithLine(context: JudgeContext, alone: Tested): Promise<JoinedWork> {
  const { base, tree, head, folder } = alone;
  const joined = await context.ports.line.join({ parent: base.commit, tree });
  if (joined === null || joined.line.commit === base.commit) return { kind: 'same', tested: alone };
  const { line, paths, taskIds } = joined;
  if (joined.tree === null)
    return { kind: 'conflict', conflict: { tasks: [...taskIds], paths: [...paths], locks: [] } };
  const { commit, branch } = line;
  const { taskId } = base;
  const tested = { tree: joined.tree, base: { commit, tree: line.tree, branch, taskId }, head, folder };
  if (joined.locks.length === 0) return { kind: 'joined', tested, tasks: taskIds };
  const locked = await lockAnew(
    context,
    tested,
    joined.locks.map(({ path }) => path),
  );
  if (locked.kind === 'made')
    return { kind: 'joined', tested: { ...tested, tree: locked.tree }, tasks: taskIds };
  const { path, reason } = locked;
  const tasks = joined.locks.find((one) => one.path === path)?.taskIds ?? [];
  const conflict = { tasks: [...tasks], paths: [path], locks: [{ path, reason }] };
  return { kind: 'conflict', conflict };
}

type JoinedFailure = Extract<JoinedWork, { kind: 'joined' }> & {
  readonly alone: Tested;
  readonly red: readonly GateSpec[];
};

/**
 * Finds out whose fault a failure of joined work is. A gate that fails on the work alone is the task's fault; one that
 * fails without the work is the line's; one that passes in a third run is flaky; any other shows a conflict that no
 * merge reports. Only the task's own fault counts.
 */
export async function attributeFailure(
  context: JudgeContext,
  results: readonly CommandRun[],
  { tested, alone, red, tasks }: JoinedFailure,
): Promise<Pick<IterationFacts, 'conflict' | 'redSince'>> {
  if (red.length === 0 || context.ports.stop.polite.aborted) return { conflict: null, redSince: null };
  const { base, folder } = tested;
  const line = testedBase(base, folder);
  const run = async (which: readonly GateSpec[], at: Tested, why: Purpose) =>
    which.length === 0 ? [] : (await ask(context, which, at, { why })).results;
  const own = await run(red, alone, 'alone');
  const innocent = red.filter(({ name }) => isGreen(own, name));
  const others = red.filter(({ name }) => !isGreen(own, name));
  await run(others, testedBase(alone.base, folder), 'since-when');
  const without = await run(innocent, line, 'since-when');
  const named = (runs: readonly CommandRun[], gate: string) => runs.find(({ name }) => name === gate);
  await run(
    innocent.filter(({ name }) => !failsAlso(named(results, name), named(without, name))),
    tested,
    'joined',
  );
  const isClash = clashesIn({ commandRuns: context.lab.runsFor(folder) }).length > 0;
  const stillRed = await stillRedOn(context, line, innocent, without);
  return {
    conflict: isClash ? { tasks: [...tasks], paths: [], locks: [] } : null,
    redSince: await redSince(context, line, alone.base.commit, { specs: innocent, red: stillRed }),
  };
}
