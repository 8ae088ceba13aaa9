// Tries to reach a host in many ways from inside a box: node ways-out.mjs '{"other": PORT, …}'. Each way carries its
// number, so that the host knows which ones arrived. Without a proxy in the environment, requests to the proxy go
// directly to the host.
import dgram from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import net from 'node:net';

const { other, listed, abstract, address, hostname } = JSON.parse(process.argv[2]);
const LIMIT_MS = 2000;
const proxy = process.env.HTTP_PROXY === undefined ? null : new URL(process.env.HTTP_PROXY);

/** Sends bytes and resolves with the answer. */
function talk(where, ...messages) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(where);
    let received = '';
    const ended = () => resolve(received);
    socket.setTimeout(LIMIT_MS, () => socket.destroy());
    socket.on('error', reject);
    socket.on('close', ended);
    const next = () => (messages.length > 0 ? socket.write(messages.shift()) : undefined);
    socket.on('connect', next);
    socket.on('data', (bytes) => {
      received += bytes;
      next() ?? (received.includes('\r\n\r\n') && socket.end());
    });
  });
}

/** Returns host and port; the host is without brackets, and without a dot at its end. */
const at = (host, port) => ({ host: host.replace(/^\[|\]$|\.$/g, ''), port: Number(port) });
const get = (id, host) => `GET /${id} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

/** Connects directly, without the proxy. */
const direct = (host, port) => (id) => talk(at(host, port), get(id, 'x'));

/** Connects through a tunnel of the proxy. */
const tunnelled = (host, port) => async (id) => {
  const authority = `${host}:${port}`;
  if (proxy === null)
    return talk(at(new URL(`http://${authority}`).hostname, Number(port)), get(id, authority));
  return talk(
    at(proxy.hostname, proxy.port),
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`,
    get(id, 'x'),
  );
};

/** Sends a plain request whose target and `Host` header differ. */
const plain = (target, host) => async (id) => {
  const url = new URL(`${target}/${id}`);
  const request = (line) => `GET ${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  if (proxy === null) return talk(at(url.hostname, url.port), request(`${url.pathname}`));
  return talk(at(proxy.hostname, proxy.port), request(`${target}/${id}`));
};

/** Sends the forbidden request as the second one of a connection whose first one is allowed. */
const second = async (id) => {
  const here = `127.0.0.1:${listed}`;
  const there = `127.0.0.1:${other}`;
  if (proxy === null) return talk(at('127.0.0.1', other), get(id, there));
  const first = `GET http://${here}/ HTTP/1.1\r\nHost: ${here}\r\n\r\n`;
  return talk(
    at(proxy.hostname, proxy.port),
    first,
    `GET http://${there}/${id} HTTP/1.1\r\nHost: ${there}\r\n\r\n`,
  );
};

/** Sends a body that contains another request, with a method that usually has no body. */
const smuggled = async (id) => {
  const there = `127.0.0.1:${other}`;
  const inner = get(id, there);
  if (proxy === null) return talk(at('127.0.0.1', other), inner);
  const here = `127.0.0.1:${listed}`;
  const body = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
  return talk(
    at(proxy.hostname, proxy.port),
    `GET http://${here}/ HTTP/1.1\r\nHost: ${there}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
  );
};

/** Follows a redirection of a listed host to another one. */
const redirected = async (id) => {
  const answer = await talk(at('127.0.0.1', listed), get(`to/${id}`, `127.0.0.1:${listed}`));
  const [, target = ''] = /^location: (http:\/\/[^/]+)/im.exec(answer) ?? [];
  return plain(target, new URL(target).host)(id);
};

/** Uses a proxy that the agent itself names. */
const ownProxy = (id) =>
  new Promise((resolve, reject) => {
    const asked = http.request({
      host: '127.0.0.1',
      port: other,
      path: `http://any.test/${id}`,
      timeout: LIMIT_MS,
    });
    asked.on('response', (answer) => answer.resume().on('end', resolve));
    asked.on('timeout', () => asked.destroy(new Error('late')));
    asked.on('error', reject);
    asked.end();
  });

const datagram = (type, host) => (id) =>
  new Promise((resolve, reject) => {
    const socket = dgram.createSocket(type);
    socket.on('error', reject);
    socket.send(`/${id} `, other, host, (error) => {
      socket.close();
      if (error) reject(error);
      else resolve();
    });
  });

/** Sends data in a name that is looked up by DNS. */
const looked = async (id) => {
  const resolver = new Resolver({ timeout: LIMIT_MS / 4, tries: 1 });
  resolver.setServers([`127.0.0.1:${other}`]);
  await resolver.resolve4(`way-${id}-end.example`);
};
/** Looks a name up by DNS over TCP, where two bytes of length precede the question. */
const lookedByTcp = (id) => {
  const name = Buffer.from(`/${id} `);
  return talk(at('127.0.0.1', other), Buffer.concat([Buffer.from([0, name.length]), name]));
};

const WAYS = {
  'straight to 127.0.0.1': direct('127.0.0.1', other),
  'straight to another address of loopback': direct('127.0.0.2', other),
  'straight to localhost': direct('localhost', other),
  'straight to ::1': direct('::1', other),
  'straight to an IPv4-mapped address': direct('::ffff:127.0.0.1', other),
  'straight to 0.0.0.0': direct('0.0.0.0', other),
  'straight to the machine by its address': direct(address, other),
  'straight to the machine by its name': direct(hostname, other),
  'a tunnel to 127.0.0.1': tunnelled('127.0.0.1', other),
  'a tunnel to localhost': tunnelled('localhost', other),
  'a tunnel in capitals': tunnelled('LOCALHOST', other),
  'a tunnel with a dot at the end': tunnelled('localhost.', other),
  'a tunnel to ::1': tunnelled('[::1]', other),
  'a tunnel to ::1 in full': tunnelled('[0:0:0:0:0:0:0:1]', other),
  'a tunnel to an IPv4-mapped address': tunnelled('[::ffff:127.0.0.1]', other),
  'a tunnel to a decimal address': tunnelled('2130706433', other),
  'a tunnel to an octal address': tunnelled('0177.0.0.1', other),
  'a tunnel to a hexadecimal address': tunnelled('0x7f.0.0.1', other),
  'a tunnel to a short address': tunnelled('127.1', other),
  'a tunnel to 0': tunnelled('0', other),
  'a tunnel to a port with zeros in front': tunnelled('127.0.0.1', `0${other}`.slice(0, 6)),
  'a tunnel to the machine by its address': tunnelled(address, other),
  'a tunnel to a listed name that leads here': tunnelled(hostname, other),
  'a tunnel with a user in front': tunnelled(`127.0.0.1:${listed}@127.0.0.1`, other),
  'a plain request': plain(`http://127.0.0.1:${other}`, `127.0.0.1:${other}`),
  'a plain request with a listed Host': plain(`http://127.0.0.1:${other}`, `127.0.0.1:${listed}`),
  'a plain request with a user in front': plain(`http://127.0.0.1:${listed}@127.0.0.1:${other}`, 'x'),
  'a plain request in capitals': plain(`HTTP://LOCALHOST:${other}`, 'x'),
  'a plain request to a listed name that leads here': plain(`http://${hostname}:${other}`, 'x'),
  'the second request of a connection': second,
  'a request within a body': smuggled,
  'a redirection': redirected,
  'a proxy of its own': ownProxy,
  UDP: datagram('udp4', '127.0.0.1'),
  'UDP over IPv6': datagram('udp6', '::1'),
  'a look-up of a name': looked,
  'a look-up of a name by TCP': lookedByTcp,
  'an abstract socket': (id) => talk({ path: `\0${abstract}` }, get(id, 'x')),
};

if (process.argv[3] === 'names') process.stdout.write(JSON.stringify(Object.keys(WAYS)));
else await Promise.all(Object.values(WAYS).map((way, id) => way(id).catch(() => null)));
process.exit(0);
