import { connect, createServer, type Socket } from 'node:net';

/** How a network lets through: `shut` ends connections and refuses new ones; `silent` takes them, and passes nothing. */
type DoorState = 'open' | 'shut' | 'silent';

/** A way to a server on this machine that can be shut. */
export type Door = {
  readonly port: number;
  /** A connection that was silent stays so for ever, as with a router that forgot it. */
  readonly set: (state: DoorState) => void;
  readonly close: () => void;
};

/** @param to The port of the server, on the loopback. */
export function openDoor(to: number): Promise<Door> {
  let state: DoorState = 'open';
  const pairs = new Set<readonly [Socket, Socket | null]>();
  const end = ([one, other]: readonly [Socket, Socket | null]) => {
    one.destroy();
    other?.destroy();
  };
  const server = createServer((from) => {
    from.on('error', () => undefined);
    if (state === 'shut') return from.destroy();
    const on = state === 'silent' ? null : connect(to, '127.0.0.1');
    const pair = [from, on] as const;
    pairs.add(pair);
    const over = () => {
      end(pair);
      pairs.delete(pair);
    };
    from.once('close', over);
    if (on === null) return from.pause();
    on.on('error', () => undefined).once('close', over);
    from.pipe(on).pipe(from);
    return undefined;
  });
  const set: Door['set'] = (next) => {
    state = next;
    if (next === 'shut') for (const pair of pairs) end(pair);
    if (next !== 'silent') return;
    // Nothing tells either end.
    for (const pair of pairs) for (const socket of pair) socket?.unpipe().pause();
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no port'));
      resolve({
        port: address.port,
        set,
        close: () => {
          server.close();
          set('shut');
        },
      });
    });
  });
}
