import { isDeepStrictEqual } from 'node:util';
import type { GateResult, GateSources, GateSpec } from '../domain/gate.ts';
import { readResults } from '../results/index.ts';
import type { LoopContext } from './context.ts';
import { lookAtGates } from './look-at-gates.ts';

/**
 * Runs gates, one after the other or all at once (`[gates] parallel`); results in configured order.
 *
 * @param looks what the gates were seen to run; whenever a gate left it otherwise, that is added: what one gate runs may
 *   change what the next one runs.
 * @param log First part of the logs' names.
 */
export async function runGates(
  context: Pick<LoopContext, 'ports' | 'config' | 'root' | 'gates'>,
  specs: readonly GateSpec[],
  folder: string,
  looks: GateSources[],
  log = 'gate',
): Promise<GateResult[]> {
  const { ports, config, root } = context;
  const run = async (spec: GateSpec, index: number) => {
    const gate = spec.name;
    ports.emit({ kind: 'gate_started', gate, number: index + 1, of: specs.length });
    const { printed, written, ...ran } = await ports.proc.runGate(
      spec,
      root,
      `${folder}/${log}-${index + 1}.log`,
      ports.stop,
    );
    const result = { ...ran, results: readResults(spec.parses, { ...printed, files: written }) };
    ports.emit({ kind: 'gate_finished', gate });
    const look = lookAtGates(context);
    if (!isDeepStrictEqual(look, looks.at(-1))) looks.push(look);
    return result;
  };
  if (config.gates.parallel) return Promise.all(specs.map(run));
  const results: GateResult[] = [];
  for (const [index, spec] of specs.entries()) {
    if (ports.stop.polite.aborted) break;
    results.push(await run(spec, index));
  }
  return results;
}
