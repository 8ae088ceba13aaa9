import { isDeepStrictEqual } from 'node:util';
import type { GateResult, GateSources, GateSpec } from '../domain/gate.ts';
import type { ProgramPlace } from '../domain/ports.ts';
import type { TestResults } from '../domain/results/test-results.ts';
import { redactor } from '../lib/redact.ts';
import { readResults } from '../results/index.ts';
import { type LoopContext, topIn } from './context.ts';
import { lookAtGates } from './look-at-gates.ts';

type Run = Pick<ProgramPlace, 'role' | 'opened'> & { readonly log?: string };

/**
 * Runs gates in the copy, one after the other or all at once (`[gates] parallel`); results in configured order.
 *
 * @param looks what the gates were seen to run; whenever a gate left it otherwise, that is added: what one gate runs may
 *   change what the next one runs.
 * @param run `log`: first part of the logs' names.
 */
export async function runGates(
  context: Pick<LoopContext, 'ports' | 'config' | 'root' | 'gates' | 'secrets'>,
  specs: readonly GateSpec[],
  folder: string,
  looks: GateSources[],
  { log = 'gate', role = 'gate', opened }: Run = {},
): Promise<GateResult[]> {
  const { ports, config } = context;
  const copy = ports.work.shown;
  const root = topIn(context, copy);
  const hide = redactor(context.secrets);
  const run = async (spec: GateSpec, index: number) => {
    const gate = spec.name;
    ports.emit({ kind: 'gate_started', gate, number: index + 1, of: specs.length });
    const { printed, written, ...ran } = await ports.proc.runGate(
      spec,
      { cwd: root, copy, role, ...(opened === undefined ? {} : { opened }) },
      `${folder}/${log}-${index + 1}.log`,
      ports.stop,
    );
    const results = readResults(spec.parses, { ...printed, files: written });
    const outputTail = withOwnPaths(hide(ran.outputTail), root);
    const result = { ...ran, outputTail, results: hiddenIn(results, hide) };
    ports.emit({ kind: 'gate_finished', gate });
    const look = lookAtGates(context);
    if (!isDeepStrictEqual(look, looks.at(-1))) looks.push(look);
    return result;
  };
  if (config.gates.parallel) return Promise.all(specs.map(run));
  const results: GateResult[] = [];
  for (const [index, spec] of specs.entries()) {
    if (ports.stop.polite.aborted) break;
    results.push(await run(spec, index));
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
  return { ...results, failing: results.failing.map(hide), passing: results.passing?.map(hide) ?? null };
}
