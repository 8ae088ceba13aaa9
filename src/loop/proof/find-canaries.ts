import { resolveGate } from '../../decide/index.ts';
import type { CommandRun } from '../../domain/command-run.ts';
import type { GateResult, GateSpec } from '../../domain/gate.ts';
import type { GateBaseline } from '../../domain/gate-baseline.ts';
import type { Canary } from '../../domain/proof.ts';
import { ask, needsOf, type Tested, topIn } from '../../lab/index.ts';
import { isRedByCanary, makeCanary, neighbours, runnerOf } from '../../proof/shown/index.ts';
import type { JudgeContext } from '../context.ts';
import { pathsIn, textOf } from './tree-files.ts';

const MOST_PLACES = 3;
const WORD = 6;

type AtBaseline = {
  readonly results: readonly GateResult[];
  readonly tested: Tested;
  readonly needs: GateBaseline['needs'];
};

/** Returns runs in which a failing test that ralph added made a gate fail, before any agent worked. */
export async function findCanaries(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { results, tested, needs }: AtBaseline,
): Promise<CommandRun[]> {
  const { ports, config } = context;
  if (config.proof.mode === 'off') return [];
  const paths = await pathsIn(ports.git, tested.tree);
  const all = needsOf(context, needs);
  const found: CommandRun[] = [];
  for (const spec of specs) {
    const result = results.find(({ name }) => name === spec.name);
    if (result === undefined || result.durationMs > config.proof.max_time * 1000) continue;
    const runner = runnerIn(context, spec, result);
    if (runner === null) continue;
    for (const neighbour of placesFor(spec, runner, paths)) {
      if (ports.stop.polite.aborted) return [];
      const place = { tree: tested.tree, paths, neighbour, runner };
      const made = await canaryIn(context, place, []);
      if (made === null) continue;
      const { path, name, text } = made;
      const canary = { path, name, loads: [], runner, beside: neighbour };
      const options = { files: [{ path, text }], needs: all, why: 'canary', canary } as const;
      const [ran] = (await ask(context, [spec], tested, options)).results;
      if (ran === undefined || !isSeen(result, ran, made)) continue;
      found.push({ ...ran, results: null });
      break;
    }
  }
  return found;
}

/**
 * Returns whether the added test made the gate fail. For a gate that names no tests, that is only known if it passed
 * before.
 */
function isSeen(before: GateResult, ran: GateResult, canary: Canary): boolean {
  if (ran.outcome.kind !== 'failed') return false;
  if (ran.results !== null && ran.results.runners.length > 0) return isRedByCanary(ran.results, canary);
  return before.outcome.kind === 'passed';
}

/**
 * Returns folders in which to add a test. Those that the gate's command names come first: `npm test -w cart` runs no
 * other tests.
 */
function placesFor({ run }: GateSpec, runner: string, paths: readonly string[]): string[] {
  const words = run
    .split(/[\s"'=,]+/)
    .map((word) => word.replace(/^(?:\.\/|@[^/]+\/)|\/(?:\.\.\.|[^/]*\*.*)?$/g, ''));
  const folders = words.filter((word) => /^\w/.test(word)).map((word) => `/${word}/`);
  // A command may name nested folders, as in `--project unit test/unit/cart`. The longest matching name counts.
  const named = (path: string) =>
    Math.max(0, ...folders.filter((one) => `/${path}`.includes(one)).map(({ length }) => length));
  const places = neighbours(runner, paths, []);
  return places.toSorted((one, other) => named(other) - named(one)).slice(0, MOST_PLACES);
}

/** Returns the name of the gate's test runner; `null`: none for which ralph can write a test. */
export function runnerIn(
  context: JudgeContext,
  { run }: Pick<GateSpec, 'run'>,
  { results }: Pick<GateResult, 'results'>,
): string | null {
  const { ports } = context;
  const sources = resolveGate(run, topIn(context, ports.work.mounted), ports.gateFiles);
  return runnerOf(results?.runners ?? [], { run, sources });
}

type CanaryPlace = {
  readonly tree: string;
  readonly paths: readonly string[];
  readonly neighbour: string;
  readonly runner: string;
};

/** Returns a failing test for the runner; `null`: it can't be written. */
export async function canaryIn(
  { ports: { git, ids } }: JudgeContext,
  { tree, paths, neighbour, runner }: CanaryPlace,
  loads: readonly string[],
): Promise<Canary | null> {
  const text = await textOf(git, tree, neighbour);
  if (text === null) return null;
  const word = `x${ids.random(WORD)}`;
  return makeCanary({ runner, neighbour: { path: neighbour, text }, loads, paths, word });
}
