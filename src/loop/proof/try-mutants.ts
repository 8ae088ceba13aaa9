import { redactor } from 'ralph-kit/redact';
import { shortened } from 'ralph-kit/text';
import type { Change } from '../../domain/change-set.ts';
import type { PutIn } from '../../domain/command-run.ts';
import { sortByGates } from '../../domain/command-runs.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { ProofDecision } from '../../domain/proof-run.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { ask, type Tested } from '../../lab/index.ts';
import { canMutate, type Mutant, mutantResultOf, mutantsOf } from '../../proof/shown/index.ts';
import type { JudgeContext } from '../context.ts';
import { type PassedGate, passedGates } from './passed-gates.ts';
import { textsOf } from './tree-files.ts';

type Seen = Pick<IterationFacts, 'mode' | 'changes' | 'series' | 'commandRuns'>;

/** Mutants that are made for each one that counts, because some can't be built. */
const SPARE = 2;
/** Milliseconds for all mutants of an attempt; less if `[proof] max_time` is. */
const MUTANTS_MS = 120_000;
/** Maximum number of characters of a mutated line in the record. */
const LINE_KEPT = 200;

/**
 * Puts mistakes into changed lines. Mistakes that no gate notices are reported and don't change the verdict. Returns
 * `{}` in mode "speed", with `[proof] mutants = 0`, or if no gate runs tests.
 */
export async function tryMutants(
  context: JudgeContext,
  specs: readonly GateSpec[],
  seen: Seen,
  { proof, tested }: { readonly proof: ProofDecision; readonly tested: Tested | null },
): Promise<Partial<Pick<IterationFacts, 'mutants' | 'commandRuns'>>> {
  const { ports, config } = context;
  const { mode, mutants: wanted, max_time } = config.proof;
  if (mode === 'off' || seen.mode === 'speed' || wanted === 0 || tested === null) return {};
  const gates = testGates(specs, seen, proof);
  if (gates.length === 0) return {};
  const until = ports.clock.monotonicMs() + Math.min(MUTANTS_MS, max_time * 1000);
  const mutants = mutantsOf(await changedFiles(context, seen, tested.tree), wanted * SPARE);
  const hide = redactor(context.secrets);
  let [counted, unbuilt] = [0, 0];
  for (const mutant of mutants) {
    if (counted === wanted) break;
    const fate = await mutantResult(context, gates, mutant, { tested, until, shown: shown(mutant, hide) });
    if (fate === 'no_time') break;
    if (fate === 'unbuilt') unbuilt += 1;
    else counted += 1;
  }
  const leftOut = Math.max(0, Math.min(wanted, mutants.length - unbuilt) - counted);
  return {
    mutants: { asked: counted + unbuilt, leftOut },
    commandRuns: sortByGates(specs, context.lab.runsFor(tested.folder)),
  };
}

function testGates(specs: readonly GateSpec[], seen: Seen, { witnesses }: ProofDecision): PassedGate[] {
  const isAlive = (gate: string) => witnesses.some((one) => one.gate === gate && one.standing === 'alive');
  return passedGates(specs, seen).filter(
    ({ result }) => (result.results?.runners.length ?? 0) > 0 || isAlive(result.name),
  );
}

async function changedFiles({ ports: { git } }: JudgeContext, { series, changes }: Seen, tree: string) {
  const changed = (series?.changes ?? changes).changes.filter(
    ({ kind, binary, path }) => kind !== 'deleted' && !binary && canMutate(path),
  );
  const texts = await textsOf(
    git,
    tree,
    changed.map(({ path }) => path),
  );
  return changed.flatMap((change) => {
    const text = texts.get(change.path);
    return text === undefined ? [] : [{ path: change.path, text, changed: changedLines(change) }];
  });
}

function changedLines({ hunks }: Change): Set<number> {
  return new Set(
    hunks.flatMap(({ newStart, newLines }) =>
      Array.from({ length: newLines }, (_, index) => newStart + index),
    ),
  );
}

/**
 * Factor of a gate's usual time after which it counts as endless with a mutant, as Stryker's default `timeoutFactor`.
 */
const TIMEOUT_FACTOR = 1.5;
const TIMEOUT_MORE_MS = 5000;

async function mutantResult(
  context: JudgeContext,
  gates: readonly PassedGate[],
  { path, text }: Mutant,
  {
    tested,
    until,
    shown: mutant,
  }: { readonly tested: Tested; readonly until: number; readonly shown: PutIn['mutant'] },
): Promise<ReturnType<typeof mutantResultOf> | 'no_time'> {
  const { clock, stop } = context.ports;
  for (const { spec, result } of gates) {
    const left = until - clock.monotonicMs();
    if (stop.polite.aborted || left < result.durationMs) return 'no_time';
    const limit = Math.min(spec.timeoutMs, result.durationMs * TIMEOUT_FACTOR + TIMEOUT_MORE_MS);
    const timed = { ...spec, timeoutMs: Math.ceil(Math.min(limit, left)) };
    const options = { files: [{ path, text }], mutant, why: 'mutant' } as const;
    const [ran] = (await ask(context, [timed], tested, options)).results;
    const kind = ran?.outcome.kind;
    if (ran === undefined || kind === 'skipped' || kind === 'tool_missing') return 'no_time';
    if (kind === 'timed_out' && limit > left) return 'no_time';
    const fate = mutantResultOf(ran);
    if (fate !== 'survived') return fate;
  }
  return 'survived';
}

function shown({ path, line, kind, before, after }: Mutant, hide: (text: string) => string) {
  const kept = (text: string) => shortened(hide(text), LINE_KEPT);
  return { path, line, kind, before: kept(before), after: kept(after) };
}
