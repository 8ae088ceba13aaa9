import { notReproduced } from '../../decide/index.ts';
import { gatesOn } from '../../domain/command-runs.ts';
import { isOfAgentsCopy } from '../../domain/gate-baseline.ts';
import { ask } from '../../lab/index.ts';
import type { LoopContext } from '../context.ts';
import { runHeldOut } from './run-held-out.ts';

type Asking = Pick<LoopContext, 'ports' | 'config' | 'gates' | 'root' | 'secrets' | 'lab'>;

/**
 * Returns whether the gates pass on a tree. Gates that this run already ran on the same tree aren't run again, unless
 * one failed.
 */
export async function gatesPass(
  context: Asking,
  { tree, commit: landing }: { readonly tree: string; readonly commit: string },
  folder: string,
): Promise<boolean> {
  const { ports, gates, lab, config } = context;
  const { line, store, work } = ports;
  if (gates.length === 0) return true;
  const known = gatesOn(lab.runsOn(await work.keyOf(tree)));
  const isKnown = gates.every((gate) => known.some(({ name }) => name === gate.name));
  const isBelieved = config.loop.completion === 'unchecked';
  if (isKnown && (isBelieved || notReproduced(known, store.state.baseline).length === 0)) return true;
  const now = await line.current();
  if (now === null) return false;
  const { commit, branch } = now;
  const base = { commit, tree: now.tree, branch, taskId: null };
  const tested = { tree, base, head: { commit: landing }, folder };
  const { baseline } = store.state;
  const open = gates.filter(({ name, heldOut }) => heldOut === null && !isOfAgentsCopy(baseline, name));
  store.commit([{ type: 'gates_started', gates: gates.map(({ name }) => name), baseline: false, one: null }]);
  const { results } = await ask(context, open, tested, { why: 'landing' });
  const all = [...results, ...(await runHeldOut(context, gates, tested, 'landing'))];
  return notReproduced(all, baseline).length === 0;
}
