import { isBelow, nameOf, withFolder } from 'ralph-kit/paths';
import { singleQuoted } from 'ralph-kit/shell-quote';
import { resolveGate } from '../../decide/index.ts';
import type { GateResult, GateSource, GateSpec } from '../../domain/gate.ts';
import type { GateBaseline } from '../../domain/gate-baseline.ts';
import { type CodeElsewhere, GitError, type TextFiles } from '../../domain/ports.ts';
import { ask, isOutside, needsOf, type Tested, topIn } from '../../lab/index.ts';
import {
  foldersNamed,
  isGenerated,
  isProduction,
  mayRunInTests,
  ranTests,
  type TestedElsewhere,
  unloadable,
} from '../../proof/gates/index.ts';
import type { JudgeContext } from '../context.ts';
import { runnerIn } from './find-canaries.ts';
import { pathsIn, textsOf, withFailingFunctions } from './tree-files.ts';

type AtBaseline = {
  readonly results: readonly GateResult[];
  readonly tested: Tested;
  readonly needs: GateBaseline['needs'];
};

type TestedCode = {
  readonly elsewhere: readonly TestedElsewhere[];
  /**
   * Gates that pass with broken code. `generatedPaths`: tracked generated files that make the gate fail if they are broken, too.
   */
  readonly notShown: readonly { readonly gate: string; readonly generatedPaths: readonly string[] }[];
};

const NOTHING: TestedCode = { elsewhere: [], notShown: [] };

/** Maximum number of bytes of tracked files that are searched for the checkout's path. */
const READ_BYTES = 32_000_000;
/** Milliseconds that a gate with broken code may take in addition to twice its usual time. */
const SLOWER_MS = 60_000;

/**
 * Finds out what gates test. A gate that passes with code that can't be loaded tests other code or nothing. It tests
 * other code if it fails once that code is broken, or passes even with the whole copy broken.
 */
export async function whatGatesTest(
  context: JudgeContext,
  specs: readonly GateSpec[],
  { results, tested, needs: found }: AtBaseline,
): Promise<TestedCode> {
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
      keptPatterns: needs.keep,
    },
  );
  const baselineOf = (name: string) => results.find((one) => one.name === name);
  const isImporting = places.some(({ kind }) => kind === 'imports');
  const probed = passed.filter((spec) => {
    if (isImporting && isAtOwnPath(context, spec)) return true;
    const result = baselineOf(spec.name);
    const fits = config.proof.mode !== 'off' && (result?.durationMs ?? 0) <= config.proof.max_time * 1000;
    return result !== undefined && fits && (ranTests(result) > 0 || runnerIn(context, spec, result) !== null);
  });
  const run: Run = async (gates, files) => {
    if (gates.length === 0 || ports.stop.polite.aborted) return [];
    // Broken code may never end, so its time is limited.
    const limited = gates.map((spec) => {
      const timeoutMs = Math.min(spec.timeoutMs, 2 * (baselineOf(spec.name)?.durationMs ?? 0) + SLOWER_MS);
      return { ...spec, timeoutMs };
    });
    return ask(context, limited, tested, { files, needs, why: 'broken' }).then(
      (ran) => ran.results,
      (error) => {
        // If a file can't be written, nothing is said about the gates.
        if (error instanceof GitError) return [];
        throw error;
      },
    );
  };
  const looks = { context, tested, run, places, paths, keptPatterns: needs.keep, baselineOf };
  const broken = code.map(unloadable);
  const first = await run(probed, broken);
  const explained = [await explain(looks, ended(probed, first, 'passed'), broken)];
  // A linter or script may fail before any test runs. Code that loads, but fails when called, passes these.
  let stopped = stoppedEarly(looks, probed, first).filter((spec) => hasParts(context, spec));
  const started = new Set(stopped.flatMap((spec) => startedBy(context, spec).map(({ path }) => path)));
  for (const part of [code, code.filter((path) => !started.has(path))]) {
    const failing =
      stopped.length === 0 ? [] : withFailingFunctions(await textsOf(ports.git, tested.tree, part));
    const results = failing.length === 0 ? [] : await run(stopped, failing);
    const passing = ended(stopped, results, 'passed');
    if (passing.length > 0) explained.push({ ...(await explain(looks, passing, failing)), notShown: [] });
    stopped = stoppedEarly(looks, stopped, results);
    if (started.size === 0) break;
  }
  // The result of a stopped run shows nothing.
  if (ports.stop.polite.aborted) return NOTHING;
  return {
    elsewhere: explained.flatMap(({ elsewhere }) => elsewhere),
    notShown: explained.flatMap(({ notShown }) => notShown),
  };
}

function stoppedEarly(
  { baselineOf }: Probe,
  specs: readonly GateSpec[],
  results: readonly GateResult[],
): GateSpec[] {
  return ended(specs, results, 'failed').filter(({ name }) => {
    const result = results.find((one) => one.name === name);
    const isLoaded = (result?.results?.notLoaded?.length ?? 0) === 0;
    return isLoaded && ranTests(result) === 0 && ranTests(baselineOf(name)) > 0;
  });
}

type Run = (gates: readonly GateSpec[], files: TextFiles) => Promise<readonly GateResult[]>;

type Probe = {
  readonly context: JudgeContext;
  readonly tested: Tested;
  readonly run: Run;
  readonly places: readonly CodeElsewhere[];
  readonly paths: readonly string[];
  /** Paths and patterns of ignored files that clean copies have. */
  readonly keptPatterns: readonly string[];
  readonly baselineOf: (gate: string) => GateResult | undefined;
};

/** Breaks each place where the tested code may be, one after the other. */
async function explain(looks: Probe, passing: readonly GateSpec[], broken: TextFiles): Promise<TestedCode> {
  const { context, run, places, paths } = looks;
  const elsewhere: TestedElsewhere[] = [];
  let unexplained = passing;
  const note = (gates: readonly GateSpec[], kind: TestedElsewhere['kind'], files: readonly string[]) => {
    if (gates.length > 0) elsewhere.push({ gates, kind, files });
    unexplained = unexplained.filter((spec) => !gates.includes(spec));
  };
  const filesOf = (there: readonly CodeElsewhere[]) => there.map(({ file }) => withinOf(context, file));
  for (const kind of ['imports', 'installed'] as const) {
    const codeCopies = places.filter((one) => one.kind === kind && one.imports.length > 0);
    if (codeCopies.length > 0)
      note(await failWithCopysModules(looks, unexplained, { codeCopies, broken }), kind, filesOf(codeCopies));
  }
  for (const kind of ['installed', 'built'] as const) {
    const there = places.filter((one) => one.kind === kind && one.sharedFiles.length > 0);
    const held = there.flatMap(({ sharedFiles }) => sharedFiles.map(unloadable));
    if (held.length > 0)
      note(ended(unexplained, await run(unexplained, [...broken, ...held]), 'failed'), kind, filesOf(there));
  }
  const away = unexplained.filter((spec) => isAtOwnPath(context, spec));
  const naming = away.length === 0 ? [] : await withoutCheckout(looks);
  if (naming.length > 0)
    note(
      ended(away, await run(away, naming), 'failed'),
      'names',
      naming.map(({ path }) => path),
    );
  const made = paths.filter(isGenerated);
  const files = [...broken, ...made.map(unloadable)];
  const byMade = made.length === 0 ? [] : ended(unexplained, await run(unexplained, files), 'failed');
  unexplained = unexplained.filter((spec) => !byMade.includes(spec));
  await noteSeparateCode(looks, unexplained, note);
  return {
    elsewhere,
    notShown: [
      ...byMade.map(({ name }) => ({ gate: name, generatedPaths: topsOf(made) })),
      ...unexplained.map(({ name }) => ({ gate: name, generatedPaths: [] })),
    ],
  };
}

/**
 * Returns gates that fail when they are pointed at the copy's broken modules: normally they import other Python modules
 * first.
 */
async function failWithCopysModules(
  { context: { root }, run }: Probe,
  gates: readonly GateSpec[],
  { codeCopies, broken }: { readonly codeCopies: readonly CodeElsewhere[]; readonly broken: TextFiles },
): Promise<readonly GateSpec[]> {
  const folders = [...new Set(codeCopies.flatMap(({ imports }) => imports))];
  const path = folders.map((folder) => `"$PWD"/${singleQuoted(folder.slice(root.length + 1))}`).join(':');
  const led = (specs: readonly GateSpec[]) =>
    specs.map((spec) => ({
      ...spec,
      run: `PYTHONPATH=${path}"\${PYTHONPATH:+:$PYTHONPATH}"; export PYTHONPATH; ${spec.run}`,
    }));
  const red = ended(gates, await run(led(gates), broken), 'failed');
  // A module that is named like one of Python's own breaks every gate, so gates have to pass with the unbroken modules.
  return ended(red, await run(led(red), []), 'passed');
}

/** Returns files in which the checkout's path is replaced by one that doesn't exist. */
async function withoutCheckout({ context: { ports, root }, tested }: Probe): Promise<TextFiles> {
  const files = await ports.git.texts(tested.tree, (path) => !isBelow(path, '.ralph'), READ_BYTES);
  return files.flatMap(({ path, text }) => {
    const renamed = withFolder(text, root, '/nonexistent');
    return renamed === text ? [] : { path, text: renamed };
  });
}

/** Returns gates that pass the same number of tests even if every file of the copy that may have tests is broken. */
async function noteSeparateCode(
  { context, run, paths, keptPatterns, baselineOf }: Probe,
  gates: readonly GateSpec[],
  note: (gates: readonly GateSpec[], kind: 'apart', files: readonly string[]) => void,
): Promise<void> {
  const top = topIn(context, context.ports.work.mounted);
  const results = await run(gates, paths.filter(mayRunInTests).map(unloadable));
  for (const spec of ended(gates, results, 'passed')) {
    const result = results.find(({ name }) => name === spec.name);
    const tests = ranTests(baselineOf(spec.name));
    if (tests === 0 || ranTests(result) !== tests) continue;
    const named = foldersNamed({ run: spec.run, output: result?.outputTail ?? '' }, top);
    note([spec], 'apart', [...named, ...keptPatterns]);
  }
}

/** Returns whether programs see the copy at its own path instead of the checkout's. */
function isAtOwnPath(context: JudgeContext, spec: GateSpec): boolean {
  return !context.ports.proc.isBoxed || isOutside(context, spec);
}

/** Returns files that a gate's command starts: if one of them is broken, the gate fails whatever its tests cover. */
function startedBy(context: JudgeContext, { run }: GateSpec): readonly GateSource[] {
  const { ports } = context;
  return resolveGate(run, topIn(context, ports.work.mounted), ports.gateFiles).filter(
    ({ path }) => !path.startsWith('/'),
  );
}

/**
 * Returns whether a script or a second command may end the gate before its tests. A runner that can't build a file has
 * read it, so that counts as a test.
 */
function hasParts(context: JudgeContext, spec: GateSpec): boolean {
  const started = startedBy(context, spec);
  const texts = [spec.run, ...started.flatMap(({ name, content }) => (isScript(name) ? content : []))];
  const isFile = ({ name, path }: GateSource) => !isScript(name) && !path.startsWith('node_modules/');
  return started.some(isFile) || texts.some((text) => /&&|[;|\n]/.test(text));
}

/** Returns whether the name is an entry of `package.json`, whose content is a command. */
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

/** Returns the path on screen: relative if the file is in the repository. */
function withinOf({ root }: JudgeContext, file: string): string {
  return isBelow(file, root) ? file.slice(root.length + 1) : file;
}

function topsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/')[0] ?? path))];
}
