import { describe, expect, it } from 'vitest';
import type { ProcessRow } from './process-table.ts';
import { programTree, toolCpuMs } from './tracked-tree.ts';

/** Processor time is a power of two for each process, so that a sum says whose it is. */
function row(pid: number, parent: number, session: number, own = 0, children = 0): ProcessRow {
  const names = { group: pid, started: String(pid), zombie: false };
  return { ...names, pid, parent, session, cpuMs: { own, children } };
}

const [SHIM, LAUNCHER, NATIVE, SERVER, TOOL, CHILD, ORPHAN] = [10, 11, 12, 13, 14, 15, 16] as const;

/** An agent with a launcher below the supervisor, a server of tools, a command with its child, and an orphan of another. */
const TREE: readonly ProcessRow[] = [
  row(1, 0, 1, 1_000_000),
  row(SHIM, 1, SHIM, 500_000),
  row(LAUNCHER, SHIM, SHIM, 1, 2),
  row(NATIVE, LAUNCHER, SHIM, 4, 8),
  row(SERVER, NATIVE, SHIM, 16),
  row(TOOL, NATIVE, TOOL, 32, 64),
  row(CHILD, TOOL, TOOL, 128),
  row(ORPHAN, SHIM, ORPHAN, 256),
];

describe("the work of an agent's tools", () => {
  it('is what does not share its session, orphans included', () => {
    const tree = programTree(TREE, SHIM, 1);
    expect(tree.program?.pid).toBe(LAUNCHER);
    expect(toolCpuMs(tree, true)).toBe(32 + 64 + 128 + 256);
  });

  it('of an agent that starts no sessions is all but its own', () => {
    expect(toolCpuMs(programTree(TREE, SHIM, 1), false)).toBe(2 + 4 + 8 + 16 + 32 + 64 + 128 + 256);
  });

  it.each([
    ['directly', [row(20, 1, 20, 1), row(21, 20, 21, 2)], 0, 2],
    ['in a box of files', [row(20, 1, 20, 1), row(21, 20, 21, 2), row(22, 21, 22, 4)], 1, 4],
    ['in a box', [row(20, 1, 20, 1), row(21, 20, 21, 2), row(22, 21, 21, 4), row(23, 22, 23, 8)], 2, 8],
    [
      'in a box, with an orphan',
      [row(20, 1, 20), row(21, 20, 21), row(22, 21, 21, 4), row(29, 21, 29, 8)],
      2,
      8,
    ],
  ] as const)('is known when it was started %s', (_name, rows, launchers, expected) => {
    expect(toolCpuMs(programTree(rows, 20, launchers), true)).toBe(expected);
  });

  it('is nothing while the agent works alone', () => {
    const alone = TREE.filter(({ session }) => session === SHIM || session === 1);
    expect(toolCpuMs(programTree(alone, SHIM, 1), true)).toBe(0);
  });

  it('is not known where the system does not say', () => {
    const silent = TREE.map((each) => ({ ...each, cpuMs: null }));
    expect(toolCpuMs(programTree(silent, SHIM, 1), true)).toBeNull();
    expect(toolCpuMs(programTree(silent, SHIM, 1), false)).toBeNull();
  });
});
