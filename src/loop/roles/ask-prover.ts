import { counted } from 'ralph-kit/counted';
import { onOneLine } from 'ralph-kit/text';
import { runsOf } from '../../domain/command-runs.ts';
import { checkName, type ProverCheck, type ProverFacts, type TriedCheck } from '../../domain/prover.ts';
import { type Tested, testedBase } from '../../lab/index.ts';
import { droppedBecause, problemOf, proverPrompt, readChecks } from '../../proof/shown/index.ts';
import type { LoopContext, RoleAgent } from '../context.ts';
import { runCheck } from '../proof/run-check.ts';
import { pathsIn } from '../proof/tree-files.ts';
import type { StartedIteration } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import { runRole } from './run-role.ts';

/** Number of runs before the work in which a check has to fail. */
const TRIALS = 2;

/**
 * Asks the prover for checks, and tries each on the attempt's base. Returns `null` if no checks are wanted, or you
 * stopped the run.
 */
export async function askProver(
  context: LoopContext,
  chosen: Chosen,
  started: StartedIteration,
): Promise<ProverFacts['wrote']> {
  const { ports, prover } = context;
  const base = ports.work.base();
  if (prover === null || base === null || !isWanted(context, started)) return null;
  const { task } = started.facts;
  ports.store.commit([{ type: 'roles_started', phase: 'plan', roles: [proverLabel(prover)] }]);
  const run = await runRole(context, chosen, started, {
    number: 1,
    role: 'prover',
    phase: 'plan',
    agent: prover,
    replaced: false,
    adversarial: false,
    read: readChecks,
    tree: base.tree,
    prompt: (nonce) => proverPrompt(task, nonce ?? ''),
  });
  if (ports.stop.polite.aborted) return null;
  const last = run.turns.at(-1);
  const read = last === undefined || last.trouble !== null ? null : readChecks(last);
  const checks = read?.ok === true ? read.answer : [];
  const tested = testedBase(base, started.folder);
  const known = { task, paths: await pathsIn(ports.git, base.tree) };
  const tried: TriedCheck[] = [];
  const began = ports.clock.monotonicMs();
  for (const [at, check] of checks.entries()) {
    const isOver = ports.clock.monotonicMs() - began > context.config.proof.max_time * 1000;
    const problem = isOver ? 'no time was left to try it' : problemOf(check, known);
    tried.push(await tryCheck(context, { at, check, problem }, tested));
  }
  const commandRuns = context.lab.runsFor(started.folder);
  const kept = tried.filter(
    (one, at) => droppedBecause(one, runsOf({ commandRuns }, 'prover-before', checkName(at)), task) === null,
  ).length;
  const trouble = last?.trouble ?? (read?.ok === false ? read.problem : null);
  if (trouble !== null)
    ports.store.commit([
      {
        type: 'warned',
        message: `The prover (${prover.adapter.name}) wrote no checks of ${task.id}: ${onOneLine(trouble)}. The run continues without.`,
      },
    ]);
  const outcome = trouble === null ? `${kept} of ${counted(tried.length, 'check')} kept` : 'failed';
  ports.store.commit([{ type: 'roles_finished', role: null, results: [{ role: 'prover', outcome }] }]);
  return { run, document: `${started.path}/iteration.json`, tried };
}

/**
 * Returns whether checks are wanted: only for the first attempt at a task, if it has no checks of its own and no
 * held-out gate checks it.
 */
function isWanted({ config, gates }: LoopContext, { facts, ledger }: StartedIteration): boolean {
  const { task, taskState, attempt } = facts;
  const isMissing = task.checks.length === 0 && gates.every(({ heldOut }) => heldOut === null);
  return (
    config.proof.mode === 'on' &&
    taskState.prover === null &&
    attempt === 1 &&
    isMissing &&
    ledger.spentBecause() === null
  );
}

export function proverLabel({ adapter }: RoleAgent): string {
  return `prover (${adapter.name})`;
}

async function tryCheck(
  context: LoopContext,
  {
    at,
    check,
    problem,
  }: { readonly at: number; readonly check: ProverCheck; readonly problem: string | null },
  tested: Tested,
): Promise<TriedCheck> {
  const touched = new Set<string>();
  for (let trial = 0; problem === null && trial < TRIALS && !context.ports.stop.polite.aborted; trial += 1) {
    const { ran, touched: paths } = await runCheck(context, { at, check, why: 'prover-before' }, tested);
    for (const path of paths) touched.add(path);
    // The check will be dropped, so it needn't run again.
    if (ran?.outcome.kind !== 'failed' || touched.size > 0) break;
  }
  return { check, touched: [...touched], problem };
}
