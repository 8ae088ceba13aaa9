import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { boxOf } from 'ralph-box';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GateSpec } from '../../../src/domain/gate.ts';
import { gitCall } from '../../../src/git/call/environment.ts';
import { hookProblem } from '../../../src/git/view/hooks.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { boxAround, boxStatus, isWholeBox, listingBoxes } from '../../helpers/boxed.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close();
});

/** Servers in a visible folder, which the box covers; one of them ends each time that bubblewrap starts. */
async function endingServers(number: number) {
  const folder = temporaryFolder();
  const bin = join(homedir(), '.local', 'bin');
  mkdirSync(bin, { recursive: true });
  for (let at = 0; at < number; at += 1) {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(join(bin, `${at}.sock`), resolve));
  }
  const [program, starts] = [join(folder, 'bwrap'), join(folder, 'starts')];
  const real = boxStatus.kind === 'on' ? boxStatus.program : '';
  const lines = [`echo >> '${starts}'`, `for one in '${bin}'/*.sock; do rm -f "$one"; break; done`];
  writeFileSync(program, ['#!/bin/sh', ...lines, `exec '${real}' "$@"`, ''].join('\n'));
  chmodSync(program, 0o755);
  return {
    ...{ folder, box: boxAround(folder, { program }) },
    starts: () => readFileSync(starts, 'utf8').length,
  };
}

const GATE: GateSpec = {
  ...{ name: 'check', run: 'echo ran >> ran; echo out', timeoutMs: 60_000, onMissing: 'fail' },
  ...{ paths: null, required: false, box: true, heldOut: null, parses: [] },
};

describe.skipIf(!isWholeBox)('a box whose covered sockets go while it is made', () => {
  it.each([
    ['once', 1, 2],
    ['twice', 2, 3],
  ])('is made again for a gate, which runs once: %s', async (_name, number, starts) => {
    const { folder, box, starts: made } = await endingServers(number);
    const proc = openProc({ clock: systemClock(), env: process.env, box });
    const log = join(folder, 'gate.log');
    const run = await proc.runGate(GATE, { cwd: folder, copy: null }, log, manualStop());
    expect(run.outcome).toEqual({ kind: 'passed' });
    expect(made()).toBe(starts);
    expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('ran\n');
    expect(readFileSync(log, 'utf8')).toBe('out\n');
  });

  it('is given up when it never can be made, with what bubblewrap said', async () => {
    const { folder, box, starts: made } = await endingServers(5);
    const proc = openProc({ clock: systemClock(), env: process.env, box });
    const log = join(folder, 'gate.log');
    const run = await proc.runGate(GATE, { cwd: folder, copy: null }, log, manualStop());
    expect(run.outcome).toMatchObject({ kind: 'failed', exitCode: 1 });
    expect(made()).toBe(3);
    expect(run.outputTail).toMatch(/^bwrap: Can't .*\n?$/);
  });

  it('is made again for a hook', async () => {
    const { folder, box, starts: made } = await endingServers(1);
    const place = { cwd: folder, env: process.env, visible: [], home: null, agent: '' };
    const opened = boxOf(box, { role: 'git', ...place });
    const call = gitCall({ kind: 'question', folder });
    const given = { call, env: {}, input: '' };
    expect(await hookProblem(opened, ['/bin/sh', '-c', 'echo ran >> ran'], given)).toBeNull();
    opened.close();
    expect(made()).toBe(2);
    expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('ran\n');
  });

  it('is made once for a hook that runs, whatever that says', async () => {
    const { folder, box, starts: made } = await endingServers(0);
    const opened = boxOf(box, {
      role: 'git',
      ...{ cwd: folder, env: process.env, visible: [], home: null, agent: '' },
    });
    const given = { call: gitCall({ kind: 'question', folder }), env: {}, input: '' };
    const says = ['/bin/sh', '-c', 'echo "bwrap: my own" >&2; exit 1'];
    expect(await hookProblem(opened, says, given)).toBe('ended with 1: bwrap: my own');
    opened.close();
    expect(made()).toBe(1);
  });
});

describe.skipIf(!isWholeBox)('[box] network with a list', () => {
  it.each(['full', 'files'] as const)('works with each kind of supervision (%s)', async (level) => {
    for (const name of ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'])
      for (const one of [name, name.toUpperCase()]) vi.stubEnv(one, undefined);
    const host = createHttp((_request, response) => response.end('LISTED'));
    servers.push(host);
    host.listen({ port: 0, host: '127.0.0.1' });
    await once(host, 'listening');
    const { port } = host.address() as AddressInfo;
    const run = `curl -sS http://localhost:${port}/ && curl -s http://b.example/ >&2; [ $? = 0 ]`;
    for (const supervision of ['auto', 'group-scan'] as const) {
      const { box, root, refused } = listingBoxes({ network: [`localhost:${port}`] }, process.env, level);
      const proc = openProc({ clock: systemClock(), env: process.env, root, supervision, box });
      const log = join(temporaryFolder(), 'gate.log');
      const gate = { ...GATE, run };
      const { outcome, printed } = await proc.runGate(gate, { cwd: root, copy: null }, log, manualStop());
      expect([outcome, printed.text]).toEqual([
        { kind: 'passed' },
        "LISTEDralph: b.example:80 isn't listed in [box] network.",
      ]);
      expect(refused.map(({ entry }) => entry)).toEqual(['b.example']);
    }
  });
});
