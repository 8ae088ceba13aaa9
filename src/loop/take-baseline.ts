import { isDeepStrictEqual } from 'node:util';
import { gateChanges, nextSources, notReproduced } from '../decide/index.ts';
import { EXIT } from '../domain/exit.ts';
import type { GateBaseline, GateResult, GateSources } from '../domain/gate.ts';
import { hasEndedUndone, hasUnfinishedWork, type State } from '../domain/records/state.ts';
import {
  blindedText,
  gatesForBaseline,
  isFailing,
  missingTools,
  nextBaseline,
  openingFor,
} from '../gates/index.ts';
import { quotedNames } from '../lib/text.ts';
import type { LoopContext } from './context.ts';
import { changedBetween, putBackWork, rememberOutputs, uncommittedAt } from './iteration/put-back-work.ts';
import { lookAtGates } from './look-at-gates.ts';
import { runGates } from './run-gates.ts';

type Taken =
  | {
      readonly kind: 'taken';
      /** The tree that the gates were run on; `null` where there are none, or work that isn't verified is in it. */
      readonly verified: string | null;
    }
  /** Which tool is missing, where that forbids a run. */
  | { readonly kind: 'refused'; readonly message: string; readonly exitCode?: number };

/**
 * How the gates stand before the first attempt. Where work that isn't verified is in the tree, what is known of them
 * stays, so that it can't become what later work is compared with; of new gates only that they pass is believed then.
 */
export async function takeBaseline(context: LoopContext): Promise<Taken> {
  const { ports, gates, run, workplace } = context;
  const { store, git, emit, clock } = ports;
  if (gates.length === 0) return { kind: 'taken', verified: null };
  const before = await git.snapshot();
  const { tree } = before;
  const { state } = store;
  const previous = state.baseline;
  const unfinished = hasUnfinishedWork(state, workplace);
  const looks = [lookAtGates(context)];
  // Whose series ended, and is in the tree as you want it: what fails by it would be the next task's fault.
  const ended = endedIn(state.tasks);
  const wanted = gatesForBaseline(previous, tree, gates, unfinished && ended === null);
  const taken = (verified: string): Taken => ({ kind: 'taken', verified: unfinished ? null : verified });
  if (previous !== null && wanted.length === 0) {
    const sources = sourcesToGoBy(context, previous, looks, unfinished);
    if (!isDeepStrictEqual(sources, previous.sources))
      store.commit(() => [{ type: 'baseline_taken', baseline: { ...previous, sources } }]);
    return taken(tree);
  }
  emit({ kind: 'baseline_started', gates: wanted.map(({ name }) => name), without: null });
  const yours = await uncommittedAt(context, before, null, await git.staged(before.head));
  const fresh = await runGates(context, wanted, store.iterationFolder(run, 0), looks);
  if (ports.stop.polite.aborted) return { kind: 'taken', verified: null };
  emit({ kind: 'baseline_finished', results: fresh });
  const blinded = await blindedGates(context, fresh);
  if (blinded.length > 0) return { kind: 'refused', message: blinded.join('\n') };
  const missing = missingTools(fresh, gates);
  if (missing.fatal.length > 0) {
    const named = missing.fatal.map(({ gate, tool }) => `gate "${gate}" needs ${tool}, which was not found`);
    const message = `${named.join('; ')}. Install it, or set on_missing = "warn" or "skip" for that gate in .ralph/ralph.toml if it isn't required.`;
    return { kind: 'refused', message };
  }
  for (const { gate, tool } of missing.warnings) {
    emit({
      kind: 'warning',
      message: `Gate "${gate}" needs ${tool}, which wasn't found; the run continues without it.`,
    });
  }
  const red = ended === null ? [] : notReproduced(fresh, previous);
  if (red.length > 0) {
    const names = quotedNames(red);
    const message = `Gate ${names} fails by the work at ${ended}, which is in the tree. Fix that, or take it out: ralph checkpoints`;
    return { kind: 'refused', message, exitCode: EXIT.workLeft };
  }
  const now = await git.snapshot();
  const changed = await changedBetween(context, before, now);
  await rememberOutputs(context, before, now, yours.paths);
  const { now: after } = await putBackWork(context, { task: null, by: 'gates', yours, now, changed });
  const baseline = nextBaseline({
    previous,
    specs: gates,
    fresh: unfinished ? fresh.filter(({ outcome }) => !isFailing(outcome)) : fresh,
    tree: unfinished ? (previous?.tree ?? after.tree) : after.tree,
    at: clock.now(),
    sources: sourcesToGoBy(context, previous, looks, unfinished),
  });
  store.commit(() => [{ type: 'baseline_taken', baseline }]);
  return taken(after.tree);
}

/**
 * A task that waits or is blocked, and whose work is in the tree; `null`: there is none, or an open task's work is there, too:
 * what fails may be by that, and it comes next.
 */
function endedIn(tasks: State['tasks']): string | null {
  const inTree = Object.entries(tasks).filter(([, { series }]) => (series?.work ?? []).length > 0);
  return inTree.every(([, task]) => hasEndedUndone(task)) ? (inTree[0]?.[0] ?? null) : null;
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
  { ports: { emit }, gates }: LoopContext,
  previous: GateBaseline | null,
  looks: readonly GateSources[],
  unfinished: boolean,
): GateSources {
  const now = looks.at(-1) ?? {};
  const sources = nextSources(previous, gates, now, !unfinished);
  for (const { gate, path, hollow } of gateChanges([now, now], sources)) {
    emit({
      kind: 'warning',
      message: `Gate "${gate}" can't be passed: ${path} ${hollow}. Restore it, or change the gate's command in .ralph/ralph.toml if that is what you want.`,
    });
  }
  return sources;
}
