import type { Ancestor, LiveRun } from '../../domain/ports.ts';

/**
 * Whether a command comes from what a ralph of this repository started (an agent, a gate, a git hook, a handler)
 * rather than from you; with the run that it belongs to, if that is still active. `null`: it is yours. `isSure`: else it only has
 * nothing of yours above it.
 *
 * Marks and parents can be shaken off, but a process that gives up its parent is adopted. So who has neither must have
 * a process of yours above it: a terminal, a server, a shell that was there before the run. Where nothing is known
 * of any process (no `/proc`), everything counts as yours.
 */
export function startedInside(
  chain: readonly Ancestor[],
  runs: readonly LiveRun[],
): { readonly run: LiveRun | null; readonly isSure: boolean } | null {
  const pids = new Set(chain.map(({ pid }) => pid));
  const above = runs.find(({ pid }) => pids.has(pid));
  if (above !== undefined) return { run: above, isSure: true };
  if (chain.some(({ marked }) => marked)) return { run: runs[0] ?? null, isSure: true };
  const unknown = runs.find((run) => !hasVoucher(chain, run));
  return unknown === undefined ? null : { run: unknown, isSure: false };
}

function hasVoucher(chain: readonly Ancestor[], { startedAt }: LiveRun): boolean {
  const [own, last] = [chain[0], chain.at(-1)];
  if (own === undefined || last === undefined) return true;
  // `docker exec` and the like come from outside of this world of processes, where no agent is.
  if (last.parent === 0 && last.pid !== 1) return true;
  return chain.some(
    (one) =>
      one.startedAt < startedAt &&
      // A shell that is the first process of a container: its own session can't be joined from another.
      (!one.adopts || (one.session !== 0 && one.session === own.session)),
  );
}
