import type { CommandRun, Purpose } from './command-run.ts';
import { type GateOutcome, type GateSpec, isRed } from './gate.ts';
import { redNames } from './test-results.ts';

/** All that ran for work, what decides first: in the order of the gates. */
export type Runs = { readonly commandRuns: readonly CommandRun[] };

/** Runs that say whether a gate holds for the work. */
const DECIDES: ReadonlySet<Purpose> = new Set(['deciding', 'again', 'alone']);

/** How each gate ended: a red run counts where no other one of them is green. */
export function gatesIn({ commandRuns }: Runs): CommandRun[] {
  return endsOf(commandRuns.filter(({ why }) => DECIDES.has(why)));
}

/** How each gate ended on one tree as it is, whatever work it is of. */
export function gatesOn(onTree: readonly CommandRun[]): CommandRun[] {
  return endsOf(onTree.filter(({ why, put }) => put === null && (LOOKS.has(why) || why === 'landing')));
}

function endsOf(runs: readonly CommandRun[]): CommandRun[] {
  const first = runs.filter((run, at) => runs.findIndex(({ name }) => name === run.name) === at);
  return first.map(
    (run) => runs.findLast(({ name, outcome }) => name === run.name && outcome.kind === 'passed') ?? run,
  );
}

/** Runs that are looks at the same files. */
const LOOKS: ReadonlySet<Purpose> = new Set([...DECIDES, 'in-recovery', 'joined', 'since-when']);

/** Names of gates that ended red and green on the same files. */
export function flakyIn({ commandRuns }: Runs): string[] {
  const looks = commandRuns.filter(({ why, place }) => LOOKS.has(why) && place === 'clean');
  const isGreen = (one: CommandRun) =>
    looks.some(
      ({ name, tree, outcome }) => name === one.name && tree === one.tree && outcome.kind === 'passed',
    );
  return [...new Set(looks.filter((one) => isRed(one.outcome) && isGreen(one)).map(({ name }) => name))];
}

/** Names of gates that fail with the work, and failed whenever they were asked without it. */
export function redWithoutIn(runs: Runs): string[] {
  return gatesIn(runs).flatMap((run) => {
    const without = runsOf(runs, 'since-when', run.name);
    const isRedWithout = without.length > 0 && without.every(({ outcome }) => isRed(outcome));
    return isRed(run.outcome) && isRedWithout ? [run.name] : [];
  });
}

/** Times that a gate has to fail on the line before anything is taken back for it, as with work that is sent back. */
export const RED_TIMES = 3;

/** Characters of what a run printed that show what fails. */
export const OUTPUT_SHOWN = 2000;

/** The last run of each gate that fails on the line without the work, seen three times. */
export function redOnLineIn(runs: Runs): CommandRun[] {
  const all = runs.commandRuns.filter(({ why }) => why === 'since-when');
  return all.filter((run, at) => {
    const same = (one: CommandRun) => one.name === run.name && one.commit === run.commit;
    const times = all.filter(same);
    const isLast = !all.slice(at + 1).some(same);
    return isLast && times.length >= RED_TIMES && times.every(({ outcome }) => isRed(outcome));
  });
}

/** Runs of gates that pass with the work and with what landed meanwhile, each alone, and fail with both. */
export function clashesIn(runs: Runs): CommandRun[] {
  return runs.commandRuns.filter((run) => {
    if (run.why !== 'joined' || run.outcome.kind === 'passed') return false;
    const without = runsOf(runs, 'since-when', run.name).find(({ commit }) => commit === run.commit);
    return !failsAlso(run, without);
  });
}

/** Whether all that fails in one run fails in another one, too; where tests aren't named, by the gate as a whole. */
export function failsAlso(one: CommandRun | undefined, other: CommandRun | undefined): boolean {
  if (other?.outcome.kind === 'passed') return false;
  const [names, others] = [redNames(one?.results), redNames(other?.results)];
  return names.length === 0 || others.length === 0 || names.every((name) => others.includes(name));
}

/** A gate that is red in a clean copy and green in the one that the agent worked in. */
export type PassedElsewhere = {
  readonly gate: string;
  /** What git ignores and made the difference, as far as that was found. */
  readonly ignored: readonly string[];
  /** It is taken as passed: with nothing but what is to be installed. */
  readonly decides: boolean;
};

export function passedElsewhereIn({ commandRuns }: Runs): PassedElsewhere[] {
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

/** Runs of a gate for a purpose. */
export function runsOf({ commandRuns }: Runs, why: Purpose, gate: string): CommandRun[] {
  return commandRuns.filter((run) => run.why === why && run.name === gate);
}

/** The task's own checks, on what the work began with and on its result. */
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

/** Runs as a record keeps them: those of gates first, in their order. */
export function inOrderOf(
  gates: readonly Pick<GateSpec, 'name'>[],
  runs: readonly CommandRun[],
): CommandRun[] {
  const place = ({ name, why }: CommandRun) => {
    const at = DECIDES.has(why) ? gates.findIndex((gate) => gate.name === name) : -1;
    return at === -1 ? gates.length : at;
  };
  return runs.toSorted((one, other) => place(one) - place(other));
}
