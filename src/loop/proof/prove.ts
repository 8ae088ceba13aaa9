import type { GateBaseline, GateOutcome, GateResult, GateSpec } from '../../domain/gate.ts';
import type { CheckRun, ProofFacts, ProofRun } from '../../domain/proof-run.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { isOutput } from '../../domain/records/outputs.ts';
import { own } from '../../lib/own.ts';
import { isTestFile, nameOf } from '../../lib/paths.ts';
import { inlineTests, splitChanges, withTestsOf } from '../../proof/index.ts';
import { runOnTree, type Tested } from '../clean-copy.ts';
import type { LoopContext } from '../context.ts';
import { specOf } from '../set-up.ts';
import { canaryIn, runnerIn } from './find-canaries.ts';
import { pathsIn, textOf } from './tree-files.ts';

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
  context: LoopContext,
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
  const passed = seen.gates.filter(
    ({ name, outcome }) =>
      outcome.kind === 'passed' && isClean(seen, name) && specs.some((spec) => spec.name === name),
  );
  const runs: ProofRun[] = [];
  const leftOut: string[] = [];
  /** Whether there is time for one more run of a gate. */
  const hasTime = (gate: GateResult, what: string) => {
    if (ports.stop.polite.aborted) return false;
    const fits = spent() + gate.durationMs <= config.proof.max_time * 1000;
    if (!fits) leftOut.push(`${what} of gate "${gate.name}"`);
    return fits;
  };
  const run = async (
    gate: GateResult,
    kind: ProofRun['kind'],
    tree: string,
    files: Files,
    canary: ProofRun['canary'],
  ) => {
    const spec = specs.find(({ name }) => name === gate.name);
    if (spec === undefined) return;
    const [ran] = (await runOnTree(context, [spec], { ...tested, tree }, { files, log: LOGS[kind] })).results;
    if (ran !== undefined) runs.push(runOf(kind, ran, gate, canary));
  };

  const paths = await pathsIn(ports.git, tested.tree);
  for (const gate of passed) {
    const made = await canaryOf(context, { gate, specs, seen, tested, paths }, production);
    if (made === null || !hasTime(gate, 'a failing test')) continue;
    const { path, name, loads, text } = made;
    await run(gate, 'canary', tested.tree, [{ path, text }], { path, name, loads: [...loads] });
    if (loads.length === 0 || runs.at(-1)?.outcome.kind !== 'passed') continue;
    // What was loaded may be a program, which ends as it should: do the tests that use it fail?
    const other = await canaryOf(
      context,
      { gate, specs, seen, tested, paths },
      [],
      await userOf(context, loads, paths, tested.tree),
    );
    if (other === null || !hasTime(gate, 'a failing test')) continue;
    const files = [{ path: other.path, text: other.text }];
    await run(gate, 'canary', tested.tree, files, { path: other.path, name: other.name, loads: [] });
  }
  const checks = await runChecks(context, seen.task.checks, tested);
  const base = tested.base.tree;
  const inline = await inlineIn(context, production, { base, tree: tested.tree });
  const hasTests = passed.filter(
    ({ name, results }) => results !== null || (own(seen.baseline?.canaries ?? {}, name) ?? null) !== null,
  );
  const isTakenBack = witnesses.length > 0 || inline.isChanged;
  if (production.length > 0 && isTakenBack) {
    const tree = await ports.git.compose({ base: tested.tree, from: base, paths: production });
    for (const gate of hasTests)
      if (hasTime(gate, 'the code taken back')) await run(gate, 'taken_back', tree, inline.files, null);
  }
  // New helpers alone can bend what was red.
  const wasRed = Object.values(seen.baseline?.results ?? {}).some(({ failing }) => failing.length > 0);
  if (isDemandChanged || (tests.length > 0 && wasRed)) {
    const tree = await ports.git.compose({ base: tested.tree, from: base, paths: tests });
    for (const gate of hasTests)
      if (hasTime(gate, 'the tests of before')) await run(gate, 'old_tests', tree, [], null);
  }
  return {
    ...{ runs, checks, production: [...production, ...locks], changedTests: [...tests] },
    ...{ isTakenBack, leftOut },
    durationMs: Math.round(spent()),
  };
}

const LOGS: Readonly<Record<ProofRun['kind'], string>> = {
  canary: 'canary',
  taken_back: 'taken-back',
  old_tests: 'old-tests',
};

type Files = readonly { readonly path: string; readonly text: string }[];

/** What only the agent's copy passes says nothing of what would land. */
export function isClean(
  { baseline, passedElsewhere }: Pick<Seen, 'baseline' | 'passedElsewhere'>,
  gate: string,
): boolean {
  return !(
    baseline?.inAgentsCopy.includes(gate) === true || passedElsewhere.some((one) => one.gate === gate)
  );
}

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
    failing: (results?.failing ?? []).slice(0, NAMES_KEPT),
    missing: kind === 'taken_back' && outcome.kind !== 'passed' ? missing.slice(0, NAMES_KEPT) : [],
  };
}

type Gate = {
  readonly gate: GateResult;
  readonly specs: readonly GateSpec[];
  readonly seen: Seen;
  readonly tested: Tested;
  readonly paths: readonly string[];
};

/** A failing test for a gate, where one was seen to fail it before; `null`: none can be made. */
async function canaryOf(
  context: LoopContext,
  { gate, specs, seen, tested, paths }: Gate,
  production: readonly string[],
  user: string | null = null,
) {
  const known: GateBaseline['canaries'][string] =
    seen.baseline === null ? null : (own(seen.baseline.canaries, gate.name) ?? null);
  const spec = specs.find(({ name }) => name === gate.name);
  if (known === null || spec === undefined || !paths.includes(known.beside)) return null;
  if (runnerIn(context, spec, gate) !== known.runner) return null;
  const loads = production.filter((path) => paths.includes(path)).slice(0, MOST_LOADED);
  return canaryIn(
    context,
    { tree: tested.tree, paths, beside: user ?? known.beside, runner: known.runner },
    loads,
  );
}

/** A test that names one of these files; `null`: none does. */
async function userOf(
  { ports: { git } }: LoopContext,
  loads: readonly string[],
  paths: readonly string[],
  tree: string,
): Promise<string | null> {
  const stems = loads.map((path) => nameOf(path).replace(/\.\w+$/, '')).filter((stem) => stem !== '');
  const tests = new Set(paths.filter(isTestFile));
  const texts = await git.texts(tree, (path) => tests.has(path), TEST_BYTES);
  return texts.find(({ text }) => stems.some((stem) => text.includes(stem)))?.path ?? null;
}

/** Bytes of tests that are looked through. */
const TEST_BYTES = 8_000_000;

/** The task's own checks, before the work and after it. */
async function runChecks(
  context: LoopContext,
  commands: readonly string[],
  tested: Tested,
): Promise<CheckRun[]> {
  if (commands.length === 0) return [];
  const specs = commands.map(checkOf);
  const before = await runOnTree(
    context,
    specs,
    { ...tested, tree: tested.base.tree },
    { log: 'check-before' },
  );
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

/** Rust keeps tests in the files that they test: their code is as before, and their tests are as they are now. */
async function inlineIn(
  { ports: { git } }: LoopContext,
  production: readonly string[],
  { base, tree }: { readonly base: string; readonly tree: string },
): Promise<{ readonly files: Files; readonly isChanged: boolean }> {
  const files: { path: string; text: string }[] = [];
  let isChanged = false;
  for (const path of production.filter((one) => one.endsWith('.rs'))) {
    const [before, now] = [await textOf(git, base, path), await textOf(git, tree, path)];
    if (before === null || now === null || inlineTests(now) === '') continue;
    const text = withTestsOf(before, now);
    if (text !== null) files.push({ path, text });
    isChanged ||= inlineTests(before) !== inlineTests(now);
  }
  return { files, isChanged };
}
