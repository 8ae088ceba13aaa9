import type { ProcessRow, ProgramTree } from './process-table.ts';
import { descendants, treeCpuMs } from './process-table.ts';

/**
 * Finds the program in a table of processes: below `launchers` processes, the oldest child of each. What came later is
 * an orphan that a launcher has taken over.
 *
 * @param root the first launcher, or the program itself where there is none.
 */
export function programTree(rows: readonly ProcessRow[], root: number, launchers: number): ProgramTree {
  const ours = new Set<number>();
  let program = rows.find((row) => row.pid === root) ?? null;
  for (let depth = 0; depth < launchers && program !== null; depth += 1) {
    ours.add(program.pid);
    program = oldestChild(rows, program.pid);
  }
  const others = descendants(rows, root).filter((row) => row !== program && !ours.has(row.pid));
  return { program, others };
}

function oldestChild(rows: readonly ProcessRow[], parent: number): ProcessRow | null {
  const children = rows.filter((row) => row.parent === parent);
  return children.sort((a, b) => Number(a.started) - Number(b.started) || a.pid - b.pid)[0] ?? null;
}

/** Processor time of a program and all that it started, in milliseconds; `null` where the system does not say. */
export function wholeCpuMs({ program, others }: ProgramTree): number | null {
  return treeCpuMs(program === null ? others : [program, ...others]);
}

/**
 * Processor time of what an agent's tools run, in milliseconds; `null` where the system does not say. The agent's own
 * isn't work: it redraws, polls and reconnects while it waits for its model.
 *
 * @param toolSessions whether the agent starts each command in a session of its own, so that what shares its session is
 * the agent (its launcher's child, helpers, servers of tools). Else the program alone is the agent.
 */
export function toolCpuMs({ program, others }: ProgramTree, toolSessions: boolean): number | null {
  if (!toolSessions) {
    const work = treeCpuMs(others);
    // What the program has waited for were commands.
    return work === null || program?.cpuMs === null ? null : work + (program?.cpuMs.children ?? 0);
  }
  return treeCpuMs(others.filter(({ session }) => program === null || session !== program.session));
}
