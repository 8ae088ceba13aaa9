import type { ShownCopy } from '../domain/box/box.ts';
import type { GateResult, GateSpec } from '../domain/gate.ts';
import type { ProgramPlace } from '../domain/ports.ts';
import type { TestResults } from '../domain/test-results.ts';
import { redactor } from '../lib/redact.ts';
import { outcomeBy, readResults } from '../proof/results/index.ts';
import { type LoopContext, topIn } from './context.ts';

type Run = Pick<ProgramPlace, 'role' | 'opened'> & {
  readonly log?: string;
  /** Asked before each gate but the first, where they run one after the other: the copy for it. */
  readonly renew?: () => Promise<ShownCopy>;
  /** Asked after each: the files that it wrote and others would land. */
  readonly rewrote?: () => Promise<string[]>;
};

/** What running gates needs of a run. */
export type GatePlace = Pick<LoopContext, 'ports' | 'config' | 'root' | 'secrets'>;

/**
 * Runs gates in a copy, one after the other or all at once (`[gates] parallel`); results in configured order.
 *
 * @param folder Absolute, for their whole output. `run.log`: first part of the logs' names.
 */
export async function runGates(
  context: GatePlace,
  copy: ShownCopy,
  specs: readonly GateSpec[],
  folder: string,
  { log = 'gate', role = 'gate', opened, renew, rewrote }: Run = {},
): Promise<GateResult[]> {
  const { ports, config } = context;
  const root = topIn(context, copy);
  const hide = redactor(context.secrets);
  const run = async (spec: GateSpec, index: number, shown: ShownCopy) => {
    const gate = spec.name;
    ports.emit({ kind: 'gate_started', gate, number: index + 1, of: specs.length });
    const { printed, written, ...ran } = await ports.proc.runGate(
      spec,
      { cwd: root, copy: shown, role, ...(opened === undefined ? {} : { opened }) },
      `${folder}/${log}-${index + 1}.log`,
      ports.stop,
    );
    const text = withOwnPaths(printed.text, root);
    const results = readResults(spec.parses, { ...printed, text, files: written }, spec.run);
    const outputTail = withOwnPaths(hide(ran.outputTail), root);
    ports.emit({ kind: 'gate_finished', gate });
    const outcome = outcomeBy(ran.outcome, results);
    return {
      ...ran,
      outcome,
      outputTail,
      results: hiddenIn(results, hide),
      rewrote: (await rewrote?.()) ?? [],
    };
  };
  if (config.gates.parallel) return Promise.all(specs.map((spec, index) => run(spec, index, copy)));
  const results: GateResult[] = [];
  for (const [index, spec] of specs.entries()) {
    if (ports.stop.polite.aborted) break;
    results.push(await run(spec, index, index === 0 || renew === undefined ? copy : await renew()));
  }
  return results;
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
