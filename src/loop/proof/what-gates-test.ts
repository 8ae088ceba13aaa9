import { resolveGate } from '../../decide/index.ts';
import type { GateResult, GateSource, GateSpec } from '../../domain/gate.ts';
import type { GateBaseline } from '../../domain/gate-baseline.ts';
import { type CodeElsewhere, GitError, type TextFiles } from '../../domain/ports.ts';
import { isBelow, nameOf, withFolder } from '../../lib/paths.ts';
import { singleQuoted } from '../../lib/shell-quote.ts';
import {
  foldersNamed,
  isMade,
  isProduction,
  isWhatRuns,
  ranTests,
  type TestedElsewhere,
  unloadable,
} from '../../proof/gates/index.ts';
import type { JudgeContext } from '../context.ts';
import { ask, isOutside, needsOf, type Tested, topIn } from '../lab/index.ts';
import { runnerIn } from './find-canaries.ts';
import { failingAsCalled, pathsIn, textsOf } from './tree-files.ts';

type AtBaseline = {
  readonly results: readonly GateResult[];
  readonly tested: Tested;
  readonly needs: GateBaseline['needs'];
};

type WhatIsTested = {
  readonly elsewhere: readonly TestedElsewhere[];
  /** Gates that broken code doesn't fail, for no reason that was found; `made`: but where code is broken as well that a tool made and that is tracked. */
  readonly notShown: readonly { readonly gate: string; readonly made: readonly string[] }[];
};

const NOTHING: WhatIsTested = { elsewhere: [], notShown: [] };

/** Bytes of tracked files in which the checkout's path is looked for. */
const READ_BYTES = 32_000_000;
/** How much longer than twice its time a gate with broken code may take. */
const SLOWER_MS = 60_000;

/**
 * Asks gates that run tests once with production code that can't be loaded. Those that pass test something else, or nothing of it: something
 * else only where breaking that makes them red, or where nothing of the copy does.
 */
export async function whatGatesTest(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { results, tested, needs: found }: AtBaseline,
): Promise<WhatIsTested> {
  const { ports, config } = context;
  const needs = needsOf(context, found);
  const paths = await pathsIn(ports.git, tested.tree);
  const passed = specs.filter(({ name }) => hasEnded(results, name, 'passed'));
  const code = paths.filter(isProduction);
  if (code.length === 0 || passed.length === 0) return NOTHING;
  const places = ports.proc.codeElsewhere(
    passed.map(({ run }) => run),
    {
      code,
      manifests: paths.filter((path) => /^(?:package|composer)\.json$/.test(nameOf(path))),
      kept: needs.keep,
    },
  );
  const before = (name: string) => results.find((one) => one.name === name);
  const isImporting = places.some(({ kind }) => kind === 'imports');
  const asked = passed.filter((spec) => {
    if (isImporting && isAtOwnPath(context, spec)) return true;
    const result = before(spec.name);
    const fits = config.proof.mode !== 'off' && (result?.durationMs ?? 0) <= config.proof.max_time * 1000;
    return result !== undefined && fits && (ranTests(result) > 0 || runnerIn(context, spec, result) !== null);
  });
  const run: Run = async (gates, files) => {
    if (gates.length === 0 || ports.stop.polite.aborted) return [];
    // Broken code may never answer.
    const limited = gates.map((spec) => {
      const timeoutMs = Math.min(spec.timeoutMs, 2 * (before(spec.name)?.durationMs ?? 0) + SLOWER_MS);
      return { ...spec, timeoutMs };
    });
    return ask(context, limited, tested, { files, needs, why: 'broken' }).then(
      (ran) => ran.results,
      (error) => {
        // One of the files can't be written there: nothing is said of it.
        if (error instanceof GitError) return [];
        throw error;
      },
    );
  };
  const looks = { context, tested, run, places, paths, kept: needs.keep, before };
  const broken = code.map(unloadable);
  const first = await run(asked, broken);
  const seen = [await explain(looks, ended(asked, first, 'passed'), broken)];
  // Something before the tests failed, as a linter or a script: code that can be loaded, and fails as it is called, gets past that.
  let stopped = stoppedEarly(looks, asked, first).filter((spec) => hasParts(context, spec));
  const started = new Set(stopped.flatMap((spec) => startedBy(context, spec).map(({ path }) => path)));
  for (const part of [code, code.filter((path) => !started.has(path))]) {
    const failing = stopped.length === 0 ? [] : failingAsCalled(await textsOf(ports.git, tested.tree, part));
    const results = failing.length === 0 ? [] : await run(stopped, failing);
    const passing = ended(stopped, results, 'passed');
    if (passing.length > 0) seen.push({ ...(await explain(looks, passing, failing)), notShown: [] });
    stopped = stoppedEarly(looks, stopped, results);
    if (started.size === 0) break;
  }
  // What was left out shows nothing.
  if (ports.stop.polite.aborted) return NOTHING;
  return {
    elsewhere: seen.flatMap(({ elsewhere }) => elsewhere),
    notShown: seen.flatMap(({ notShown }) => notShown),
  };
}

/** Gates that failed before any of their tests ran. */
function stoppedEarly(
  { before }: Looks,
  specs: readonly GateSpec[],
  results: readonly GateResult[],
): GateSpec[] {
  return ended(specs, results, 'failed').filter(({ name }) => {
    const result = results.find((one) => one.name === name);
    const isLoaded = (result?.results?.notLoaded?.length ?? 0) === 0;
    return isLoaded && ranTests(result) === 0 && ranTests(before(name)) > 0;
  });
}

type Run = (gates: readonly GateSpec[], files: TextFiles) => Promise<readonly GateResult[]>;

type Looks = {
  readonly context: JudgeContext;
  readonly tested: Tested;
  readonly run: Run;
  readonly places: readonly CodeElsewhere[];
  /** The paths of all tracked files. */
  readonly paths: readonly string[];
  /** Paths and patterns of ignored files that clean copies have. */
  readonly kept: readonly string[];
  readonly before: (gate: string) => GateResult | undefined;
};

/** What gates test that pass with this code broken, each place broken in its turn. */
async function explain(looks: Looks, passing: readonly GateSpec[], broken: TextFiles): Promise<WhatIsTested> {
  const { context, run, places, paths } = looks;
  const elsewhere: TestedElsewhere[] = [];
  let left = passing;
  const note = (gates: readonly GateSpec[], kind: TestedElsewhere['kind'], files: readonly string[]) => {
    if (gates.length > 0) elsewhere.push({ gates, kind, files });
    left = left.filter((spec) => !gates.includes(spec));
  };
  const filesOf = (there: readonly CodeElsewhere[]) => there.map(({ file }) => withinOf(context, file));
  for (const kind of ['imports', 'installed'] as const) {
    const there = places.filter((one) => one.kind === kind && one.imports.length > 0);
    if (there.length > 0) note(await ledAstray(looks, left, { there, broken }), kind, filesOf(there));
  }
  for (const kind of ['installed', 'built'] as const) {
    const there = places.filter((one) => one.kind === kind && one.holds.length > 0);
    const held = there.flatMap(({ holds }) => holds.map(unloadable));
    if (held.length > 0)
      note(ended(left, await run(left, [...broken, ...held]), 'failed'), kind, filesOf(there));
  }
  const away = left.filter((spec) => isAtOwnPath(context, spec));
  const naming = away.length === 0 ? [] : await withoutCheckout(looks);
  if (naming.length > 0)
    note(
      ended(away, await run(away, naming), 'failed'),
      'names',
      naming.map(({ path }) => path),
    );
  const made = paths.filter(isMade);
  const files = [...broken, ...made.map(unloadable)];
  const byMade = made.length === 0 ? [] : ended(left, await run(left, files), 'failed');
  left = left.filter((spec) => !byMade.includes(spec));
  await apart(looks, left, note);
  return {
    elsewhere,
    notShown: [
      ...byMade.map(({ name }) => ({ gate: name, made: topsOf(made) })),
      ...left.map(({ name }) => ({ gate: name, made: [] })),
    ],
  };
}

/** Gates that fail once Python is led to the broken modules of the copy, and pass once it is led to them whole: they find others first. */
async function ledAstray(
  { context: { root }, run }: Looks,
  gates: readonly GateSpec[],
  { there, broken }: { readonly there: readonly CodeElsewhere[]; readonly broken: TextFiles },
): Promise<readonly GateSpec[]> {
  const folders = [...new Set(there.flatMap(({ imports }) => imports))];
  const path = folders.map((folder) => `"$PWD"/${singleQuoted(folder.slice(root.length + 1))}`).join(':');
  const led = (specs: readonly GateSpec[]) =>
    specs.map((spec) => ({
      ...spec,
      run: `PYTHONPATH=${path}"\${PYTHONPATH:+:$PYTHONPATH}"; export PYTHONPATH; ${spec.run}`,
    }));
  const red = ended(gates, await run(led(gates), broken), 'failed');
  // A module that is named like one of Python's own would break them in any case.
  return ended(red, await run(led(red), []), 'passed');
}

/** Tracked files that name the checkout by its path, with one in its place that there isn't. */
async function withoutCheckout({ context: { ports, root }, tested }: Looks): Promise<TextFiles> {
  const files = await ports.git.texts(tested.tree, (path) => !isBelow(path, '.ralph'), READ_BYTES);
  return files.flatMap(({ path, text }) => {
    const renamed = withFolder(text, root, '/nonexistent');
    return renamed === text ? [] : { path, text: renamed };
  });
}

/** Gates of which as many tests pass as before although all files of the copy are broken that tests could be in. */
async function apart(
  { context, run, paths, kept, before }: Looks,
  gates: readonly GateSpec[],
  note: (gates: readonly GateSpec[], kind: 'apart', files: readonly string[]) => void,
): Promise<void> {
  const top = topIn(context, context.ports.work.shown);
  const results = await run(gates, paths.filter(isWhatRuns).map(unloadable));
  for (const spec of ended(gates, results, 'passed')) {
    const result = results.find(({ name }) => name === spec.name);
    const tests = ranTests(before(spec.name));
    if (tests === 0 || ranTests(result) !== tests) continue;
    const named = foldersNamed({ run: spec.run, output: result?.outputTail ?? '' }, top);
    note([spec], 'apart', [...named, ...kept]);
  }
}

/** Programs see its copy at the copy's own path. */
function isAtOwnPath(context: JudgeContext, spec: GateSpec): boolean {
  return !context.ports.proc.isBoxed || isOutside(context, spec);
}

/** Files that a gate's command starts itself: if they are broken, it fails whatever it tests. */
function startedBy(context: JudgeContext, { run }: GateSpec): readonly GateSource[] {
  const { ports } = context;
  return resolveGate(run, topIn(context, ports.work.shown), ports.gateFiles).filter(
    ({ path }) => !path.startsWith('/'),
  );
}

/** Whether something else than its runner may end a gate: several commands, or a script. What a runner can't build, it read. */
function hasParts(context: JudgeContext, spec: GateSpec): boolean {
  const started = startedBy(context, spec);
  const texts = [spec.run, ...started.flatMap(({ name, content }) => (isScript(name) ? content : []))];
  const isFile = ({ name, path }: GateSource) => !isScript(name) && !path.startsWith('node_modules/');
  return started.some(isFile) || texts.some((text) => /&&|[;|\n]/.test(text));
}

/** An entry of `package.json`, which is its own content. */
function isScript(name: string): boolean {
  return name.startsWith('scripts.');
}

function hasEnded(results: readonly GateResult[], gate: string, as: 'passed' | 'failed'): boolean {
  return results.some(({ name, outcome }) => name === gate && outcome.kind === as);
}

function ended(
  specs: readonly GateSpec[],
  results: readonly GateResult[],
  as: 'passed' | 'failed',
): GateSpec[] {
  return specs.filter(({ name }) => hasEnded(results, name, as));
}

/** As the reader finds it: by its path in the repository, if it lies in there. */
function withinOf({ root }: JudgeContext, file: string): string {
  return isBelow(file, root) ? file.slice(root.length + 1) : file;
}

/** Files or folders at the top of the repository. */
function topsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/')[0] ?? path))];
}
