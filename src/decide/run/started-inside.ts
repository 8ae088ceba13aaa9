import type { Ancestor, LiveRun } from '../../domain/ports.ts';

/**
 * Returns the run in which ralph started the caller of a command (an agent, a gate, a git hook, a handler); `null`: you
 * called it. An attempt can drop its environment marks and its parent process, but orphans are adopted by known
 * processes. So a command without mark and parent counts as yours only if a process of yours is above it: a terminal, a
 * server, or a shell older than the run. `isSure`: false if only the lack of such a process speaks against you. Where
 * processes can't be read (no `/proc`), every command counts as yours.
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
  // Commands by `docker exec` and similar programs come from outside of this PID namespace, where no agent is.
  if (last.parent === 0 && last.pid !== 1) return true;
  return chain.some(
    (one) =>
      one.startedAt < startedAt &&
      // The first process of a container may be a shell, but processes of other sessions can't join its session.
      (!one.adopts || (one.session !== 0 && one.session === own.session)),
  );
}
