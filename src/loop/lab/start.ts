import type { ShownCopy } from '../../domain/box/box.ts';
import type { CommandRun, Purpose, PutIn } from '../../domain/command-run.ts';
import type { Config } from '../../domain/config.ts';
import type { GateOutcome, GateResult, GateSpec } from '../../domain/gate.ts';
import type { Ports, ProgramPlace } from '../../domain/ports.ts';
import { heldOutLog } from '../../domain/records/iteration-path.ts';
import type { TestResults } from '../../domain/test-results.ts';
import { redactor } from '../../lib/redact.ts';
import { outcomeBy, readResults } from '../../proof/results/index.ts';
import type { Lab } from './open-lab.ts';

/** What running commands needs of a run. */
export type GatePlace = {
  readonly ports: Ports;
  readonly config: Config;
  /** Absolute top of the work tree. */
  readonly root: string;
  /** Values that are hidden wherever they would show, from the environment. */
  readonly secrets: readonly string[];
  /** Keeps all that ran by now. */
  readonly lab: Lab;
};

/** The top of a copy, as programs in it see it: in a box it is shown in the place of the checkout. */
export function topIn({ ports, root }: Pick<GatePlace, 'ports' | 'root'>, copy: ShownCopy): string {
  return ports.proc.isBoxed ? root : copy.files;
}

/** A copy that is open, what it holds, and what it is looked at for. */
export type InCopy = {
  readonly copy: ShownCopy;
  readonly place: CommandRun['place'];
  /** The commit that it stands on. */
  readonly commit: string;
  readonly tree: string;
  readonly put?: PutIn | null;
  /** Absolute, for the whole output. */
  readonly folder: string;
  readonly why: Purpose;
};

type Between = Pick<ProgramPlace, 'opened'> & {
  /** Asked before each command but the first, where they run one after the other: the copy for it. */
  readonly renew?: () => Promise<ShownCopy>;
  /** Asked after each: the files that it wrote and others would land. */
  readonly rewrote?: () => Promise<string[]>;
  /** All that the result of a command depends on. */
  readonly keyOf?: (spec: GateSpec) => string | null;
};

/** First parts of the names of logs, where that isn't the purpose. */
const LOGS: Readonly<Partial<Record<Purpose, string>>> = {
  ...{ baseline: 'gate', deciding: 'gate', 'by-hand': 'gate', 'set-up': 'setup' },
  ...{ prover: 'prover-check', 'prover-before': 'prover-check' },
};

const INSTALLING: ReadonlySet<Purpose> = new Set(['set-up', 'build', 'lock']);

/**
 * Starts commands in a copy that is open, of which nothing is known but what lies in it now, one after the other or all at once (`[gates] parallel`).
 */
export async function start(
  context: GatePlace,
  specs: readonly GateSpec[],
  { copy, folder, put = null, ...what }: InCopy,
  { opened, renew, rewrote, keyOf }: Between = {},
): Promise<CommandRun[]> {
  const { ports, config, lab } = context;
  const root = topIn(context, copy);
  const hide = redactor(context.secrets);
  const role = INSTALLING.has(what.why) ? 'set-up' : 'gate';
  const run = async (spec: GateSpec, index: number, shown: ShownCopy) => {
    const gate = spec.name;
    const one = { number: index + 1, of: specs.length };
    ports.store.commit([{ type: 'gates_started', gates: [gate], baseline: false, one }]);
    const at = ports.clock.now();
    const log = spec.heldOut === null ? (LOGS[what.why] ?? what.why) : heldOutLog(gate);
    const { printed, written, ...ran } = await ports.proc.runGate(
      spec,
      { cwd: root, copy: shown, role, ...(opened === undefined ? {} : { opened }) },
      `${folder}/${log}-${index + 1}.log`,
      ports.stop,
    );
    const text = withOwnPaths(printed.text, root);
    const read = readResults(spec.parses, { ...printed, text, files: written }, spec.run);
    const outputTail = withOwnPaths(hide(ran.outputTail), root);
    ports.store.commit([{ type: 'gates_finished', gate, baseline: [], judgements: [], results: [] }]);
    const seen = {
      ...{ ...ran, outputTail, outcome: outcomeBy(ran.outcome, read), results: hiddenIn(read, hide) },
      rewrote: (await rewrote?.()) ?? [],
    };
    const { machine } = ports.process;
    const about = { ...what, put, at, machine, box: ports.proc.isBoxed && spec.box };
    const commandRun = { ...(spec.heldOut === null ? seen : withoutWords(seen)), ...about };
    lab.note(folder, { key: keyOf?.(spec) ?? null, run: onRecord(commandRun) });
    return commandRun;
  };
  if (config.gates.parallel) return Promise.all(specs.map((spec, index) => run(spec, index, copy)));
  const runs: CommandRun[] = [];
  for (const [index, spec] of specs.entries()) {
    if (ports.stop.polite.aborted) break;
    runs.push(await run(spec, index, index === 0 || renew === undefined ? copy : await renew()));
  }
  return runs;
}

/** Agents may read a record: nothing of what a prover's check prints about the work is in it. Of tests that pass with a mutant no names are kept. */
function onRecord(run: CommandRun): CommandRun {
  if (run.why === 'prover') return withoutWords(run);
  if (run.why !== 'mutant') return run;
  return { ...run, results: run.results && { ...run.results, passing: null, places: [] } };
}

/** Notes a gate that isn't run, with the reason as its outcome. `tree`: for which; '': for none. */
export function noteNotRun(
  { ports: { clock, process }, lab }: GatePlace,
  folder: string,
  tree: string,
  [name, outcome]: readonly [string, GateOutcome],
): void {
  const nothing = { durationMs: 0, outputTail: '', results: null, rewrote: [], put: null, box: false };
  const nowhere = { commit: '', tree, place: 'clean', why: 'deciding' } as const;
  const about = { at: clock.now(), machine: process.machine, name, outcome };
  lab.note(folder, { key: null, run: { ...nothing, ...nowhere, ...about } });
}

/** Files of the project by their path in it: short, and the same in every place that the project is in. */
function withOwnPaths(text: string, root: string): string {
  return text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
}

/** Tests may be named by what they were given. */
function hiddenIn(results: TestResults | null, hide: (text: string) => string): TestResults | null {
  if (results === null) return null;
  return {
    ...results,
    failing: results.failing.map(hide),
    passing: results.passing?.map(hide) ?? null,
    notLoaded: results.notLoaded?.map(hide) ?? null,
    places: results.places.map(({ test, place }) => ({ test: hide(test), place: hide(place) })),
  };
}

/** The result of a held-out gate has counts and no words: only its log keeps what it printed. */
function withoutWords<Result extends GateResult>(result: Result): Result {
  const { results } = result;
  const counts =
    results === null
      ? null
      : { ...results, failing: [], passing: null, notLoaded: results.notLoaded && [], places: [] };
  return { ...result, outputTail: '', results: counts };
}
