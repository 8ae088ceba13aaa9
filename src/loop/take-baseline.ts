import { isDeepStrictEqual } from 'node:util';
import { gateChanges, nextSources } from '../decide/index.ts';
import type { GateBaseline, GateResult, GateSources } from '../domain/gate.ts';
import { blindedText, missingTools, needsBaseline, nextBaseline, openingFor } from '../gates/index.ts';
import type { LoopContext } from './context.ts';
import { lookAtGates } from './look-at-gates.ts';
import { runGates } from './run-gates.ts';

/** How the gates stand before the first attempt; the message says which tool is missing where that forbids a run. */
export async function takeBaseline(context: LoopContext): Promise<string | null> {
  const { ports, gates, run } = context;
  const { store, git, emit, clock } = ports;
  if (gates.length === 0) return null;
  const { tree } = await git.snapshot();
  const previous = store.state.baseline;
  const looks = [lookAtGates(context)];
  if (previous !== null && !needsBaseline(previous, tree, gates).needed) {
    const sources = sourcesToGoBy(context, previous, looks);
    if (!isDeepStrictEqual(sources, previous.sources))
      store.commit(() => [{ type: 'baseline_taken', baseline: { ...previous, sources } }]);
    return null;
  }
  emit({ kind: 'baseline_started', gates: gates.map(({ name }) => name) });
  const fresh = await runGates(context, gates, store.iterationFolder(run, 0), looks);
  if (ports.stop.polite.aborted) return null;
  emit({ kind: 'baseline_finished', results: fresh });
  const blinded = await blindedGates(context, fresh);
  if (blinded.length > 0) return blinded.join('\n');
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
    sources: sourcesToGoBy(context, previous, looks),
  });
  store.commit(() => [{ type: 'baseline_taken', baseline }]);
  return null;
}

/**
 * Gates that fail for the box alone. Those that fail in it run once more outside, as long as no agent has worked here yet:
 * later they would run its code.
 */
async function blindedGates(context: LoopContext, fresh: readonly GateResult[]): Promise<string[]> {
  const { ports, gates, run, home } = context;
  if (!ports.proc.isBoxed || ports.store.state.counters.iteration > 0) return [];
  const red = fresh.filter(({ outcome: { kind } }) => kind === 'failed' || kind === 'tool_missing');
  const names = new Set(red.map(({ name }) => name));
  const outside = gates
    .filter(({ box, name }) => box && names.has(name))
    .map((spec) => ({ ...spec, box: false }));
  if (outside.length === 0) return [];
  const again = await runGates(context, outside, ports.store.iterationFolder(run, 0), []);
  return again.flatMap(({ name, outcome }) => {
    if (outcome.kind !== 'passed') return [];
    const output = red.find((one) => one.name === name)?.outputTail ?? '';
    return [blindedText(name, openingFor(output, home ?? '/'))];
  });
}

/** What the gates' commands ran before the run; what an unfinished attempt left in the place of that isn't it. */
function sourcesToGoBy(
  { ports: { store, emit }, gates }: LoopContext,
  previous: GateBaseline | null,
  looks: readonly GateSources[],
): GateSources {
  const now = looks.at(-1) ?? {};
  const unfinished = Object.values(store.state.tasks).some(({ attempts }) => attempts.length > 0);
  const sources = nextSources(previous, gates, now, !unfinished);
  for (const { gate, path, hollow } of gateChanges([now, now], sources)) {
    emit({
      kind: 'warning',
      message: `Gate "${gate}" can't be passed: ${path} ${hollow}. Restore it, or change the gate's command in .ralph/ralph.toml if that is what you want.`,
    });
  }
  return sources;
}
