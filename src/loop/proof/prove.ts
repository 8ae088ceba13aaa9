import type { GateBaseline, GateOutcome, GateResult, GateSpec } from '../../domain/gate.ts';
import type { CheckRun, ProofFacts, ProofRun } from '../../domain/proof-run.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/state.ts';
import { redNames } from '../../domain/test-results.ts';
import { own } from '../../lib/own.ts';
import { isTestFile, nameOf } from '../../lib/paths.ts';
import { breakCode, canMutate, inlineTests, splitChanges, withTestsOf } from '../../proof/shown/index.ts';
import { runOnTree, type Tested, testedBase } from '../clean-copy.ts';
import type { JudgeContext } from '../context.ts';
import { specOf } from '../set-up.ts';
import { canaryIn, runnerIn } from './find-canaries.ts';
import { type PassedGate, passedGates } from './passed-gates.ts';
import { pathsIn, textsOf } from './tree-files.ts';

type Seen = Pick<IterationFacts, 'task' | 'changes' | 'series' | 'gates' | 'baseline' | 'passedElsewhere'>;

/** Names of tests that a record keeps of one run. */
const NAMES_KEPT = 100;
/** Changed files that a failing test loads. */
const MOST_LOADED = 10;

/**
 * Runs what shows whether the gates that passed say anything of the work: with a failing test among theirs, with the production code of before,
 * with the tests of before; and the task's own checks. What would take longer than `[proof] max_time` is left out.
 */
export async function prove(
  context: JudgeContext,
  specs: readonly GateSpec[],
  seen: Seen,
  tested: Tested,
): Promise<ProofFacts> {
  const { ports, config } = context;
  const began = ports.clock.monotonicMs();
  const spent = () => ports.clock.monotonicMs() - began;
  const { changes: all } = seen.series?.changes ?? seen.changes;
  const changes = all.filter(({ path }) => !isOutput(ports.store.state, path));
  const { production, locks, witnesses, tests, isDemandChanged } = splitChanges(changes);
  const passed = passedGates(specs, seen);
  const runs: ProofRun[] = [];
  const leftOut: string[] = [];
  /** Whether there is time for one more run of a gate. */
  const hasTime = ({ result }: PassedGate, what: string) => {
    if (ports.stop.polite.aborted) return false;
    const fits = spent() + result.durationMs <= config.proof.max_time * 1000;
    if (!fits) leftOut.push(`${what} of gate "${result.name}"`);
    return fits;
  };
  const run = async (
    { spec, result }: PassedGate,
    kind: ProofRun['kind'],
    tree: string,
    { files, canary = null }: With,
  ) => {
    const options = { log: LOGS[kind], files };
    const { results } = await runOnTree(context, [spec], { ...tested, tree }, options);
    runs.push(...results.map((ran) => runOf(kind, ran, result, canary)));
  };

  const paths = await pathsIn(ports.git, tested.tree);
  const loadable = production.filter((path) => paths.includes(path)).slice(0, MOST_LOADED);
  for (const gate of passed) {
    const known = knownCanary(context, gate, seen.baseline);
    if (known === null || !paths.includes(known.beside)) continue;
    /** With a failing test; which files it loaded. */
    const runCanary = async (neighbour: string, from: readonly string[]) => {
      const made = await canaryIn(
        context,
        { tree: tested.tree, paths, runner: known.runner, neighbour },
        from,
      );
      if (made === null || !hasTime(gate, 'a failing test')) return [];
      const { path, name, loads, text } = made;
      const canary = { path, name, loads: [...loads] };
      await run(gate, 'canary', tested.tree, { files: [{ path, text }], canary });
      return loads;
    };
    const loads = await runCanary(known.beside, loadable);
    if (loads.length === 0 || runs.at(-1)?.outcome.kind !== 'passed') continue;
    // What was loaded may be a program, which ends as it should: do the tests that use it fail?
    await runCanary((await userOf(context, loads, paths, tested.tree)) ?? known.beside, []);
  }
  const checks = await runChecks(context, seen.task.checks, tested);
  const base = tested.base.tree;
  const inline = await inlineIn(context, production, { base, tree: tested.tree });
  const hasTests = passed.filter(
    ({ result: { name, results } }) =>
      results !== null || (own(seen.baseline?.canaries ?? {}, name) ?? null) !== null,
  );
  const runEach = async (kind: ProofRun['kind'], what: string, tree: string, files: Files) => {
    for (const gate of hasTests) if (hasTime(gate, what)) await run(gate, kind, tree, { files });
  };
  const isTakenBack = witnesses.length > 0 || inline.isChanged;
  const code = production.filter((path) => !inline.ofTestsAlone.includes(path));
  if (code.length > 0 && isTakenBack) {
    const tree = await ports.git.compose({ base: tested.tree, from: base, paths: production });
    await runEach('taken_back', 'the code taken back', tree, inline.oldCode);
  }
  // New helpers alone can bend what was red.
  const wasRed = Object.values(seen.baseline?.results ?? {}).some(({ failing }) => failing.length > 0);
  if (isDemandChanged || inline.oldTests.length > 0 || (tests.length > 0 && wasRed)) {
    const tree = await ports.git.compose({ base: tested.tree, from: base, paths: tests });
    await runEach('old_tests', 'the tests of before', tree, inline.oldTests);
  }
  const isOfTestsAlone = witnesses.every((path) => tests.includes(path));
  if (wasRed && witnesses.length > 0 && (code.length === 0 || !isOfTestsAlone)) {
    // Tests, or settings of their runner, changed: do they still run the code that they are of?
    const around = [...new Set([...witnesses, ...tests])];
    const tree = await ports.git.compose({ base: tested.tree, from: base, paths: around });
    const files = await brokenCode(context, paths, { of: around, trees: [tested.tree, tree] });
    if (files.length > 0) {
      await runEach('broken_old_tests', 'broken code with the tests of before', tree, files);
      await runEach('broken_code', 'broken code', tested.tree, files);
    }
  }
  return {
    ...{ runs, checks, production: [...code, ...locks], changedTests: [...tests] },
    ...{ isTakenBack, leftOut },
    durationMs: Math.round(spent()),
  };
}

const LOGS: Readonly<Record<ProofRun['kind'], string>> = {
  canary: 'canary',
  taken_back: 'taken-back',
  old_tests: 'old-tests',
  broken_code: 'broken-code',
  broken_old_tests: 'broken-old-tests',
};

type Files = readonly { readonly path: string; readonly text: string }[];

/** What is written into the tree that a gate is run on, and the failing test among that. */
type With = { readonly files: Files; readonly canary?: ProofRun['canary'] };

function runOf(
  kind: ProofRun['kind'],
  ran: GateResult,
  result: GateResult,
  canary: ProofRun['canary'],
): ProofRun {
  const { name: gate, outcome, results, outputTail } = ran;
  const known = new Set([...(results?.failing ?? []), ...(results?.passing ?? [])]);
  const missing = (result.results?.passing ?? []).filter((name) => !known.has(name));
  return {
    ...{ kind, gate, outcome, canary, outputTail: outcome.kind === 'passed' ? '' : outputTail },
    tests: results?.tests ?? null,
    failing: redNames(results).slice(0, NAMES_KEPT),
    missing: kind === 'taken_back' && outcome.kind !== 'passed' ? missing.slice(0, NAMES_KEPT) : [],
  };
}

/** Beside which test a failing one was seen to fail a gate before, where the same runner runs its tests now. */
function knownCanary(
  context: JudgeContext,
  { spec, result }: PassedGate,
  baseline: Seen['baseline'],
): GateBaseline['canaries'][string] {
  const known = own(baseline?.canaries ?? {}, spec.name) ?? null;
  return known !== null && runnerIn(context, spec, result) === known.runner ? known : null;
}

/** Files of code that are broken at once. */
const MOST_BROKEN = 50;

/** The code that changed tests and settings name, each function of which fails as it is called. */
async function brokenCode(
  { ports: { git } }: JudgeContext,
  paths: readonly string[],
  { of, trees: [now, before] }: { readonly of: readonly string[]; readonly trees: [string, string] },
): Promise<Files> {
  const texts = [...(await textsOf(git, now, of)).values(), ...(await textsOf(git, before, of)).values()];
  const named = paths.filter((path) => canMutate(path) && texts.some((text) => text.includes(stemOf(path))));
  const code = await textsOf(git, now, named.slice(0, MOST_BROKEN));
  return [...code].flatMap(([path, text]) => {
    const broken = breakCode(path, text);
    return broken === null ? [] : [{ path, text: broken }];
  });
}

function stemOf(path: string): string {
  return nameOf(path).replace(/\.\w+$/, '');
}

/** A test that names one of these files; `null`: none does. */
async function userOf(
  { ports: { git } }: JudgeContext,
  loads: readonly string[],
  paths: readonly string[],
  tree: string,
): Promise<string | null> {
  const stems = loads.map(stemOf).filter((stem) => stem !== '');
  const tests = new Set(paths.filter(isTestFile));
  const texts = await git.texts(tree, (path) => tests.has(path), TEST_BYTES);
  return texts.find(({ text }) => stems.some((stem) => text.includes(stem)))?.path ?? null;
}

/** Bytes of tests that are looked through. */
const TEST_BYTES = 8_000_000;

/** The task's own checks, before the work and after it. */
async function runChecks(
  context: JudgeContext,
  commands: readonly string[],
  tested: Tested,
): Promise<CheckRun[]> {
  if (commands.length === 0) return [];
  const specs = commands.map(checkOf);
  const before = await runOnTree(context, specs, testedBase(tested.base, tested.folder), {
    log: 'check-before',
  });
  const after = await runOnTree(context, specs, tested, { log: 'check' });
  return commands.map((command, at) => ({
    ...{ command, prover: null },
    before: before.results[at]?.outcome ?? NOT_RUN,
    after: after.results[at]?.outcome ?? NOT_RUN,
    outputTail: after.results[at]?.outputTail ?? '',
  }));
}

const NOT_RUN: GateOutcome = { kind: 'skipped', reason: 'ralph was stopped' };
/** For one check. */
const CHECK_MS = 10 * 60_000;

function checkOf(command: string): GateSpec {
  return { ...specOf(command), timeoutMs: CHECK_MS };
}

type Inline = {
  /** The code of before with the tests of now, and the code of now with the tests of before where those differ. */
  readonly oldCode: Files;
  readonly oldTests: Files;
  readonly isChanged: boolean;
  /** Files of which nothing but tests changed. */
  readonly ofTestsAlone: readonly string[];
};

/** Rust keeps tests in the files that they test. */
async function inlineIn(
  { ports: { git } }: JudgeContext,
  production: readonly string[],
  { base, tree }: { readonly base: string; readonly tree: string },
): Promise<Inline> {
  const rust = production.filter((path) => path.endsWith('.rs'));
  const [was, is] = [await textsOf(git, base, rust), await textsOf(git, tree, rust)];
  const oldCode: { path: string; text: string }[] = [];
  const oldTests: { path: string; text: string }[] = [];
  const ofTestsAlone: string[] = [];
  let isChanged = false;
  const codeOf = (text: string) => text.slice(0, text.length - inlineTests(text).length).trimEnd();
  for (const path of rust) {
    const [before, now] = [was.get(path), is.get(path)];
    if (before === undefined || now === undefined) continue;
    const isOther = inlineTests(before) !== inlineTests(now);
    isChanged ||= isOther;
    if (isOther && codeOf(before) === codeOf(now)) ofTestsAlone.push(path);
    const [code, tests] = [withTestsOf(before, now), isOther ? withTestsOf(now, before) : null];
    if (code !== null) oldCode.push({ path, text: code });
    if (tests !== null) oldTests.push({ path, text: tests });
  }
  return { oldCode, oldTests, isChanged, ofTestsAlone };
}
