import type { GateBaseline, GateOutcome, GateResult, GateSources, GateSpec } from '../domain/gate.ts';
import type { TaskState } from '../domain/records/state.ts';
import { own } from '../lib/own.ts';
import { isFailing } from './aggregate-gates.ts';

type BaselineNeed = { readonly needed: false } | { readonly needed: true; readonly reason: string };

/**
 * Whether the gates must be run before the first attempt. `previous.tree` is the tree that ralph left behind: another
 * one means that something else changed the tree in between.
 */
export function needsBaseline(
  previous: GateBaseline | null,
  tree: string,
  specs: readonly GateSpec[],
): BaselineNeed {
  if (specs.length === 0) return { needed: false };
  if (previous === null) return { needed: true, reason: 'no baseline yet' };
  const changed = specs.filter((spec) => !describes(previous, spec)).map(({ name }) => name);
  if (changed.length > 0) return { needed: true, reason: `gates new or changed: ${changed.join(', ')}` };
  if (previous.tree !== tree) {
    return { needed: true, reason: 'the work tree changed since ralph last looked' };
  }
  return { needed: false };
}

type NextBaseline = {
  readonly previous: GateBaseline | null;
  readonly specs: readonly GateSpec[];
  /** Results of a baseline run, or of the gates after an attempt. */
  readonly fresh: readonly GateResult[];
  /** Tree id on which the fresh results hold. */
  readonly tree: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Gates that an attempt broke whose task continues; empty after a verified done or a block, and at a fresh start. */
  readonly heldPassed: readonly string[];
  /** What later readings of the gates' commands are compared with. */
  readonly sources: GateSources;
};

/**
 * The baseline of the coming attempts. A gate that an unfinished attempt broke stays `passed`, so that neither the
 * next attempt nor a new run is forgiven it. A gate that did not come to run keeps what was known of it; what is no
 * longer configured, or has another command now, is forgotten.
 */
export function nextBaseline(input: NextBaseline): GateBaseline {
  const outcomes = input.specs.flatMap((spec) => {
    const outcome = outcomeOf(spec, input);
    return outcome === undefined ? [] : [[spec.name, outcome] as const];
  });
  return {
    tree: input.tree,
    takenAt: input.at,
    outcomes: Object.fromEntries(outcomes),
    commands: Object.fromEntries(input.specs.map(({ name, run }) => [name, run])),
    sources: input.sources,
  };
}

/**
 * Gates that a task's own attempts broke, in this series or in the one before its last unblocking: they continue to
 * count against this task (as `required`), while another task is not blamed for them. Each once, sorted.
 */
export function heldGates({ attempts, history }: TaskState): readonly string[] {
  const earlier = history.at(-1)?.attempts ?? [];
  const names = [...earlier, ...attempts].flatMap(({ failedGates }) => failedGates);
  return [...new Set(names)].toSorted();
}

function outcomeOf(spec: GateSpec, { previous, fresh, heldPassed }: NextBaseline): GateOutcome | undefined {
  const same = previous === null || sameCommand(previous, spec);
  const before = previous !== null && same ? own(previous.outcomes, spec.name) : undefined;
  const now = fresh.find(({ name }) => name === spec.name)?.outcome;
  if (now === undefined || now.kind === 'skipped') return before;
  if (now.kind === 'tool_missing') return before ?? now;
  // What failed already before the unfinished attempt, or is another command by now, is not its fault.
  const held = same && heldPassed.includes(spec.name) && !isFailing(before);
  if (held && isFailing(now)) return { kind: 'passed' };
  return now;
}

function describes(baseline: GateBaseline, spec: GateSpec): boolean {
  return sameCommand(baseline, spec) && own(baseline.outcomes, spec.name) !== undefined;
}

/** A gate that isn't on record is new, not changed. */
function sameCommand({ commands }: GateBaseline, { name, run }: GateSpec): boolean {
  return (own(commands, name) ?? run) === run;
}
