import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isWholeBox, listingBoxes } from '../../../../test/helpers/boxed.ts';
import { temporaryFolder } from '../../../../test/helpers/repository.ts';

const WAYS = join(import.meta.dirname, '../../test/ways-out.mjs');
const ends: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) end();
});
beforeEach(() => {
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'])
    for (const one of [name, name.toUpperCase()]) vi.stubEnv(one, undefined);
});

async function listening(
  server: Server,
  at: { port: number; host: string } | { path: string },
): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  server.listen(at);
  await once(server, 'listening');
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

const NO_CERTIFICATES = {
  NODE_EXTRA_CA_CERTS: undefined,
  SSL_CERT_FILE: undefined,
  CURL_CA_BUNDLE: undefined,
};
const LOOPBACK = { port: 0, host: '127.0.0.1' };
const NODE = JSON.stringify(process.execPath);

/** A host that isn't listed, on every address of this machine: which ways arrived. */
async function otherHost() {
  const arrived = new Set<number>();
  const hear = (bytes: Buffer) => {
    const [, path, name] = /\/(\d+) |way-(\d+)-end/.exec(bytes.toString('latin1')) ?? [];
    if ((path ?? name) !== undefined) arrived.add(Number(path ?? name));
  };
  const serve = (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      hear(bytes);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  };
  const port = await listening(createServer(serve), { port: 0, host: '::' });
  const abstract = `ralph-network-${process.pid}-${port}`;
  await listening(createServer(serve), { path: `\0${abstract}` });
  const datagrams = createSocket('udp6');
  ends.push(() => datagrams.close());
  datagrams.on('message', hear);
  datagrams.bind(port, '::');
  await once(datagrams, 'listening');
  return { port, abstract, arrived };
}

function addressOfMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.3';
}

/** Starts a listed host; the path `/to/N` redirects to another one. */
function listedHost(other: number) {
  return createHttp((request, response) => {
    const [, way] = /^\/to\/(\d+)$/.exec(request.url ?? '') ?? [];
    if (way === undefined) response.end('LISTED');
    else response.writeHead(302, { location: `http://127.0.0.1:${other}/${way}` }).end();
  });
}

describe.skipIf(!isWholeBox)('[box] network with a list', () => {
  it('keeps every way to another host shut, each of which is open without it', async () => {
    const { port, abstract, arrived } = await otherHost();
    const listed = await listening(listedHost(port), LOOPBACK);
    const places = { other: port, listed, abstract, address: addressOfMachine(), hostname: hostname() };
    const given = `'${JSON.stringify(places)}'`;
    const asked = spawnSync(process.execPath, [WAYS, JSON.stringify(places), 'names'], { encoding: 'utf8' });
    const names = JSON.parse(asked.stdout) as string[];
    expect(names.length).toBeGreaterThan(30);

    const open = await listingBoxes({ network: 'on' }).run('agent', `${NODE} ${WAYS} ${given}`);
    expect(open.output).toBe('');
    expect(names.filter((_name, way) => !arrived.has(way))).toEqual([]);

    arrived.clear();
    // The name leads to this machine, which its entry doesn't say.
    const shut = listingBoxes({ network: [`127.0.0.1:${listed}`, `${hostname()}:${port}`] });
    expect(await shut.run('agent', `${NODE} ${WAYS} ${given}`)).toEqual({ code: 0, output: '' });
    expect(names.filter((_name, way) => arrived.has(way))).toEqual([]);
    expect(shut.refused.map(({ entry }) => entry)).toContain(`127.0.0.1:${port}`);

    const off = listingBoxes({ network: 'off' });
    expect(await off.run('agent', `${NODE} ${WAYS} ${given}`)).toEqual({ code: 0, output: '' });
    expect(names.filter((_name, way) => arrived.has(way))).toEqual([]);
  });

  it('reaches what is listed: straight at its port, and by the proxy', async () => {
    const port = await listening(listedHost(0), LOOPBACK);
    const { run, refused } = listingBoxes({ network: [`localhost:${port}`] });
    const straight = await run('agent', `curl -sS http://localhost:${port}/`);
    expect(straight).toEqual({ code: 0, output: 'LISTED' });
    const proxied = await run('agent', `curl -sS --noproxy '' http://localhost:${port}/`);
    expect(proxied).toEqual({ code: 0, output: 'LISTED' });
    const tunnelled = await run('agent', `curl -sS --noproxy '' --proxytunnel http://localhost:${port}/`);
    expect(tunnelled).toEqual({ code: 0, output: 'LISTED' });
    expect(refused).toEqual([]);
  });

  it('says of what it refuses which host that is, once, and which setting lists hosts', async () => {
    const { run, refused } = listingBoxes({ network: ['a.example'], gate_network: ['b.example'] });
    const ask = 'curl -sS http://c.example/; curl -sS http://c.example/; curl -s https://c.example:8443/';
    const { code, output } = await run('agent', ask);
    expect([code, output]).toEqual([56, "ralph: c.example:80 isn't listed in [box] network.\n".repeat(2)]);
    await run('agent', 'curl -s http://c.example/');
    await run('gate', 'curl -s http://a.example/');
    expect(refused).toEqual([
      { setting: 'network', entry: 'c.example', role: 'agent' },
      { setting: 'network', entry: 'c.example:8443', role: 'agent' },
      { setting: 'gate_network', entry: 'a.example', role: 'gate' },
    ]);
  });

  it('a listed name that leads into a private network needs that address in the list', async () => {
    const port = await listening(listedHost(0), { port: 0, host: '::' });
    const name = `${hostname()}:${port}`;
    const { run, refused } = listingBoxes({ network: [name] });
    const { output } = await run('agent', `curl -sS http://${name}/`);
    expect(output).toMatch(
      /^ralph: .* leads to .*, which isn't public and isn't listed in \[box\] network\.\n$/,
    );
    const [address] = refused;
    const allowed = listingBoxes({ network: [name, address?.entry ?? ''] });
    expect(await allowed.run('agent', `curl -sS http://${name}/`)).toEqual({ code: 0, output: 'LISTED' });
  });

  it('is the same box otherwise: exit codes, signals, nothing of the channel, servers of its own', async () => {
    const { run } = listingBoxes({ network: ['a.example'] });
    expect(await run('gate', 'exit 7')).toEqual({ code: 7, output: '' });
    expect((await run('gate', 'kill -TERM $$')).code).toBe(143);
    const open = await run(
      'agent',
      'env | grep NODE_CHANNEL; for fd in 3 4 5; do [ -e /proc/self/fd/$fd ] && readlink /proc/self/fd/$fd; done; ps -e -o comm=',
    );
    expect(open.output).not.toMatch(/NODE_CHANNEL|socket:/);
    expect(open.output).not.toContain('node');
    const server =
      'require("http").createServer((q, a) => { a.end("own"); setImmediate(() => process.exit()); })';
    const own = await run(
      'agent',
      `${NODE} -e '${server}.listen(8765, () => console.log("up"))' | { read -r up; curl -sS http://127.0.0.1:8765/; }`,
    );
    expect(own).toEqual({ code: 0, output: 'own' });
  });

  it('gates have what gate_network says, else what agents have', async () => {
    const port = await listening(listedHost(0), LOOPBACK);
    const reached = async (settings: Parameters<typeof listingBoxes>[0], role: 'agent' | 'gate' | 'git') =>
      (await listingBoxes(settings).run(role, `curl -sS http://127.0.0.1:${port}/`)).code === 0;
    for (const role of ['gate', 'git'] as const) {
      expect(await reached({ network: 'off' }, role)).toBe(false);
      expect(await reached({ network: 'off', gate_network: 'on' }, role)).toBe(true);
      expect(await reached({ network: 'off', gate_network: [`127.0.0.1:${port}`] }, role)).toBe(true);
      expect(await reached({ gate_network: 'off' }, role)).toBe(false);
    }
    expect(await reached({ network: 'off', gate_network: 'on' }, 'agent')).toBe(false);
    expect(await reached({ gate_network: 'off' }, 'agent')).toBe(true);
  });

  it('goes through your own proxy, whose password stays outside', async () => {
    const seen: string[] = [];
    const origin = await listening(listedHost(0), LOOPBACK);
    const proxy = createHttp((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
      response.end('BY PROXY');
    });
    proxy.on('connect', (request, client, head) => {
      seen.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`);
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      const host = connect(origin, '127.0.0.1');
      host.on('error', () => client.destroy());
      client.on('error', () => host.destroy());
      host.write(head);
      host.pipe(client).pipe(host);
    });
    const port = await listening(proxy, LOOPBACK);
    const mine = `http://me:s%40cret@127.0.0.1:${port}`;
    for (const name of ['http_proxy', 'HTTPS_PROXY']) vi.stubEnv(name, mine);
    vi.stubEnv('NO_PROXY', '.inside.example');
    vi.stubEnv('npm_config_https_proxy', mine);
    const { run } = listingBoxes({ network: ['far.example', 'x.inside.example', `127.0.0.1:${origin}`] });
    const credentials = `Basic ${Buffer.from('me:s@cret').toString('base64')}`;
    for (const role of ['agent', 'gate', 'set-up'] as const) {
      expect(await run(role, 'curl -sS http://far.example/a?b')).toEqual({ code: 0, output: 'BY PROXY' });
      const tunnelled = await run(role, 'curl -sS --proxytunnel http://far.example/');
      expect(tunnelled).toEqual({ code: 0, output: 'LISTED' });
      expect(seen.splice(0)).toEqual([
        `GET http://far.example/a?b ${credentials}`,
        `CONNECT far.example:80 ${credentials}`,
      ]);
      expect((await run(role, 'env')).output).not.toMatch(/s%40cret|s@cret/);
      // Without the proxy the name isn't resolved.
      expect((await run(role, 'curl -sS http://x.inside.example/')).output).toContain("can't be reached");
      expect((await run(role, `curl -sS http://127.0.0.1:${origin}/`)).output).toBe('LISTED');
      expect(seen).toEqual([]);
    }
  });

  it('a private certificate authority works through it', async () => {
    const folder = temporaryFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const words = `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${cert} -days 2 -subj /CN=ca -addext subjectAltName=DNS:${hostname()}`;
    expect(spawnSync('openssl', words.split(' ')).status).toBe(0);
    const server = createHttps({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
      response.end('PRIVATE'),
    );
    const port = await listening(server, { port: 0, host: '::' });
    const url = `https://${hostname()}:${port}/`;
    const first = listingBoxes({ network: [`${hostname()}:${port}`] });
    await first.run('agent', `curl -s ${url}`);
    const network = [`${hostname()}:${port}`, first.refused[0]?.entry ?? ''];
    const script = join(folder, 'get.mjs');
    writeFileSync(
      script,
      `import http from 'node:http'; import tls from 'node:tls';
       const url = new URL(process.argv[2]); const proxy = new URL(process.env.HTTPS_PROXY);
       http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: url.host }).on('connect', (_a, socket) => {
         const secure = tls.connect({ socket, servername: url.hostname }, () => secure.write('GET / HTTP/1.0\\r\\n\\r\\n'));
         secure.on('error', () => process.exit(1));
         secure.pipe(process.stdout);
       }).end();`,
    );
    const settings = { network, writable: [folder] };
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert, SSL_CERT_FILE: cert, CURL_CA_BUNDLE: cert };
    const trusting = listingBoxes(settings, env);
    expect((await trusting.run('agent', `curl -sS ${url}`)).output).toBe('PRIVATE');
    expect((await trusting.run('agent', `${NODE} ${script} ${url}`)).output).toMatch(/PRIVATE$/);
    const verified = `openssl s_client -proxy 127.0.0.1:3128 -connect ${hostname()}:${port} -verify_return_error < /dev/null`;
    expect((await trusting.run('agent', verified)).code).toBe(0);
    const others = listingBoxes(settings, { ...env, ...NO_CERTIFICATES });
    expect((await others.run('agent', verified)).code).toBe(1);
    expect((await others.run('agent', `curl -sS ${url}`)).code).toBe(60);
    expect((await others.run('agent', `${NODE} ${script} ${url}`)).code).toBe(1);
  });
});
