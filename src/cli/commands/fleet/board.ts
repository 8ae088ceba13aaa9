import { fleetBoard } from '../../../app/commands/fleet/board.ts';
import type { Call } from '../../call.ts';
import { readyText } from '../report-page.ts';

/** `ralph fleet board`: until Ctrl-C. */
export async function run(call: Call, { port }: { readonly port: number }): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const onReady = (url: string) => process.stdout.write(readyText(call, url, 'see the queues'));
  const served = await fleetBoard({ ...call, port, stop: stop.signal, onReady });
  if (!served.ok) await call.print(served, () => '');
}
