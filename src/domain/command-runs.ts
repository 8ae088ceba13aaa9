import type { CommandRun, Purpose } from './command-run.ts';
import type { GateOutcome, GateSpec } from './gate.ts';

/** All that ran for work, what decides first: in the order of the gates. */
export type Runs = { readonly commandRuns: readonly CommandRun[] };

/** Runs that say whether a gate holds for the work. */
const DECIDES: ReadonlySet<Purpose> = new Set(['deciding', 'again', 'alone']);

/** How each gate ended: a red run counts where no other one of them is green. */
export function gatesIn({ commandRuns }: Runs): CommandRun[] {
  const deciding = commandRuns.filter(({ why }) => DECIDES.has(why));
  const first = deciding.filter((run, at) => deciding.findIndex(({ name }) => name === run.name) === at);
  return first.map(
    (run) => deciding.findLast(({ name, outcome }) => name === run.name && outcome.kind === 'passed') ?? run,
  );
}

/** Runs that are looks at the same files. */
const LOOKS: ReadonlySet<Purpose> = new Set([...DECIDES, 'in-recovery', 'joined', 'since-when']);

function isRed({ outcome: { kind } }: CommandRun): boolean {
  return kind === 'failed' || kind === 'timed_out';
}

/** Names of gates that ended red and green on the same files. */
export function flakyIn({ commandRuns }: Runs): string[] {
  const looks = commandRuns.filter(({ why, place }) => LOOKS.has(why) && place === 'clean');
  const isGreen = (one: CommandRun) =>
    looks.some(
      ({ name, tree, outcome }) => name === one.name && tree === one.tree && outcome.kind === 'passed',
    );
  return [...new Set(looks.filter((one) => isRed(one) && isGreen(one)).map(({ name }) => name))];
}

/** Names of gates that fail with the work, and failed whenever they were asked without it. */
export function redWithoutIn(runs: Runs): string[] {
  return gatesIn(runs).flatMap((run) => {
    const without = runsOf(runs, 'since-when', run.name);
    return isRed(run) && without.length > 0 && without.every(isRed) ? [run.name] : [];
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
  return runs.filter(({ why }) => !KEPT_APART.has(why)).toSorted((one, other) => place(one) - place(other));
}

/** A prover's checks are none of what agents may read; mutants have a list of their own. */
const KEPT_APART: ReadonlySet<Purpose> = new Set(['prover', 'mutant']);
