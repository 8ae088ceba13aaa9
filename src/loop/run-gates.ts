import type { GateResult, GateSpec } from '../domain/gate.ts';
import type { LoopContext } from './context.ts';

/** Runs gates, one after the other or all at once (`[gates] parallel`); results in configured order. */
export async function runGates(
  context: Pick<LoopContext, 'ports' | 'config' | 'root'>,
  specs: readonly GateSpec[],
  folder: string,
): Promise<GateResult[]> {
  const { ports, config, root } = context;
  const run = (spec: GateSpec, index: number) =>
    ports.proc.runGate(spec, root, `${folder}/gate-${index + 1}.log`, ports.stop);
  if (config.gates.parallel) return Promise.all(specs.map(run));
  const results: GateResult[] = [];
  for (const [index, spec] of specs.entries()) {
    if (ports.stop.polite.aborted) break;
    results.push(await run(spec, index));
  }
  return results;
}
