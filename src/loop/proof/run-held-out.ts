import { isBelow } from 'ralph-kit/paths';
import type { CommandRun, Purpose } from '../../domain/command-run.ts';
import type { GateSpec } from '../../domain/gate.ts';
import { ask, type GatePlace, type Needs, needsOf, type Tested } from '../../lab/index.ts';

export async function runHeldOut(
  context: GatePlace,
  specs: readonly GateSpec[],
  tested: Tested,
  why: Purpose,
  found?: Needs,
): Promise<CommandRun[]> {
  const { ports } = context;
  const needs = needsOf(context, found);
  const runs: CommandRun[] = [];
  for (const spec of specs) {
    if (spec.heldOut === null) continue;
    if (ports.stop.polite.aborted) break;
    const keep = [...needs.keep, ...withoutBox(context, spec.heldOut)];
    runs.push(...(await ask(context, [spec], tested, { why, needs: { ...needs, keep } })).results);
  }
  return runs;
}

/** Returns the held-out path for the gate's copy, if there is no box to show it at the path of the checkout. */
function withoutBox({ ports, root }: GatePlace, path: string): string[] {
  return ports.proc.isBoxed || !isBelow(path, root) ? [] : [path.slice(root.length + 1)];
}
