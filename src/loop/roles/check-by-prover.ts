import { parseJson } from 'ralph-kit/parse-json';
import { sortByGates } from '../../domain/command-runs.ts';
import type { ProverCheck } from '../../domain/prover.ts';
import { type IterationFacts, IterationRecord } from '../../domain/records/iteration.ts';
import { REVIEW_DIFF_LIMIT } from '../../domain/workflow/roles.ts';
import type { Tested } from '../../lab/index.ts';
import { checksOf, readRulings, rulingPrompt, toRuleOn } from '../../proof/shown/index.ts';
import type { LoopContext } from '../context.ts';
import { runCheck } from '../proof/run-check.ts';
import type { StartedIteration } from '../start/begin.ts';
import type { Chosen } from '../start/chosen.ts';
import { proverLabel } from './ask-prover.ts';
import { runRole } from './run-role.ts';

type Ran = { readonly at: number; readonly check: ProverCheck; readonly output: string };

/** Runs the prover's checks on the work, and asks the prover about checks that failed twice. */
export async function checkByProver(
  context: LoopContext,
  chosen: Chosen,
  started: StartedIteration,
  facts: IterationFacts,
  tested: Tested | null,
): Promise<IterationFacts> {
  const { ports, prover } = context;
  const { proof, task } = facts;
  if (proof === null || tested === null) return facts;
  const ran = await runChecks(context, facts, tested);
  if (ran.length === 0) return facts;
  const commandRuns = sortByGates(context.gates, context.lab.runsFor(started.folder));
  const checked = { ...facts, commandRuns };
  const about = toRuleOn(checked);
  if (about.length === 0 || prover === null || ports.stop.polite.aborted) return checked;
  const failing = ran.filter(({ at }) => about.includes(at));
  const diff = await ports.git.patchBetween(tested.base.tree, tested.tree, REVIEW_DIFF_LIMIT);
  ports.store.commit([{ type: 'roles_started', phase: 'check', roles: [proverLabel(prover)] }]);
  const run = await runRole(context, chosen, started, {
    number: facts.prover?.wrote == null ? 1 : 2,
    role: 'prover',
    phase: 'check',
    agent: prover,
    replaced: false,
    adversarial: false,
    read: readRulings,
    tree: tested.tree,
    prompt: (nonce) => rulingPrompt(task, failing, { diff, nonce: nonce ?? '' }),
  });
  if (ports.stop.polite.aborted) return checked;
  ports.store.commit([
    { type: 'roles_finished', role: null, results: [{ role: 'prover', outcome: 'answered' }] },
  ]);
  return { ...checked, prover: { wrote: facts.prover?.wrote ?? null, ruled: { run, about } } };
}

/** Runs the checks. Their output is returned but never recorded. */
async function runChecks(context: LoopContext, facts: IterationFacts, tested: Tested): Promise<Ran[]> {
  const known = checksOf(facts);
  if (known === null || facts.taskState.decisions.approved.length > 0) return [];
  const all = facts.prover?.wrote?.tried ?? triedBefore(context, known.document);
  const ran: Ran[] = [];
  for (const { at, ruling } of known.checks) {
    const check = all[at]?.check;
    if (check === undefined || ruling?.keeps === false || context.ports.stop.polite.aborted) continue;
    const run = () => runCheck(context, { at, check, why: 'prover' }, tested);
    const first = await run();
    // A single failure may be by chance, so it doesn't count.
    const last = first.ran?.outcome.kind === 'failed' ? await run() : first;
    ran.push({ at, check, output: last.ran?.outputTail ?? '' });
  }
  return ran;
}

/** Returns the checks from the record of the iteration that wrote them; none if the record is gone. */
function triedBefore({ ports: { store } }: LoopContext, document: string) {
  return parseJson(store.readDocument(document), IterationRecord)?.facts.prover?.wrote?.tried ?? [];
}
