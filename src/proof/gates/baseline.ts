import {
  type GateBaseline,
  type GateOutcome,
  type GateResult,
  type GateSources,
  type GateSpec,
  NOT_TRIED,
  type OffGate,
} from '../../domain/gate.ts';
import { own } from '../../lib/own.ts';
import { isFailing } from './aggregate-gates.ts';

/**
 * The gates to run before the first attempt: all, unless it is known how they stand on this tree.
 */
export function gatesForBaseline(
  previous: GateBaseline | null,
  tree: string,
  specs: readonly GateSpec[],
): readonly GateSpec[] {
  if (previous === null || previous.tree !== tree) return specs;
  return specs.every((spec) => describes(previous, spec)) ? [] : specs;
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
  /** What later readings of the gates' commands are compared with. */
  readonly sources: GateSources;
  /** What trying them showed; absent: as it was. */
  readonly tried?: Tried;
};

type Tried = Pick<GateBaseline, 'needs' | 'inAgentsCopy' | 'canaries' | 'builtAnew'>;

/**
 * The reference of the coming attempts: how the gates stand on a verified tree. A gate that did not come to run keeps
 * what was known of it; what is no longer configured, or has another command now, is forgotten.
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
    results: resultsOf(input),
    commands: Object.fromEntries(input.specs.map(({ name, run }) => [name, run])),
    sources: input.sources,
    ...triedOf(input),
  };
}

/** A gate with another command is another gate. */
function triedOf({ tried, previous, specs }: NextBaseline): Tried {
  const { needs, inAgentsCopy, canaries, builtAnew } = tried ?? previous ?? NOT_TRIED;
  const same = (name: string) =>
    specs.some((spec) => spec.name === name && (previous === null || sameCommand(previous, spec)));
  if (tried !== undefined) return { needs, inAgentsCopy, canaries, builtAnew };
  return {
    ...{ needs, builtAnew },
    inAgentsCopy: inAgentsCopy.filter(same),
    canaries: Object.fromEntries(Object.entries(canaries).filter(([name]) => same(name))),
  };
}

/** Of gates that passed over or couldn't run, what was known of them. */
function resultsOf({ previous, specs, fresh }: NextBaseline): GateBaseline['results'] {
  const entries = specs.flatMap((spec) => {
    const now = fresh.find(({ name }) => name === spec.name);
    const ran = now !== undefined && now.outcome.kind !== 'skipped' && now.outcome.kind !== 'tool_missing';
    const same = previous !== null && sameCommand(previous, spec);
    const results = ran ? now.results : same ? (own(previous.results, spec.name) ?? null) : null;
    return results === null ? [] : [[spec.name, results] as const];
  });
  return Object.fromEntries(entries);
}

function outcomeOf(spec: GateSpec, { previous, fresh }: NextBaseline): GateOutcome | undefined {
  const same = previous === null || sameCommand(previous, spec);
  const before = previous !== null && same ? own(previous.outcomes, spec.name) : undefined;
  const now = fresh.find(({ name }) => name === spec.name)?.outcome;
  if (now === undefined || now.kind === 'skipped') return before;
  if (now.kind === 'tool_missing') return before ?? now;
  return now;
}

/** The gates of a run, where each of them says nothing of the work; empty: one does, or there is none. */
export function uncheckedBy(
  baseline: Pick<GateBaseline, 'outcomes'> | null,
  specs: readonly GateSpec[],
): readonly OffGate[] {
  const off = specs.flatMap(({ name, required }): OffGate[] => {
    const kind = own(baseline?.outcomes ?? {}, name)?.kind ?? 'passed';
    // A required one fails the work, whatever it did before.
    if (required || kind === 'passed') return [];
    return [{ gate: name, why: kind === 'failed' || kind === 'timed_out' ? 'fails' : 'cannot_run' }];
  });
  return off.length === specs.length ? off : [];
}

function describes(baseline: GateBaseline, spec: GateSpec): boolean {
  return sameCommand(baseline, spec) && own(baseline.outcomes, spec.name) !== undefined;
}

/** Gates that passed when they were seen last, and fail now. */
export function nowRed(
  previous: GateBaseline | null,
  specs: readonly GateSpec[],
  now: readonly GateResult[],
): readonly GateSpec[] {
  return specs.filter((spec) => {
    if (previous === null || !sameCommand(previous, spec)) return false;
    const outcome = now.find(({ name }) => name === spec.name)?.outcome;
    return own(previous.outcomes, spec.name)?.kind === 'passed' && isFailing(outcome);
  });
}

/** A gate that isn't on record is new, not changed. */
function sameCommand({ commands }: GateBaseline, { name, run }: GateSpec): boolean {
  return (own(commands, name) ?? run) === run;
}
