import type { CommandRun, Purpose } from './command-run.ts';
import { type GateOutcome, type GateSpec, isRed } from './gate.ts';
import { redNames } from './test-results.ts';

/** All runs for some work. Deciding runs come first, in the order of the gates. */
export type Runs = { readonly commandRuns: readonly CommandRun[] };

const DECIDES: ReadonlySet<Purpose> = new Set(['deciding', 'again', 'alone']);

/** Returns the deciding run of each gate: a red run counts only if no other deciding run is green. */
export function gatesIn({ commandRuns }: Runs): CommandRun[] {
  return endsOf(commandRuns.filter(({ why }) => DECIDES.has(why)));
}

/** Returns the deciding run of each gate on one unmodified tree, whatever work the run was for. */
export function gatesOn(onTree: readonly CommandRun[]): CommandRun[] {
  return endsOf(onTree.filter(({ why, put }) => put === null && (LOOKS.has(why) || why === 'landing')));
}

function endsOf(runs: readonly CommandRun[]): CommandRun[] {
  const first = runs.filter((run, at) => runs.findIndex(({ name }) => name === run.name) === at);
  return first.map(
    (run) => runs.findLast(({ name, outcome }) => name === run.name && outcome.kind === 'passed') ?? run,
  );
}

const LOOKS: ReadonlySet<Purpose> = new Set([...DECIDES, 'in-recovery', 'joined', 'since-when']);

/** Returns the names of gates that were both red and green on the same files. */
export function flakyIn({ commandRuns }: Runs): string[] {
  const looks = commandRuns.filter(({ why, place }) => LOOKS.has(why) && place === 'clean');
  const isGreen = (one: CommandRun) =>
    looks.some(
      ({ name, tree, outcome }) => name === one.name && tree === one.tree && outcome.kind === 'passed',
    );
  return [...new Set(looks.filter((one) => isRed(one.outcome) && isGreen(one)).map(({ name }) => name))];
}

/** Returns the names of gates that fail with the work and failed in each run without it. */
export function gatesRedWithoutWork(runs: Runs): string[] {
  return gatesIn(runs).flatMap((run) => {
    const without = runsOf(runs, 'since-when', run.name);
    const isRedWithout = without.length > 0 && without.every(({ outcome }) => isRed(outcome));
    return isRed(run.outcome) && isRedWithout ? [run.name] : [];
  });
}

/**
 * Times that a gate has to fail on ralph's line before a landed result is reverted, because a flaky failure must not
 * revert work.
 */
export const RED_TIMES = 3;

/** Characters of a failed run's output that are shown to you. */
export const OUTPUT_SHOWN = 2000;

/** Returns the last run of each gate that failed at least `RED_TIMES` times on the line without the work. */
export function runsRedOnLine(runs: Runs): CommandRun[] {
  const all = runs.commandRuns.filter(({ why }) => why === 'since-when');
  return all.filter((run, at) => {
    const same = (one: CommandRun) => one.name === run.name && one.commit === run.commit;
    const times = all.filter(same);
    const isLast = !all.slice(at + 1).some(same);
    return isLast && times.length >= RED_TIMES && times.every(({ outcome }) => isRed(outcome));
  });
}

/** Returns runs of gates that pass with the work alone and with the landed results alone, but fail with both. */
export function clashesIn(runs: Runs): CommandRun[] {
  return runs.commandRuns.filter((run) => {
    if (run.why !== 'joined' || run.outcome.kind === 'passed') return false;
    const without = runsOf(runs, 'since-when', run.name).find(({ commit }) => commit === run.commit);
    return !failsAlso(run, without);
  });
}

/** Returns whether `other` has all failures of `one`. Without test names, a failed gate counts as one failure. */
export function failsAlso(one: CommandRun | undefined, other: CommandRun | undefined): boolean {
  if (other?.outcome.kind === 'passed') return false;
  const [names, others] = [redNames(one?.results), redNames(other?.results)];
  return names.length === 0 || others.length === 0 || names.every((name) => others.includes(name));
}

export type PassedElsewhere = {
  readonly gate: string;
  /** Ignored paths without which the gate fails in a clean copy, as far as they were found. */
  readonly ignored: readonly string[];
  /** The gate counts as passed, because only packages that have to be installed made the difference. */
  readonly decides: boolean;
};

export function gatesPassedElsewhere({ commandRuns }: Runs): PassedElsewhere[] {
  const isRedInClean = (gate: string) =>
    commandRuns.some(
      ({ name, why, place, outcome }) =>
        name === gate && place === 'clean' && DECIDES.has(why) && isRed(outcome),
    );
  return commandRuns.flatMap(({ name: gate, why, place, outcome }) => {
    if (place !== 'agents-copy' || outcome.kind !== 'passed' || !isRedInClean(gate)) return [];
    const trials = runsOf({ commandRuns }, 'trial', gate).filter((one) => one.outcome.kind === 'passed');
    const [ignored = []] = trials
      .map(({ put }) => put?.ignored ?? [])
      .toSorted((one, other) => one.length - other.length);
    return [{ gate, ignored, decides: DECIDES.has(why) }];
  });
}

export function runsOf({ commandRuns }: Runs, why: Purpose, gate: string): CommandRun[] {
  return commandRuns.filter((run) => run.why === why && run.name === gate);
}

export function checksIn({ commandRuns }: Runs): {
  readonly command: string;
  readonly before: GateOutcome;
  readonly after: CommandRun;
}[] {
  const checks = commandRuns.filter(({ why }) => why === 'check');
  return checks.map((after) => {
    const before = runsOf({ commandRuns }, 'check-before', after.name).at(-1)?.outcome ?? NOT_RUN;
    return { command: after.name, before, after };
  });
}

const NOT_RUN: GateOutcome = { kind: 'skipped', reason: 'ralph was stopped' };

/** Returns runs in the order of a record: deciding runs first, in the order of the gates. */
export function sortByGates(
  gates: readonly Pick<GateSpec, 'name'>[],
  runs: readonly CommandRun[],
): CommandRun[] {
  const place = ({ name, why }: CommandRun) => {
    const at = DECIDES.has(why) ? gates.findIndex((gate) => gate.name === name) : -1;
    return at === -1 ? gates.length : at;
  };
  return runs.toSorted((one, other) => place(one) - place(other));
}
