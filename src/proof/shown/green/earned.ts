import { firstFew, pathText } from 'ralph-kit/text';
import type { CommandRun } from '../../../domain/command-run.ts';
import { runsOf } from '../../../domain/command-runs.ts';
import { resultsBefore } from '../../../domain/gate-baseline.ts';
import type { ProofFacts } from '../../../domain/proof-run.ts';
import type { IterationFacts } from '../../../domain/records/iteration.ts';
import { redNames } from '../../../domain/test-results.ts';
import { BROKEN } from '../break-code.ts';
import { hasUnloaded, testOutcome } from '../test-outcome.ts';
import { withoutWork } from './who-made-it-green.ts';

type Facts = Pick<IterationFacts, 'commandRuns' | 'baseline' | 'avoidance'> & {
  readonly proof: ProofFacts;
};

export type Earned = {
  /** Tests that fail without the work, pass with it, and test it. */
  readonly failToPass: readonly string[];
  readonly lowered: readonly string[];
};

/** Returns the tests of a gate that fail without the work and pass with it because of the code's behaviour. */
export function earnedBy(gate: CommandRun, isAlive: boolean, facts: Facts): Earned {
  const all = failToPassIn(gate, isAlive, facts);
  if (all.length === 0) return { failToPass: [], lowered: [] };
  const { retries } = facts.proof;
  if (retries.length > 0)
    return {
      failToPass: [],
      lowered: [`raises how often failing tests are repeated (${firstFew(retries.map(pathText))})`],
    };
  const repeated = new Set(
    facts.commandRuns
      .filter(({ name, why, outcome }) => name === gate.name && REPEATS.has(why) && outcome.kind === 'failed')
      .flatMap(({ results }) => redNames(results)),
  );
  const steady = all.filter((name) => !repeated.has(name));
  const judged = steady.map((name) => ({ name, how: reach(gate, name, facts) }));
  const failToPass = judged.filter(({ how }) => how === 'reached').map(({ name }) => name);
  if (failToPass.length > 0) return { failToPass, lowered: [] };
  const has = (one: Reach) => judged.some(({ how }) => how === one);
  return {
    failToPass,
    lowered: [
      ...(has('loaded')
        ? [
            `without it, its tests of gate "${gate.name}" can't even be loaded: that they check it isn't shown`,
          ]
        : []),
      ...(has('missed') ? [`its tests of gate "${gate.name}" pass with broken code, too`] : []),
      ...(steady.length === 0 ? [`its tests of gate "${gate.name}" pass only when they are repeated`] : []),
    ],
  };
}

/** Runs on the work, one of which may have passed by luck. */
const REPEATS: ReadonlySet<CommandRun['why']> = new Set(['deciding', 'again']);

function failToPassIn(gate: CommandRun, isAlive: boolean, facts: Facts): string[] {
  const passes = (name: string) => testOutcome(gate, name, isAlive) === 'passes';
  const fails = (name: string) => ['fails', 'not_loaded'].includes(withoutWork(gate, name, facts));
  const before = resultsBefore(facts.baseline, gate.name);
  const run = runsOf(facts, 'taken-back', gate.name)[0];
  const named = redNames(run === undefined ? before : run.results).filter(
    (name) => passes(name) && fails(name),
  );
  if (named.length > 0 || run?.outcome.kind !== 'failed') return named;
  return unloadedIn(gate, run, facts);
}

/** Returns tests that pass with the work and don't exist without it, as their file or its build fails. */
function unloadedIn(gate: CommandRun, { outputTail, results }: CommandRun, { baseline }: Facts): string[] {
  if (!hasUnloaded(outputTail) && results?.notLoaded == null) return [];
  const there = new Set([...redNames(results), ...(results?.passing ?? [])]);
  const missing = (gate.results?.passing ?? []).filter((name) => !there.has(name));
  const known = new Set(resultsBefore(baseline, gate.name)?.passing ?? []);
  const fresh = missing.filter((name) => !known.has(name));
  return fresh.length > 0 ? fresh : missing;
}

/** `loaded`: the test only needs the work to be loaded; `missed`: it passes with broken code. */
type Reach = 'reached' | 'loaded' | 'missed';

function reach(gate: CommandRun, name: string, facts: Facts): Reach {
  const broken = runsOf(facts, 'broken-code', gate.name)[0];
  const outcome = broken === undefined ? 'unknown' : testOutcome(broken, name);
  const isLoad = withoutWork(gate, name, facts) !== 'fails';
  if (outcome === 'passes')
    return !isLoad && !facts.proof.isBrokenWhole ? 'reached' : isLoad ? 'loaded' : 'missed';
  if (!isLoad || outcome === 'fails') return 'reached';
  return broken?.outcome.kind === 'failed' && broken.outputTail.includes(BROKEN) ? 'reached' : 'loaded';
}

export function stubsIn({ avoidance }: Pick<IterationFacts, 'avoidance'>): string[] {
  return avoidance.findings
    .filter(({ category, whitelisted }) => category === 'stub_completion' && whitelisted === null)
    .map(({ path, line }) => `${pathText(path)}:${line}`);
}
