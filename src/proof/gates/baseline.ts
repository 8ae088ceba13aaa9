import type { CommandRun } from '../../domain/command-run.ts';
import { type GateResult, type GateSources, type GateSpec, isRed, type OffGate } from '../../domain/gate.ts';
import { type GateBaseline, NOT_TRIED, runBefore, runsBefore } from '../../domain/gate-baseline.ts';
import { own } from '../../lib/own.ts';

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
  /** The runs to keep: those of a new baseline, or of the gates that a finished task ran. */
  readonly fresh: readonly CommandRun[];
  /** Tree id on which the fresh results hold. */
  readonly tree: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** What later readings of the gates' commands are compared with. */
  readonly sources: GateSources;
  /** What trying them showed, with the runs that a failing test failed among the fresh ones; absent: as it was. */
  readonly tried?: Pick<GateBaseline, 'needs' | 'builtAnew'>;
};

/**
 * The reference of the coming attempts: how the gates stand on a verified tree. A gate that did not come to run keeps
 * what was known of it; what is no longer configured, or has another command now, is forgotten.
 */
export function nextBaseline({
  previous,
  specs,
  fresh,
  tree,
  at,
  sources,
  tried,
}: NextBaseline): GateBaseline {
  const runs = specs.flatMap((spec) => {
    const same = previous !== null && sameCommand(previous, spec);
    const named = (all: readonly CommandRun[]) => all.filter(({ name }) => name === spec.name);
    const [known, now] = [named(same ? previous.runs : []), named(fresh)];
    const canaries = (tried === undefined ? known : now).filter(({ why }) => why === 'canary');
    return [...lastOf(now, known), ...canaries];
  });
  const { needs, builtAnew } = tried ?? previous ?? NOT_TRIED;
  return {
    ...{ tree, takenAt: at, runs: runs.map((run) => ({ ...run, outputTail: '' })) },
    commands: Object.fromEntries(specs.map(({ name, run }) => [name, run])),
    ...{ sources, needs, builtAnew },
  };
}

/** The run of a gate that says how it stands, as a list of one or none. */
function lastOf(now: CommandRun[], known: CommandRun[]): CommandRun[] {
  const [run, before] = [runsBefore({ runs: now })[0], runsBefore({ runs: known })[0]];
  const isMissing = run?.outcome.kind === 'tool_missing';
  const hasRun = run !== undefined && run.outcome.kind !== 'skipped' && !isMissing;
  const last = hasRun ? run : (before ?? (isMissing ? run : undefined));
  return last === undefined ? [] : [last];
}

/** The gates of a run, where each of them says nothing of the work; empty: one does, or there is none. */
export function uncheckedBy(baseline: GateBaseline | null, specs: readonly GateSpec[]): readonly OffGate[] {
  const off = specs.flatMap(({ name, required }): OffGate[] => {
    const kind = runBefore(baseline, name)?.outcome.kind ?? 'passed';
    // A required one fails the work, whatever it did before.
    if (required || kind === 'passed') return [];
    return [{ gate: name, why: kind === 'failed' || kind === 'timed_out' ? 'fails' : 'cannot_run' }];
  });
  return off.length === specs.length ? off : [];
}

function describes(baseline: GateBaseline, spec: GateSpec): boolean {
  return sameCommand(baseline, spec) && runBefore(baseline, spec.name) !== undefined;
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
    return runBefore(previous, spec.name)?.outcome.kind === 'passed' && isRed(outcome);
  });
}

/** A gate that isn't on record is new, not changed. */
function sameCommand({ commands }: GateBaseline, { name, run }: GateSpec): boolean {
  return (own(commands, name) ?? run) === run;
}
