import { resolveGate } from '../decide/index.ts';
import type { GateSources } from '../domain/gate.ts';
import type { LoopContext } from './context.ts';

/** What the commands of the gates run, as it lies on the disk now. */
export function lookAtGates({
  ports,
  root,
  gates,
}: Pick<LoopContext, 'ports' | 'root' | 'gates'>): GateSources {
  return Object.fromEntries(gates.map(({ name, run }) => [name, resolveGate(run, root, ports.gateFiles)]));
}
