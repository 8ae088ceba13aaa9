import type { GateResult, GateSpec } from '../domain/gate.ts';
import { heldOutLog } from '../domain/records/iteration-path.ts';
import { isBelow } from '../lib/paths.ts';
import { type Needs, needsOf, runOnTree, type Tested } from './clean-copy.ts';
import type { GatePlace } from './run-gates.ts';

/**
 * Runs the held-out ones among these gates, each in a clean copy that nothing else is run in. Of what they print, their logs alone
 * keep something: in the results are counts, and no words.
 */
export async function runHeldOut(
  context: GatePlace,
  specs: readonly GateSpec[],
  tested: Tested,
  found?: Needs,
): Promise<GateResult[]> {
  const { ports } = context;
  const needs = needsOf(context, found);
  const results: GateResult[] = [];
  for (const spec of specs) {
    if (spec.heldOut === null) continue;
    if (ports.stop.polite.aborted) break;
    const keep = [...needs.keep, ...withoutBox(context, spec.heldOut)];
    const log = heldOutLog(spec.name);
    const ran = await runOnTree(context, [spec], tested, { log, needs: { ...needs, keep } });
    results.push(...ran.results.map(withoutWords));
  }
  return results;
}

/** Where no box shows the checkout's, the gate finds it in its copy. */
function withoutBox({ ports, root }: GatePlace, path: string): string[] {
  return ports.proc.isBoxed || !isBelow(path, root) ? [] : [path.slice(root.length + 1)];
}

function withoutWords(result: GateResult): GateResult {
  const { results } = result;
  const counts =
    results === null
      ? null
      : { ...results, failing: [], passing: null, notLoaded: results.notLoaded && [], places: [] };
  return { ...result, outputTail: '', results: counts };
}
