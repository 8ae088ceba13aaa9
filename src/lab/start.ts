import type { MountedCopy } from 'ralph-box/protocol';
import { redactor } from 'ralph-kit/redact';
import type { CommandRun, Purpose, PutIn } from '../domain/command-run.ts';
import type { Config } from '../domain/config.ts';
import type { GateOutcome, GateResult, GateSpec } from '../domain/gate.ts';
import type { Ports, ProgramPlace } from '../domain/ports.ts';
import { heldOutLog } from '../domain/records/iteration-path.ts';
import type { TestResults } from '../domain/test-results.ts';
import { outcomeBy, readResults } from '../proof/results/index.ts';
import type { Lab } from './open-lab.ts';

export type GatePlace = {
  readonly ports: Ports;
  readonly config: Config;
  /** Absolute path of the top of the work tree. */
  readonly root: string;
  readonly secrets: readonly string[];
  readonly lab: Lab;
};

/** Returns the top of a copy as programs see it: a box shows the copy at the path of the checkout. */
export function topIn({ ports, root }: Pick<GatePlace, 'ports' | 'root'>, copy: MountedCopy): string {
  return ports.proc.isBoxed ? root : copy.files;
}

export type InCopy = {
  readonly copy: MountedCopy;
  readonly place: CommandRun['place'];
  readonly commit: string;
  readonly tree: string;
  readonly put?: PutIn | null;
  /** Absolute path of the folder for the full output. */
  readonly folder: string;
  readonly why: Purpose;
};

type Between = Pick<ProgramPlace, 'opened'> & {
  /** Returns the copy for the next command, if commands run one after the other. */
  readonly renew?: () => Promise<MountedCopy>;
  /** Called after each command. Returns changed files that would land. */
  readonly rewrote?: () => Promise<string[]>;
  /** Returns a key with everything on which the result of a command depends; `null`: unknown. */
  readonly keyOf?: (spec: GateSpec) => string | null;
};

/** Beginnings of log names that differ from the purpose. */
const LOGS: Readonly<Partial<Record<Purpose, string>>> = {
  baseline: 'gate',
  deciding: 'gate',
  'by-hand': 'gate',
  'set-up': 'setup',
  prover: 'prover-check',
  'prover-before': 'prover-check',
};

const INSTALLING: ReadonlySet<Purpose> = new Set(['set-up', 'build', 'lock']);

/** Runs commands one after the other, or all at once with `[gates] parallel`. Earlier results aren't reused. */
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
  const run = async (spec: GateSpec, index: number, shown: MountedCopy) => {
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
      ...ran,
      outputTail,
      outcome: outcomeBy(ran.outcome, read),
      results: hiddenIn(read, hide),
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

/**
 * Returns a run as it may be recorded, where agents can read it: without the output of a prover's check, and without
 * names of tests that pass with a mutant.
 */
function onRecord(run: CommandRun): CommandRun {
  if (run.why === 'prover') return withoutWords(run);
  if (run.why !== 'mutant') return run;
  return { ...run, results: run.results && { ...run.results, passing: null, places: [] } };
}

/**
 * Records that commands weren't run.
 * @param tree '': there was no tree to test.
 */
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

/** Makes paths in the project relative, because they are then equal in all copies. */
function withOwnPaths(text: string, root: string): string {
  return text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
}

/** Removes secrets from test names, which may contain the values that tests got. */
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

/** Returns the result of a held-out gate without names and output, which are only in its log. */
function withoutWords<Result extends GateResult>(result: Result): Result {
  const { results } = result;
  const counts =
    results === null
      ? null
      : { ...results, failing: [], passing: null, notLoaded: results.notLoaded && [], places: [] };
  return { ...result, outputTail: '', results: counts };
}
