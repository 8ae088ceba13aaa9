import { missingTools, needsBaseline, nextBaseline } from '../gates/index.ts';
import type { LoopContext } from './context.ts';
import { runGates } from './run-gates.ts';

/** How the gates stand before the first attempt; the message says which tool is missing where that forbids a run. */
export async function takeBaseline(context: LoopContext): Promise<string | null> {
  const { ports, gates, run } = context;
  const { store, git, emit, clock } = ports;
  if (gates.length === 0) return null;
  const { tree } = await git.snapshot();
  const previous = store.state.baseline;
  if (!needsBaseline(previous, tree, gates).needed) return null;
  emit({ kind: 'baseline_started', gates: gates.map(({ name }) => name) });
  const fresh = await runGates(context, gates, store.iterationFolder(run, 0));
  if (ports.stop.polite.aborted) return null;
  emit({ kind: 'baseline_finished', results: fresh });
  const missing = missingTools(fresh, gates);
  if (missing.fatal.length > 0) {
    const named = missing.fatal.map(({ gate, tool }) => `gate "${gate}" needs ${tool}, which was not found`);
    return `${named.join('; ')}. Install it, or set on_missing = "warn" or "skip" for that gate in .ralph/ralph.toml if it isn't required.`;
  }
  for (const { gate, tool } of missing.warnings) {
    emit({
      kind: 'warning',
      message: `Gate "${gate}" needs ${tool}, which wasn't found; the run continues without it.`,
    });
  }
  const after = await git.snapshot();
  const baseline = nextBaseline({
    previous,
    specs: gates,
    fresh,
    tree: after.tree,
    at: clock.now(),
    heldPassed: [],
  });
  store.commit(() => [{ type: 'baseline_taken', baseline }]);
  return null;
}
