import { own } from 'ralph-kit/own';
import type { CommandRun } from '../../domain/command-run.ts';
import { type GateResult, type GateSources, type GateSpec, isRed, type OffGate } from '../../domain/gate.ts';
import { type GateBaseline, NOT_TRIED, runBefore, runsBefore } from '../../domain/gate-baseline.ts';

/** Returns the gates to run before the first attempt: all, unless their results on this tree are known. */
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
  /** Runs to keep: those of a new baseline, or of a finished task's gates. */
  readonly fresh: readonly CommandRun[];
  readonly tree: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Code of the gates' commands, for comparison with later readings. */
  readonly sources: GateSources;
  /** Results of trying the gates, whose canary runs are among the fresh ones; absent to keep the earlier results. */
  readonly tried?: Pick<GateBaseline, 'needs' | 'builtAnew'>;
};

/**
 * Returns the reference for the next attempts: results of gates on a verified tree. A gate that didn't run keeps its earlier result; one
 * that isn't configured any more, or has another command, is forgotten.
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
    tree,
    takenAt: at,
    runs: runs.map((run) => ({ ...run, outputTail: '' })),
    commands: Object.fromEntries(specs.map(({ name, run }) => [name, run])),
    sources,
    needs,
    builtAnew,
  };
}

function lastOf(now: CommandRun[], known: CommandRun[]): CommandRun[] {
  const [run, before] = [runsBefore({ runs: now })[0], runsBefore({ runs: known })[0]];
  const isMissing = run?.outcome.kind === 'tool_missing';
  const hasRun = run !== undefined && run.outcome.kind !== 'skipped' && !isMissing;
  const last = hasRun ? run : (before ?? (isMissing ? run : undefined));
  return last === undefined ? [] : [last];
}

/** Returns the gates of a run if none of them says anything about the work; empty if one does, or without gates. */
export function uncheckedBy(baseline: GateBaseline | null, specs: readonly GateSpec[]): readonly OffGate[] {
  const off = specs.flatMap(({ name, required }): OffGate[] => {
    const kind = runBefore(baseline, name)?.outcome.kind ?? 'passed';
    // A required gate fails the work, whatever it did before.
    if (required || kind === 'passed') return [];
    return [{ gate: name, why: kind === 'failed' || kind === 'timed_out' ? 'fails' : 'cannot_run' }];
  });
  return off.length === specs.length ? off : [];
}

function describes(baseline: GateBaseline, spec: GateSpec): boolean {
  return sameCommand(baseline, spec) && runBefore(baseline, spec.name) !== undefined;
}

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

/** A gate without a record is new, not changed. */
function sameCommand({ commands }: GateBaseline, { name, run }: GateSpec): boolean {
  return (own(commands, name) ?? run) === run;
}
