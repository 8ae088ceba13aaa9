import { gatesIn } from '../../domain/command-runs.ts';
import type { GateResult, GateSpec } from '../../domain/gate.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { isOfCleanCopy } from '../../proof/shown/index.ts';

/** A gate that passed on what would land. */
export type PassedGate = { readonly spec: GateSpec; readonly result: GateResult };

/** The gates among these that passed in a clean copy. */
export function passedGates(
  specs: readonly GateSpec[],
  seen: Pick<IterationFacts, 'commandRuns' | 'baseline' | 'passedElsewhere'>,
): PassedGate[] {
  return gatesIn(seen).flatMap((result) => {
    const spec = specs.find(({ name }) => name === result.name);
    const isShown = result.outcome.kind === 'passed' && isOfCleanCopy(seen, result.name);
    return spec === undefined || !isShown ? [] : [{ spec, result }];
  });
}
