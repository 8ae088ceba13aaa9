import { isLock, isTestFile } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';
import type { PutIn } from '../../domain/command-run.ts';
import { type GateSpec, isRed } from '../../domain/gate.ts';
import { canaryBefore, runBefore } from '../../domain/gate-baseline.ts';
import type { ProofFacts } from '../../domain/proof-run.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/state.ts';
import { goalText } from '../../domain/task.ts';
import { ask, type LabQuestion, specOf, type Tested, testedBase } from '../../lab/index.ts';
import {
  type Commands,
  canMutate,
  differsInFunctions,
  inlineTests,
  raisesRetries,
  saysWhatGatesDo,
  splitChanges,
  steeringIn,
  withTestsOf,
} from '../../proof/shown/index.ts';
import type { JudgeContext } from '../context.ts';
import { canaryIn, runnerIn } from './find-canaries.ts';
import { type PassedGate, passedGates } from './passed-gates.ts';
import { restoreDemands } from './restore-demands.ts';
import { pathsIn, textsOf, withFailingFunctions } from './tree-files.ts';

type Seen = Pick<IterationFacts, 'task' | 'changes' | 'series' | 'commandRuns' | 'baseline' | 'gateSources'>;

/** Maximum number of changed files that a failing test loads. */
const MOST_LOADED = 10;

/**
 * Runs the trials that show whether gates depend on the work. Trials that would exceed `[proof] max_time` are listed in
 * `leftOut`.
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
  const passed = passedGates(specs, seen);
  const base = tested.base.tree;
  const commands = await commandsOf(context, passed, seen.gateSources, [base, tested.tree]);
  const split = splitChanges(changes, steeringIn(changes, commands));
  const { production, locks, witnesses, isDemandChanged } = split;
  const demands = [...split.tests, ...split.snapshots, ...split.data];
  const leftOut: string[] = [];
  const hasTime = ({ result }: PassedGate, what: string) => {
    if (ports.stop.polite.aborted) return false;
    const fits = spent() + result.durationMs <= config.proof.max_time * 1000;
    if (!fits) leftOut.push(`${what} of gate "${result.name}"`);
    return fits;
  };
  const run = async ({ spec }: PassedGate, tree: string, with_: LabQuestion) =>
    (await ask(context, [spec], { ...tested, tree }, with_)).results[0];

  const paths = await pathsIn(ports.git, tested.tree);
  const loadable = production.filter((path) => paths.includes(path)).slice(0, MOST_LOADED);
  for (const gate of passed) {
    const known = knownCanary(context, gate, seen.baseline);
    if (known === null || !paths.includes(known.beside)) continue;
    /** Runs the gates with a failing test. Returns the files that the test loaded. */
    const runCanary = async (neighbour: string, from: readonly string[]) => {
      const made = await canaryIn(
        context,
        { tree: tested.tree, paths, runner: known.runner, neighbour },
        from,
      );
      if (made === null || !hasTime(gate, 'a failing test')) return [];
      const { path, name, loads, text } = made;
      const canary = { ...known, path, name, loads: [...loads] };
      const ran = await run(gate, tested.tree, { why: 'canary', files: [{ path, text }], canary });
      return ran?.outcome.kind === 'passed' ? loads : [];
    };
    const loads = await runCanary(known.beside, loadable);
    if (loads.length === 0) continue;
    // A loaded file may be a program that ends normally, so tests that use the file are tried, too.
    await runCanary((await userOf(context, loads, paths, tested.tree)) ?? known.beside, []);
  }
  await runChecks(context, seen.task.checks, tested);
  const inline = await inlineIn(context, production, { base, tree: tested.tree });
  const hasTests = passed.filter(
    ({ result: { name, results } }) => results !== null || canaryBefore(seen.baseline, name) !== null,
  );
  const wasRed = ({ result: { name } }: PassedGate) => isRed(runBefore(seen.baseline, name)?.outcome);
  const isTakenBack = witnesses.length > 0 || inline.isChanged;
  const code = production.filter((path) => !inline.ofTestsAlone.includes(path));
  /** Gates whose tests can be seen to fail without the work. */
  const notice: PassedGate[] = [];
  if (code.length > 0 && isTakenBack) {
    const tree = await ports.git.compose({ base: tested.tree, from: base, paths: production });
    for (const gate of hasTests) {
      if (!hasTime(gate, 'the code taken back')) continue;
      const ran = await run(gate, tree, { why: 'taken-back', files: inline.oldCode });
      if (ran?.outcome.kind === 'failed') notice.push(gate);
    }
  } else notice.push(...hasTests.filter(wasRed));
  const putBack: ProofFacts['putBack'] = [];
  for (const gate of passed.filter(wasRed)) {
    const of = { gate: gate.result.name, goal: goalText(seen.task), baseline: seen.baseline };
    const put = await restoreDemands(
      context,
      split,
      { ...of, oldTests: inline.oldTests },
      { base, tree: tested.tree },
    );
    if (put === null) continue;
    putBack.push({ gate: gate.result.name, paths: [...put.paths] });
    const asked = { why: 'as-demanded', files: put.files } as const;
    const failsAsDemanded = async () =>
      hasTime(gate, 'what it demanded before') &&
      (await run(gate, put.tree, asked))?.outcome.kind === 'failed';
    // A failure by chance must not decide, so the gate has to fail twice.
    if (await failsAsDemanded()) await failsAsDemanded();
  }
  if (isDemandChanged || inline.oldTests.length > 0 || (demands.length > 0 && passed.some(wasRed))) {
    const tree = await ports.git.compose({ base: tested.tree, from: base, paths: demands });
    for (const gate of hasTests)
      if (hasTime(gate, 'the tests of before'))
        await run(gate, tree, { why: 'old-tests', files: inline.oldTests });
  }
  const trees = { base, tree: tested.tree };
  const broken =
    code.length > 0
      ? await brokenFrom(context, code, trees)
      : { files: await brokenCode(context, paths, { of: demands, trees }), isWhole: false };
  if (broken.files.length > 0)
    for (const gate of notice)
      if (hasTime(gate, 'broken code'))
        await run(gate, tested.tree, { why: 'broken-code', files: broken.files });
  return {
    production: [...code, ...locks],
    isTakenBack,
    putBack,
    leftOut,
    isBrokenWhole: broken.isWhole,
    retries: await retriesIn(context, witnesses, trees),
    durationMs: Math.round(spent()),
  };
}

type Files = readonly { readonly path: string; readonly text: string }[];

/**
 * Returns the test beside which an added failing test made the gate fail before; `null`: none did, or the runner has
 * changed.
 */
function knownCanary(
  context: JudgeContext,
  { spec, result }: PassedGate,
  baseline: Seen['baseline'],
): PutIn['canary'] {
  const known = canaryBefore(baseline, spec.name);
  return known !== null && runnerIn(context, spec, result) === known.runner ? known : null;
}

/** Maximum number of code files that are broken at once. */
const MOST_BROKEN = 50;

type Trees = { readonly base: string; readonly tree: string };

async function brokenCode(
  { ports: { git } }: JudgeContext,
  paths: readonly string[],
  { of, trees: { base, tree } }: { readonly of: readonly string[]; readonly trees: Trees },
): Promise<Files> {
  const texts = [...(await textsOf(git, tree, of)).values(), ...(await textsOf(git, base, of)).values()];
  const named = paths.filter(
    (path) => !of.includes(path) && canMutate(path) && texts.some((text) => text.includes(stemOf(path))),
  );
  return withFailingFunctions(await textsOf(git, tree, named.slice(0, MOST_BROKEN)));
}

/** Returns files with broken code. `isWhole`: whether the change touched only functions. */
async function brokenFrom(
  { ports: { git } }: JudgeContext,
  code: readonly string[],
  { base, tree }: Trees,
): Promise<{ readonly files: Files; readonly isWhole: boolean }> {
  const [was, is] = [await textsOf(git, base, code), await textsOf(git, tree, code)];
  const files = withFailingFunctions(is).slice(0, MOST_BROKEN);
  const isWhole = code.every(
    (path) =>
      files.some((file) => file.path === path) &&
      differsInFunctions(path, was.get(path) ?? '', is.get(path) ?? ''),
  );
  return { files, isWhole };
}

async function retriesIn(
  { ports: { git } }: JudgeContext,
  witnesses: readonly string[],
  { base, tree }: Trees,
): Promise<string[]> {
  const named = witnesses.filter((path) => !isLock(path));
  const [was, is] = [await textsOf(git, base, named), await textsOf(git, tree, named)];
  return named.filter((path) => raisesRetries(was.get(path) ?? '', is.get(path) ?? ''));
}

async function commandsOf(
  { ports: { git } }: JudgeContext,
  gates: readonly PassedGate[],
  sources: Seen['gateSources'],
  trees: readonly string[],
): Promise<Commands> {
  const scripts = new Set(
    sources.flatMap((reading) => Object.values(reading).flatMap((all) => all.map(({ path }) => path))),
  );
  const texts = gates.map(({ spec }) => spec.run);
  for (const tree of trees) {
    const read = await git.texts(tree, (path) => saysWhatGatesDo(path) || scripts.has(path), COMMAND_BYTES);
    texts.push(...read.map(({ text }) => text));
  }
  return { texts, scripts };
}

/** Maximum number of bytes of settings and scripts that are read. */
const COMMAND_BYTES = 2_000_000;

function stemOf(path: string): string {
  return nameOf(path).replace(/\.\w+$/, '');
}

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

/** Maximum number of bytes of tests that are searched. */
const TEST_BYTES = 8_000_000;

async function runChecks(context: JudgeContext, commands: readonly string[], tested: Tested): Promise<void> {
  if (commands.length === 0) return;
  const specs = commands.map(checkOf);
  await ask(context, specs, testedBase(tested.base, tested.folder), { why: 'check-before' });
  await ask(context, specs, tested, { why: 'check' });
}

/** Milliseconds that one check may take. */
const CHECK_MS = 10 * 60_000;

function checkOf(command: string): GateSpec {
  return { ...specOf(command), timeoutMs: CHECK_MS };
}

type Inline = {
  /** Old code with current tests. `oldTests`: current code with old tests, if those differ. */
  readonly oldCode: Files;
  readonly oldTests: Files;
  readonly isChanged: boolean;
  readonly ofTestsAlone: readonly string[];
};

/** Separates code and tests in Rust files, because Rust has unit tests in the file that they test. */
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
