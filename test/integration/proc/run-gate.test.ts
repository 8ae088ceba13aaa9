import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { supervisionKind } from 'ralph-box/launch/launch-with-shim';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GateSpec } from '../../../src/domain/gate.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { carriersOf, uniqueToken, waitUntil } from '../../helpers/adversaries/token.ts';
import { manualStop, releasedClock, UNTIL_RELEASED_MS } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let folder = '';
let log = '';
beforeEach(() => {
  folder = temporaryFolder();
  log = join(folder, 'gate.log');
});

function gate(run: string, timeoutMs = 60_000, parses: string[] = []): GateSpec {
  return {
    name: 'check',
    run,
    timeoutMs,
    onMissing: 'fail',
    paths: null,
    required: false,
    box: true,
    heldOut: null,
    parses,
  };
}

/** A place to run a gate that isn't a copy of a work tree. */
const at = (cwd: string) => ({ cwd, copy: null });

describe.each(['auto', 'group-scan'] as const)('a gate under %s', (supervision) => {
  const env = { ...process.env, RALPH_RUN: 'r-1', OWN: 'own' };
  const proc = openProc({ clock: systemClock(), env, supervision });
  const run = (command: string) => proc.runGate(gate(command), at(folder), log, manualStop());

  it.each([
    ['true', { kind: 'passed' }],
    ['exit 2', { kind: 'failed', exitCode: 2, signal: null }],
    ['kill -SEGV $$', { kind: 'failed', exitCode: null, signal: 'SIGSEGV' }],
    ['no-such-tool --check', { kind: 'tool_missing', tool: 'no-such-tool' }],
    ['echo start && A=1 no-such-tool', { kind: 'tool_missing', tool: 'no-such-tool' }],
    ['./gate.log', { kind: 'tool_missing', tool: './gate.log' }],
    ['exit 127', { kind: 'tool_missing', tool: 'exit' }],
    ['test "$(cat)" = "" && echo "a b" | grep -q "a b" && [ "$OWN" = own ]', { kind: 'passed' }],
    ['test -z "$RALPH_RUN" && test "$(pwd -P)" = "$(dirname "$(readlink -f gate.log)")"', { kind: 'passed' }],
  ])('%s', async (command, outcome) => {
    expect(await run(command)).toMatchObject({ name: 'check', outcome });
  });

  it('keeps its whole output in the log and gives its end, cleaned', async () => {
    const result = await run(
      'perl -e \'$| = 1; print "line $_\\n" for 1 .. 5000; print STDERR "\\e[31mred\\e[0m \\xff\\n"\'; exit 1',
    );
    const whole = readFileSync(log);
    expect(whole.subarray(0, 14).toString()).toBe('line 1\nline 2\n');
    expect(whole.subarray(-13).toString('latin1')).toBe('\u001b[31mred\u001b[0m \u00ff\n'.slice(-13));
    expect(statSync(log).mode & 0o777).toBe(0o600);
    const lines = result.outputTail.split('\n');
    expect(result.outputTail.length).toBeLessThanOrEqual(8192);
    expect(lines).toContain('red \ufffd');
    expect(lines).toContain('line 5000');
    expect(lines[0]).toMatch(/^line \d{4}$|^red/);
  });

  it('is ended at its time limit with all its children', async () => {
    const clock = releasedClock();
    const token = uniqueToken();
    const command = `touch ready; sh -c 'sleep 60; :' ${token} & sleep 60; : ${token}`;
    const result = openProc({ clock, env: process.env, supervision }).runGate(
      gate(command, UNTIL_RELEASED_MS),
      at(folder),
      log,
      manualStop(),
    );
    await waitUntil(
      () => statSync(join(folder, 'ready'), { throwIfNoEntry: false }) !== undefined,
      'it runs',
    );
    clock.release();
    expect((await result).outcome).toMatchObject({ kind: 'timed_out' });
    expect(carriersOf(token)).toEqual([]);
  });

  it('does not wait for what it leaves behind', async () => {
    const token = uniqueToken();
    const result = await run(`sh -c 'sleep 60; :' ${token} & echo done`);
    expect(result).toMatchObject({ outcome: { kind: 'passed' }, outputTail: 'done' });
    expect(carriersOf(token)).toEqual([]);
  });

  it('is skipped when ralph is stopped, before or while it runs', async () => {
    const stop = manualStop();
    const running = proc.runGate(gate('touch ready; sleep 60'), at(folder), log, stop);
    await waitUntil(
      () => statSync(join(folder, 'ready'), { throwIfNoEntry: false }) !== undefined,
      'it runs',
    );
    stop.stop();
    const skipped = { kind: 'skipped', reason: expect.stringContaining('SIGINT') };
    expect((await running).outcome).toEqual(skipped);
    expect((await proc.runGate(gate('true'), at(folder), log, stop)).outcome).toEqual(skipped);
  });
});

describe('gates', () => {
  const proc = openProc({ clock: systemClock(), env: process.env });

  it('run at the same time', async () => {
    const meet = (own: string, other: string) =>
      proc.runGate(
        gate(`touch ${own}; until [ -e ${other} ]; do sleep 0.01; done`),
        at(folder),
        join(folder, `${own}.log`),
        manualStop(),
      );
    const results = await Promise.all([meet('a', 'b'), meet('b', 'a')]);
    expect(results.map((result) => result.outcome.kind)).toEqual(['passed', 'passed']);
  });

  it('without a place for the log do not run', async () => {
    const run = proc.runGate(gate('touch ran'), at(folder), join(folder, 'no', 'log'), manualStop());
    await expect(run).rejects.toThrow('ENOENT');
    expect(statSync(join(folder, 'ran'), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('supervisionKind', () => {
  it('finds the sub-reaper or says why not', () => {
    const { kind, detail } = supervisionKind();
    expect(['subreaper', 'group-scan']).toContain(kind);
    expect(detail).not.toBe('');
  });
});

describe('files that a gate writes', () => {
  const proc = openProc({ clock: systemClock(), env: process.env, supervision: 'auto' });
  const written = async (command: string, ...paths: string[]) => {
    const parses = paths.map((path) => `junit:${path}`);
    return (await proc.runGate(gate(command, 60_000, parses), at(folder), log, manualStop())).written;
  };

  it('are read where this run wrote them', async () => {
    writeFileSync(join(folder, 'old.xml'), 'old');
    const found = await written('mkdir -p out && echo new >out/a.xml', 'out/a.xml', 'old.xml', 'none.xml');
    expect(found).toEqual([{ path: 'out/a.xml', text: 'new\n' }]);
    expect(await written('echo again >old.xml', 'old.xml')).toEqual([{ path: 'old.xml', text: 'again\n' }]);
  });

  it('never wait, and never lead outwards', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'x.xml'), 'secret');
    const command = `mkfifo pipe.xml; mkdir folder.xml; ln -s '${outside}/x.xml' link.xml; ln -s '${outside}' out; head -c 9000000 /dev/zero >large.xml`;
    const paths = ['pipe.xml', 'folder.xml', 'link.xml', 'out/x.xml', 'large.xml'];
    expect(await written(command, ...paths)).toEqual([]);
  });
});
