import type { Command } from 'commander';
import { actionOf, type Call, portNumber } from '../../call.ts';
import { readyText } from '../../ready-text.ts';

export function define(fleet: Command): void {
  fleet
    .command('board')
    .option('--port <port>', 'by default one that is free', portNumber, 0)
    .summary('Serve a page that shows the queues')
    .description('serve the queues of the engine on a page of this machine, read-only, until Ctrl-C')
    .action(actionOf(run, false));
}

/** Serves the board until Ctrl-C. */
export async function run(call: Call, { port }: { readonly port: number }): Promise<void> {
  const { fleetBoard } = await import('../../../app/commands/fleet/board.ts');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const onReady = (url: string) => process.stdout.write(readyText(call, url, 'see the queues'));
  const served = await fleetBoard({ ...call, port, stop: stop.signal, onReady });
  if (!served.ok) await call.print(served, () => '');
}
