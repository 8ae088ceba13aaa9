import type { GateBaseline, GateResult, GateSpec } from '../../domain/gate.ts';
import type { ImportingEnvironment } from '../../domain/ports.ts';
import { roleOf } from '../../ecosystems/index.ts';
import { isAtOrBelow } from '../../lib/paths.ts';
import { singleQuoted } from '../../lib/shell-quote.ts';
import type { JudgeContext } from '../context.ts';
import { ask, isOutside, needsOf, type Tested } from '../lab/index.ts';
import { pathsIn } from './tree-files.ts';

type AtBaseline = {
  readonly results: readonly GateResult[];
  readonly tested: Tested;
  readonly needs: GateBaseline['needs'];
};

/** Code that can't be imported. */
const BROKEN = "raise RuntimeError('ralph broke this module on purpose')\n";

/**
 * Gates that test what lies in the checkout, as they import it by an environment that no copy has: they pass with broken code in the copy,
 * and fail when they are led to it. In a box the copy is what lies there.
 */
export async function gatesOfCheckout(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { results, tested, needs }: AtBaseline,
): Promise<{ readonly gates: readonly GateSpec[]; readonly environments: readonly ImportingEnvironment[] }> {
  const { ports, root } = context;
  const passed = specs.filter(
    (spec) =>
      (!ports.proc.isBoxed || isOutside(context, spec)) &&
      results.some(({ name, outcome }) => name === spec.name && outcome.kind === 'passed'),
  );
  const commands = passed.map(({ run }) => run);
  const environments = passed.length === 0 ? [] : ports.proc.environmentsThatImport(commands);
  if (environments.length === 0) return { gates: [], environments };
  const folders = environments.flatMap(({ imports }) => imports.map((path) => path.slice(root.length + 1)));
  const files = (await pathsIn(ports.git, tested.tree))
    .filter((path) => path.endsWith('.py') && roleOf(path) === 'source')
    .filter((path) => folders.some((folder) => folder === '' || isAtOrBelow(path, folder)))
    .map((path) => ({ path, text: BROKEN }));
  const options = { files, needs: needsOf(context, needs), why: 'broken' } as const;
  const resultOf = async (gates: readonly GateSpec[], kind: 'passed' | 'failed') => {
    if (files.length === 0 || gates.length === 0) return [];
    const ran = await ask(context, gates, tested, options);
    const names = ran.results.filter(({ outcome }) => outcome.kind === kind).map(({ name }) => name);
    return passed.filter(({ name }) => names.includes(name));
  };
  const there = folders.map((folder) => `"$PWD"/${singleQuoted(folder)}`).join(':');
  const led = `PYTHONPATH=${there}"\${PYTHONPATH:+:$PYTHONPATH}"; export PYTHONPATH; `;
  const suspects = await resultOf(passed, 'passed');
  const gates = await resultOf(
    suspects.map((spec) => ({ ...spec, run: led + spec.run })),
    'failed',
  );
  return { gates, environments };
}
