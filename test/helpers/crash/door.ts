import { connect, createServer, type Socket } from 'node:net';

/**
 * State of a network. `shut`: connections are ended and new ones refused; `silent`: they are accepted, and no data
 * passes.
 */
type DoorState = 'open' | 'shut' | 'silent';

/** A way to a server on this machine that can be closed. */
export type Door = {
  readonly port: number;
  /** Sets the state. A connection that was silent stays so, as with a router that forgot it. */
  readonly set: (state: DoorState) => void;
  readonly close: () => void;
};

/** Opens a way to a server. @param to Port of the server on the loopback. */
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
    // Neither end of a silent connection is told.
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
