import { gatesToProve, notReproduced } from '../../decide/index.ts';
import type { GateSpec } from '../../domain/gate.ts';
import { taskStateOf, workplaceStateOf } from '../../domain/records/state.ts';
import { nextBaseline } from '../../gates/index.ts';
import { firstFew, onOneLine, quotedNames } from '../../lib/text.ts';
import type { LoopContext } from '../context.ts';
import { runGates } from '../run-gates.ts';

/** How long each command of `[loop] after_set_aside` may take. */
const REPAIR_MS = 30 * 60_000;
/** Paths that a message names. */
const NAMED = 5;

/** What the series had changed whose work is out of the tree now. */
type Ended = { readonly taskId: string; readonly work: readonly string[]; readonly folder: string };

/**
 * Runs gates on the work tree that a series left, with its work taken out. Where they don't come out as on the verified
 * tree, `[loop] after_set_aside` may put that right. What fails then may be yours, or the environment is another one.
 *
 * @returns why the run can't continue; `null`: it can.
 */
export async function proveTree(
  context: LoopContext,
  { taskId, work, folder }: Ended,
): Promise<string | null> {
  const { ports, gates, workplace, config } = context;
  const { store, git, emit, clock } = ports;
  const { state } = store;
  const yours = workplaceStateOf(state, workplace).verified?.yours ?? [];
  const { attempts } = taskStateOf(state, taskId);
  const specs = gatesToProve(gates, { attempts, work, yours });
  if (specs.length === 0) return null;
  emit({ kind: 'baseline_started', gates: specs.map(({ name }) => name), without: taskId });
  let results = await runGates(context, specs, folder, [], 'returned');
  const reference = state.baseline;
  const failing = () => notReproduced(results, reference);
  const repairs = failing().length > 0 ? config.loop.after_set_aside : [];
  if (repairs.length > 0) {
    await runGates(context, repairs.map(repairOf), folder, [], 'repair');
    results = await runGates(context, specs, folder, [], 'returned');
  }
  if (ports.stop.polite.aborted) return null;
  const red = failing();
  const { tree } = await git.snapshot();
  if (red.length === 0) {
    if (specs.length === gates.length) store.commit(() => [{ type: 'tree_verified', ...workplace, tree }]);
    return null;
  }
  const names = quotedNames(red);
  if (yours.length > 0) {
    emit({
      kind: 'warning',
      message: `Gate ${names} fails without the work at ${taskId}, too. It may be yours: you changed ${firstFew(yours.map(onOneLine), NAMED)} since it passed. From now on it counts as failing before.`,
    });
    const sources = reference?.sources ?? {};
    const next = { previous: reference, specs: gates, fresh: results, tree, at: clock.now(), sources };
    store.commit(() => [
      { type: 'baseline_taken', baseline: nextBaseline(next) },
      { type: 'tree_verified', ...workplace, tree },
    ]);
    return null;
  }
  return environmentChanged(context, names, taskId);
}

/** A command as a gate of its own: it is supervised and stopped as those are. */
function repairOf(run: string): GateSpec {
  return {
    ...{ name: run, run, timeoutMs: REPAIR_MS, onMissing: 'warn', paths: null },
    ...{ required: false, box: true, parses: [] },
  };
}

async function environmentChanged(
  { ports, config }: LoopContext,
  names: string,
  taskId: string,
): Promise<string> {
  const since = taskStateOf(ports.store.state, taskId).attempts[0]?.startedAt ?? '';
  const folders = await ports.git.ignoredSince(since);
  const changed =
    folders.length === 0
      ? ''
      : ` These ignored files and folders changed since: ${firstFew(folders.map(onOneLine), NAMED)}.`;
  const hint =
    config.loop.after_set_aside.length > 0
      ? 'Put that right by hand, then run again.'
      : 'Put that right, then run again; [loop] after_set_aside = ["npm ci"] (or what fits) does that automatically.';
  return `The environment changed: the work at ${taskId} is out of the tree, and gate ${names} still fails, which passed on it before.${changed} ${hint}`;
}
