import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration } from 'ralph-kit/duration';
import {
  commandOf,
  descendants,
  type ProcessRow,
  readProcessTable,
  treeCpuMs,
} from 'ralph-kit/programs/table/process-table';
import { runningMs } from 'ralph-kit/programs/table/signals';
import { isStopping } from '../../io/stop-signal.ts';

/** Time that git and its children may use no processor time, in milliseconds. */
export const STALL_LIMITS = {
  pollMs: 3000,
  /** Limit while signing: only a missing PIN or touch takes so long. */
  signingMs: 30_000,
  /** Limit for hooks and remotes, which may wait for others. */
  otherMs: 45_000,
  /** Limit once you asked the run to stop. */
  stoppingMs: 2000,
};

/** Resolves with what waited and how long, or `null` at the program's end. Needs the system's processor times. */
export async function detectStall(
  pid: number,
  ended: AbortSignal,
  patience = STALL_LIMITS,
): Promise<string | null> {
  let before = '';
  let since = runningMs();
  for (;;) {
    await sleep(patience.pollMs, null, { signal: ended }).catch(() => null);
    if (ended.aborted) return null;
    const rows = treeOf(pid, readProcessTable());
    const now = progressOf(rows);
    if (now === null || now !== before) {
      before = now ?? '';
      since = runningMs();
      continue;
    }
    const { what, isSigning } = waitingIn(rows);
    const limit = isSigning ? patience.signingMs : patience.otherMs;
    const idle = runningMs() - since;
    if (idle >= (isStopping() ? patience.stoppingMs : limit))
      return `was stopped: ${what} waited ${formatDuration(Math.round(idle / 1000) * 1000)}${isSigning ? ' for a PIN or a touch' : ' and did nothing'}`;
  }
}

function treeOf(root: number, table: readonly ProcessRow[]): readonly ProcessRow[] {
  return [...table.filter(({ pid }) => pid === root), ...descendants(table, root)];
}

/** Returns a text that stays equal while no process works, starts or ends; `null` when unknown. */
function progressOf(rows: readonly ProcessRow[]): string | null {
  const cpuMs = treeCpuMs(rows);
  return cpuMs === null ? null : `${cpuMs} ${rows.map(({ pid }) => pid).join(' ')}`;
}

const HOOK =
  /\/(?:pre-commit|prepare-commit-msg|commit-msg|post-commit|pre-push|reference-transaction|post-index-change|post-rewrite|pre-auto-gc)$/;

function waitingIn(rows: readonly ProcessRow[]): { readonly what: string; readonly isSigning: boolean } {
  const commands = rows.map(({ pid }) => commandOf(pid).split(' '));
  // Git calls gpg (or its replacement) and ssh-keygen with these options.
  const isSigning = commands.some((words) => words.includes('-bsau') || words.join(' ').includes('-Y sign'));
  if (isSigning) return { what: 'signing', isSigning };
  const hook = commands.flat().find((word) => HOOK.test(word));
  if (hook !== undefined) return { what: `the ${hook.slice(hook.lastIndexOf('/') + 1)} hook`, isSigning };
  const [last = ''] = commands.at(-1) ?? [];
  return { what: last === '' ? 'git' : last.slice(last.lastIndexOf('/') + 1), isSigning };
}
