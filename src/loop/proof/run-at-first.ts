import { narrow } from 'ralph-kit/narrow';
import { firstFew, pathText, quotedNames } from 'ralph-kit/text';
import { buildsOf, isRecipe } from '../../decide/index.ts';
import type { CommandRun } from '../../domain/command-run.ts';
import type { GateResult, GateSpec } from '../../domain/gate.ts';
import { type GateBaseline, NOT_TRIED } from '../../domain/gate-baseline.ts';
import { ask, askThere, type Needs, needsOf, type Tested } from '../../lab/index.ts';
import type { JudgeContext } from '../context.ts';
import { pathsIn } from './tree-files.ts';

type AtFirst = Pick<GateBaseline, 'needs' | 'builtAnew'> & {
  readonly results: readonly CommandRun[];
  readonly createdPaths: readonly string[];
};

/** Maximum number of runs that search for the ignored files that gates need. */
const MOST_TRIALS = 16;
/** Maximum number of bytes of the files that describe the build. */
const RECIPE_BYTES = 1_000_000;

/**
 * Runs gates in a clean copy for the first time. A gate that fails there, but passes with all ignored files of the
 * checkout, gets the project's build, otherwise the smallest sufficient set of ignored files; otherwise it runs in the
 * agent's copy.
 */
export async function runAtFirst(
  context: JudgeContext,
  specs: readonly GateSpec[],
  tested: Tested,
): Promise<AtFirst> {
  const { ports } = context;
  const known = ports.store.state.baseline;
  const needs = known?.needs ?? NOT_TRIED.needs;
  const folders: { path: string; files: number }[] = [];
  const first = await ask(context, specs, tested, {
    why: 'baseline',
    needs: needsOf(context),
    onEnd: async (copy) => void folders.push(...(await copy.builtAnew())),
  });
  const builtAnew = { folders, tookMs: first.results.reduce((sum, { durationMs }) => sum + durationMs, 0) };
  const red = specs.filter(({ name }) => isRed(first.results, name));
  const clean = { ...first, needs, builtAnew };
  const others = red.length === 0 ? [] : await ports.git.notInstalled();
  if (others.length === 0 || ports.stop.polite.aborted) return clean;
  const here = { place: 'agents-copy', commit: tested.base.commit, tree: tested.tree, why: 'whole' } as const;
  const whole = await askThere(context, red, { ...here, folder: tested.folder, copy: ports.work.mounted });
  const needing = red.filter(({ name }) => !isRed(whole, name));
  if (needing.length === 0) return clean;
  const atFirst = (found: Needs, results: readonly CommandRun[]): AtFirst => ({
    createdPaths: first.createdPaths,
    builtAnew,
    needs: { keep: [...found.keep], build: found.build },
    results: first.results.map((one) => results.find(({ name }) => name === one.name) ?? one),
  });
  const passesWith = async (found: Needs) => {
    const options = { needs: needsOf(context, found), why: 'trial' } as const;
    const { results } = await ask(context, needing, tested, options);
    return needing.every(({ name }) => !isRed(results, name)) ? results : null;
  };
  for (const build of await buildsIn(context, tested.tree)) {
    const results = await passesWith({ ...needs, build });
    if (results === null) continue;
    tell(context, needing, ['needs', 'need'], `what "${build}" builds: that runs first`);
    return atFirst({ ...needs, build }, results);
  }
  let green: readonly CommandRun[] = [];
  const isEnough = async (keep: readonly string[]) => {
    if (ports.stop.polite.aborted) return false;
    const results = await passesWith({ keep, build: needs.build });
    if (results !== null) green = results;
    return results !== null;
  };
  const keep = await narrow(others, isEnough, MOST_TRIALS);
  if (keep !== null) {
    const line = `keep = [${keep.map((path) => JSON.stringify(path)).join(', ')}]`;
    tell(
      context,
      needing,
      ['needs', 'need'],
      `${firstFew(keep.map(pathText), NAMED)}, which git ignores: copied from your checkout, as with [gates] ${line}`,
    );
    return atFirst({ keep, build: needs.build }, green);
  }
  tell(
    context,
    needing,
    ['passes', 'pass'],
    'only with all that git ignores, so in the copy that the agent works in',
  );
  return atFirst(needs, whole);
}

const NAMED = 5;

function isRed(results: readonly GateResult[], gate: string): boolean {
  return results.some(
    ({ name, outcome }) => name === gate && outcome.kind !== 'passed' && outcome.kind !== 'skipped',
  );
}

async function buildsIn({ ports: { git } }: JudgeContext, tree: string): Promise<readonly string[]> {
  const recipes = await git.texts(tree, isRecipe, RECIPE_BYTES);
  const read = (path: string) => recipes.find((one) => one.path === path)?.text ?? null;
  return buildsOf({ paths: new Set(await pathsIn(git, tree)), read });
}

function tell(
  { ports: { store } }: JudgeContext,
  gates: readonly GateSpec[],
  [one, more]: readonly [string, string],
  what: string,
): void {
  const names = gates.map(({ name }) => name);
  const [noun, verb] = names.length === 1 ? ['Gate', one] : ['Gates', more];
  store.commit([{ type: 'warned', message: `${noun} ${quotedNames(names)} ${verb} ${what}.` }]);
}
