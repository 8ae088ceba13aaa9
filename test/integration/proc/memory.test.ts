/** @module-tag slow */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { agentRequest } from '../../helpers/adversaries/trial.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

/** What the processes of the tests share: files that stand for messages, in the folder they run in. */
const WAIT = `
const { existsSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const when = (name, then) => {
  const timer = setInterval(() => {
    if (!existsSync(name)) return;
    clearInterval(timer);
    then();
  }, 5);
};
`;

/** Allocates and touches 200 MiB as soon as `go` is there, says so, and ends with `release`. */
const ALLOCATOR = `${WAIT}
when('go', () => {
  const held = Buffer.alloc(200 * 1024 * 1024, 1);
  writeFileSync('allocated', String(process.pid));
  when('release', () => process.exit(held[0] - 1));
});
`;

/** The same in a grandchild with a session of its own; the processes between hold nothing. */
const STARTER = `${WAIT}
const own = process.argv[2] === 'below';
const next = own ? ['allocator.cjs'] : ['starter.cjs', 'below'];
spawn(process.execPath, next, { detached: own, stdio: 'ignore' }).on('exit', (code) => process.exit(code));
`;

/** Holds 200 MiB and has four forks that share all of it. */
const FORKS = `
my $held = 'x' x (200 << 20);
for (1 .. 4) { last unless fork() }
open(my $f, '>', "ready-$$") or die;
close($f);
select(undef, undef, undef, 0.01) until -e 'release';
1 while wait() != -1;
`;

const release = (name: string) => writeFileSync(join(folder, name), '');
const isThere = (name: string) => existsSync(join(folder, name));

describe.each(['auto', 'group-scan'] as const)('memory under %s', (supervision) => {
  const proc = openProc({ clock: systemClock(), env: { PATH: process.env.PATH }, supervision });

  function run(argv: readonly [string, ...string[]], onMemory?: (mib: number) => void) {
    return proc.runAgent({
      ...agentRequest(folder, argv),
      limits: { wallMs: 60_000, idleMs: 0, graceMs: 1000 },
      stop: manualStop(),
      ...(onMemory === undefined ? {} : { onMemory }),
    });
  }

  it.each([
    ['the agent itself', ['allocator.cjs']],
    ['a grandchild with a session of its own', ['starter.cjs']],
  ])('is told of %s while it runs', async (_who, args) => {
    writeFileSync(join(folder, 'allocator.cjs'), ALLOCATOR);
    writeFileSync(join(folder, 'starter.cjs'), STARTER);
    const seen: { readonly mib: number; readonly allocated: boolean }[] = [];
    const { end } = await run([process.execPath, ...args], (mib) => {
      seen.push({ mib, allocated: isThere('allocated') });
      release('go');
      // One look that began after the allocation was over.
      if (seen.filter(({ allocated }) => allocated).length === 2) release('release');
    });
    expect(end).toEqual({ kind: 'exited', code: 0 });
    expect(seen[0]?.mib).toBeGreaterThan(1);
    expect(seen.at(-1)?.mib).toBeGreaterThan((seen[0]?.mib ?? 0) + 150);
    expect(seen.at(-1)?.mib).toBeLessThan((seen[0]?.mib ?? 0) + 400);
  });

  it.runIf(process.platform === 'linux')('counts what forks share once', async () => {
    writeFileSync(join(folder, 'forks.pl'), FORKS);
    let last = 0;
    let complete = 0;
    await run(['perl', 'forks.pl'], (mib) => {
      last = mib;
      if (readyForks() === 5) complete += 1;
      if (complete === 2) release('release');
    });
    expect(last).toBeGreaterThan(200);
    // Counted in each, it would be 1,000 at least.
    expect(last).toBeLessThan(600);
  });

  // A waiting shell takes half a MiB, the supervisor and a shell together over 2.
  it.runIf(process.platform === 'linux')('leaves the supervisor and ralph itself out', async () => {
    const seen: number[] = [];
    await run(['sh', '-c', 'until test -e release; do sleep 0.05; done'], (mib) => {
      seen.push(mib);
      release('release');
    });
    expect(seen[0]).toBeGreaterThan(0.1);
    expect(seen[0]).toBeLessThan(2);
  });

  it('that throws where it is told is a bug, and the agent is ended', async () => {
    const ended = run(['sh', '-c', 'sleep 60; touch outlived'], () => {
      throw new Error('a bug');
    });
    await expect(ended).rejects.toThrow('a bug');
    expect(isThere('outlived')).toBe(false);
  });
});

function readyForks(): number {
  return readdirSync(folder).filter((name) => name.startsWith('ready-')).length;
}
