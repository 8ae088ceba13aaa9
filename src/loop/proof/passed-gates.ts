import { gatesIn, type Runs } from '../../domain/command-runs.ts';
import type { GateResult, GateSpec } from '../../domain/gate.ts';

export type PassedGate = { readonly spec: GateSpec; readonly result: GateResult };

/** Returns the gates that passed in a clean copy. */
export function passedGates(specs: readonly GateSpec[], seen: Runs): PassedGate[] {
  return gatesIn(seen).flatMap((result) => {
    const spec = specs.find(({ name }) => name === result.name);
    const isShown = result.outcome.kind === 'passed' && result.place === 'clean';
    return spec === undefined || !isShown ? [] : [{ spec, result }];
  });
}
