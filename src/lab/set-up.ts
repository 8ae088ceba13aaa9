import type { GateSpec } from '../domain/gate.ts';
import type { TreeCopy } from '../domain/ports.ts';
import { isLockFile, setUpsFor, signInLine } from '../proof/gates/index.ts';
import { type GatePlace, type InCopy, start } from './start.ts';

/** Milliseconds that an installation may take. Most take less. */
const SET_UP_MS = 30 * 60_000;
/** Maximum number of bytes of lock files that are compared. */
export const LOCK_BYTES = 64_000_000;

type SetUpRun = Pick<InCopy, 'place' | 'commit' | 'tree' | 'folder'>;

/**
 * Runs the `[gates] setup` commands whose lock file differs from the installed one. If a command fails, which may have
 * removed packages, the copy gets those of your checkout again.
 */
export async function setUpCopy(
  context: GatePlace,
  { copy, renew }: { readonly copy: () => SetUp; readonly renew: () => Promise<unknown> },
  what: SetUpRun,
): Promise<void> {
  const failed = new Set<string>();
  for (;;) {
    const before = failed.size;
    await installIn(context, copy(), { ...what, failed });
    if (failed.size === before) return;
    await renew();
  }
}

type SetUp = Pick<TreeCopy, 'mounted' | 'installed'>;

async function installIn(
  context: GatePlace,
  { mounted, installed }: SetUp,
  { failed, ...what }: SetUpRun & { readonly failed: Set<string> },
): Promise<void> {
  const { ports, config } = context;
  const { git, store } = ports;
  const locks = await git.texts(what.tree, isLockFile, LOCK_BYTES);
  for (const { file, run } of setUpsFor(config.gates.setup, locks, installed.lockText)) {
    const place = { ...what, copy: mounted, why: 'set-up' as const };
    const [result] = failed.has(run) ? [] : await start(context, [specOf(run)], place);
    installed.note(file, locks.find(({ path }) => path === file)?.text ?? '');
    if (result === undefined || result.outcome.kind === 'passed') continue;
    failed.add(run);
    const lastLine = result.outputTail.trim().split('\n').at(-1) ?? '';
    const line = ports.proc.isBoxed ? signInLine(run, result.outputTail) : null;
    const help = line === null ? '[gates] setup names another command.' : `To let it sign in: ${line}.`;
    store.commit([
      {
        type: 'warned',
        message: `${file} changed, and "${run}" failed in the copy${lastLine === '' ? '' : `: ${lastLine}`}. Gates run with what your checkout has installed. ${help}`,
      },
    ]);
  }
}

/** Returns a command as a gate, so that it is supervised and stopped like gates. */
export function specOf(run: string): GateSpec {
  return {
    name: run,
    run,
    timeoutMs: SET_UP_MS,
    onMissing: 'warn',
    paths: null,
    required: false,
    box: true,
    parses: [],
    heldOut: null,
  };
}
