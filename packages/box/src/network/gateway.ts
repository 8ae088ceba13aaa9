import { connect, Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { entryFor, type Host, type HostEntry, hostEntries, isLoopback } from '../protocol/hosts.ts';
import type { BoxChannel } from '../protocol/index.ts';
import { hostProxy } from './proxy.ts';

/** Connects a box without a network to listed hosts. */
export type Gateway = {
  /** Command put before the boxed program. Until the program starts, it uses a channel (`ipc`) to ralph. */
  readonly front: readonly string[];
  readonly env: Environment;
  readonly serve: (channel: BoxChannel) => void;
  /** Returns requested hosts that aren't listed, in the form for the setting. */
  readonly refused: () => readonly string[];
  readonly close: () => void;
};

/** Usual port of an HTTP proxy. It is free: nothing else runs in the box yet. */
const PORT = 3128;
/** Each connection takes two of ralph's file descriptors. */
const MAX_CONNECTIONS = 256;
/** An agent that tries more hosts adds no new information. */
const MOST_REFUSED = 20;

/**
 * Listens inside the box, hands the listening sockets to ralph and ends, so that ralph accepts the connections
 * outside. When an address doesn't exist (no IPv6), only its name is sent.
 */
const OPENER = `
process.on('message', () => process.exit(0));
for (const at of process.argv.slice(1)) {
  const [port, host] = at.split('@');
  const server = require('net').createServer();
  server.on('error', () => process.send(at));
  server.listen(Number(port), host, () => process.send(at, server));
}`;

/** Node names the channel's descriptor in a variable; the program gets neither. */
const FRONT = `
NODE_OPTIONS= "$1" -e "$2" $3 2>/dev/null || { echo "sh: the network of the box could not be made" >&2; exit 126; }
channel=$NODE_CHANNEL_FD
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
shift 3
eval "exec \\"\\$@\\" $channel>&-"`;

/**
 * Opens a gateway. Listed hosts of this machine (`localhost:5432`) are reachable at the same port in the box.
 * @param list Hosts of `[box] network`.
 * @param setting Key that has the list.
 */
export function openGateway(list: readonly string[], setting: string): Gateway {
  const entries = hostEntries(list);
  const sockets = new Set<Duplex>();
  const hold = (socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const refused = new Set<string>();
  const onRefused = (host: Host) => {
    if (refused.size < MOST_REFUSED) refused.add(entryFor(host));
  };
  const proxy = hostProxy({ entries, setting, onRefused }, hold);
  const places = new Map<string, (socket: Socket) => void>([
    [`${PORT}@127.0.0.1`, (socket) => void proxy.emit('connection', socket)],
    ...entries.flatMap((entry) => openedInBox(entry, hold)),
  ]);
  const servers: Server[] = [];
  const take = (server: Server, serve: (socket: Socket) => void) => {
    servers.push(server);
    server.maxConnections = MAX_CONNECTIONS;
    server.on('connection', (socket) => {
      hold(socket);
      serve(socket);
    });
  };
  return {
    front: ['/bin/sh', '-c', FRONT, 'sh', process.execPath, OPENER, [...places.keys()].join(' ')],
    env: proxyVariables(),
    serve: (channel) => {
      const waiting = new Set(places.keys());
      channel.on('message', (place: unknown, server: unknown) => {
        const serve = places.get(String(place));
        if (server instanceof Server && serve !== undefined) take(server, serve);
        waiting.delete(String(place));
        // The opener may have ended meanwhile, together with its box.
        if (waiting.size === 0 && channel.connected) channel.send('open', () => undefined);
      });
    },
    refused: () => [...refused],
    close: () => {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Programs use no proxy for this machine, so its listed ports are opened in the box. */
function openedInBox(
  { host, port }: HostEntry,
  hold: (socket: Duplex) => void,
): (readonly [string, (socket: Socket) => void])[] {
  if (!isLoopback(host) || port === null) return [];
  const name = host.replace(/^\[|\]$/g, '');
  const serve = (socket: Socket) => {
    const outside = connect({ host: name, port });
    hold(outside);
    for (const [one, other] of [
      [socket, outside],
      [outside, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  };
  const inside = /^[\d.]+$|:/.test(name) ? [name] : ['127.0.0.1', '::1'];
  return inside.map((address) => [`${port}@${address}`, serve]);
}

const PROXY = `http://127.0.0.1:${PORT}`;
const THIS_MACHINE = 'localhost,.localhost,127.0.0.1,::1';

function proxyVariables(): Environment {
  const both = (name: string, value: string) => [
    [name, value],
    [name.toUpperCase(), value],
  ];
  return Object.fromEntries([
    ...['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => both(name, PROXY)),
    ...both('no_proxy', THIS_MACHINE),
    // Node reads the proxy variables only when this one is set.
    ['NODE_USE_ENV_PROXY', '1'],
  ]);
}

/** Variables that name your proxy, which is unreachable from inside; they may contain your password. */
const NAMES_PROXY = /(?:^|_)(?:https?|all|ftp|socks|no)_?proxy$|^(?:npm_config|pip)_proxy$/i;

export function withoutProxies(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NAMES_PROXY.test(name)));
}
