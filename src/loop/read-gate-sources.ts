import { resolveGate } from '../decide/index.ts';
import type { GateSources } from '../domain/gate.ts';
import { topIn } from '../lab/index.ts';
import type { LoopContext } from './context.ts';

export function readGateSources(context: Pick<LoopContext, 'ports' | 'root' | 'gates'>): GateSources {
  const { ports, gates } = context;
  const top = topIn(context, ports.work.mounted);
  return Object.fromEntries(gates.map(({ name, run }) => [name, resolveGate(run, top, ports.gateFiles)]));
}
