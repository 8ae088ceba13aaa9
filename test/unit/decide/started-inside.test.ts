import { describe, expect, it } from 'vitest';
import { startedInside } from '../../../src/decide/index.ts';
import type { Ancestor } from '../../../src/domain/ports.ts';

const RUN = { pid: 500, startedAt: 5000, run: 'r-1' };

/** A chain from its names, the command first: each is a process that started at that moment. */
function chain(...given: (Partial<Ancestor> & { readonly pid: number })[]): Ancestor[] {
  return given.map((one, index) => ({
    parent: given[index + 1]?.pid ?? 0,
    startedAt: one.pid * 10,
    session: 0,
    adopts: one.pid === 1,
    marked: false,
    ...one,
  }));
}

const INIT = { pid: 1, startedAt: 1 };
const SHELL = { pid: 300, session: 300 };

describe('a command is yours', () => {
  it.each([
    ['without a run', chain({ pid: 900 }, INIT), []],
    ['from a shell that is older than the run', chain({ pid: 900 }, SHELL, INIT), [RUN]],
    [
      'from a shell of now below a server that is older',
      chain({ pid: 900 }, { pid: 890 }, { pid: 200 }, INIT),
      [RUN],
    ],
    [
      'from outside of this container',
      chain({ pid: 900, parent: 890 }, { pid: 890, parent: 0, startedAt: 8900 }),
      [RUN],
    ],
    [
      "in the session of a container's first shell",
      chain({ pid: 900, session: 1 }, { ...INIT, session: 1 }),
      [RUN],
    ],
    ['where nothing is known of processes', [], [RUN]],
  ])('%s', (_name, given, runs) => {
    expect(startedInside(given, runs)).toBeNull();
  });
});

describe('a command comes from inside', () => {
  it.each([
    [
      'below the run, however old what is above it',
      chain({ pid: 900 }, { pid: 800 }, { pid: 500 }, SHELL, INIT),
      true,
    ],
    [
      'with a mark above it, below a shell of yours',
      chain({ pid: 900 }, { pid: 890, marked: true }, SHELL),
      true,
    ],
    ['adopted by the first process', chain({ pid: 900 }, INIT), false],
    [
      'adopted by a service manager',
      chain({ pid: 900 }, { pid: 100, adopts: true, session: 100 }, INIT),
      false,
    ],
    [
      'in a session of its own, adopted by the first shell',
      chain({ pid: 900, session: 890 }, { ...INIT, session: 1 }),
      false,
    ],
    ['below nothing older than the run', chain({ pid: 900 }, { pid: 890 }, { pid: 501 }, INIT), false],
    ['adopted, sessions unknown', chain({ pid: 900, session: 0 }, { ...INIT, session: 0 }), false],
  ])('%s', (_name, given, isSure) => {
    expect(startedInside(given, [RUN])).toEqual({ run: RUN, isSure });
  });

  it('with the mark of a run that is gone', () => {
    expect(startedInside(chain({ pid: 900, marked: true }, SHELL, INIT), [])).toEqual({
      run: null,
      isSure: true,
    });
  });

  it('of one of two runs, also where the other would vouch', () => {
    const older = { pid: 200, startedAt: 2000, run: 'r-0' };
    expect(startedInside(chain({ pid: 900 }, SHELL, INIT), [RUN, older])).toEqual({
      run: older,
      isSure: false,
    });
  });
});
