import { gateChanges, nextSources } from '../decide/index.ts';
import type { CommandRun } from '../domain/command-run.ts';
import type { GateResult, GateSources, GateSpec } from '../domain/gate.ts';
import type { GateBaseline } from '../domain/gate-baseline.ts';
import type { CurrentLine } from '../domain/ports.ts';
import type { IterationFacts } from '../domain/records/iteration.ts';
import { type Tested, testedBase } from '../lab/index.ts';
import {
  gatesForBaseline,
  missingTools,
  nextBaseline,
  notShownText,
  nowRed,
  signInLine,
  type TestedElsewhere,
  testedElsewhereText,
} from '../proof/gates/index.ts';
import { redAfterLanding } from '../respond/policy/index.ts';
import type { JudgeContext } from './context.ts';
import { rememberOutputs } from './outputs.ts';
import { keepWork } from './perform/keep-work.ts';
import { takeBack } from './perform/take-back.ts';
import { blindedGates } from './proof/blinded-gates.ts';
import { findCanaries } from './proof/find-canaries.ts';
import { redSince, stillRedOn } from './proof/red-line.ts';
import { runAtFirst } from './proof/run-at-first.ts';
import { runHeldOut } from './proof/run-held-out.ts';
import { whatGatesTest } from './proof/what-gates-test.ts';
import { readGateSources } from './read-gate-sources.ts';

/** The gates that count, in order (`known`), or why no run may start (`refused`). */
type Taken =
  | { readonly kind: 'refused'; readonly message: string; readonly exitCode?: number }
  | { readonly kind: 'known'; readonly gates: readonly GateSpec[] };

/**
 * Runs the gates before any work and returns those that count. A gate that tests other code doesn't count, so it isn't
 * run again.
 */
export async function takeBaseline(
  context: JudgeContext,
  { commit, tree, branch }: CurrentLine,
): Promise<Taken> {
  const { ports, gates, run } = context;
  const { store, work, clock } = ports;
  const known = { kind: 'known', gates } as const;
  if (gates.length === 0) return known;
  const previous = store.state.baseline;
  const key = await work.keyOf(tree);
  const wanted = gatesForBaseline(previous, key, gates);
  if (previous !== null && wanted.length === 0) return known;
  const held = work.base()?.taskId ?? null;
  if (held !== null) await keepWork(context, held, 'moved');
  const base = { commit, tree, branch, taskId: null };
  await work.reset(base, tree);
  const tested = testedBase(base, store.iterationFolder(run, 0));
  store.commit([{ type: 'gates_started', gates: wanted.map(({ name }) => name), baseline: true, one: null }]);
  const open = wanted.filter(({ heldOut }) => heldOut === null);
  const { since, stillRed, ...ran } = await baselineWith(context, previous, open, tested);
  const fresh = [...ran.results, ...(await runHeldOut(context, wanted, tested, 'baseline', ran.needs))];
  if (ports.stop.polite.aborted) return known;
  store.commit([{ type: 'gates_finished', gate: null, baseline: ran.results, judgements: [], results: [] }]);
  const blinded = await blindedGates(context, ran.results, tested);
  if (blinded.length > 0) return { kind: 'refused', message: blinded.join('\n') };
  const { elsewhere, notShown } = await whatGatesTest(context, open, { ...ran, tested });
  const counted = countedAmong(elsewhere, gates);
  const isAlone = !counted.some(({ name }) =>
    fresh.some((one) => one.name === name && one.outcome.kind === 'passed'),
  );
  if (elsewhere.length > 0 && (isAlone || gates.some((spec) => spec.required && !counted.includes(spec))))
    return { kind: 'refused', message: elsewhere.map(testedElsewhereText).join('\n') };
  for (const one of elsewhere)
    store.commit([{ type: 'warned', message: `${testedElsewhereText(one)} Until then it counts as none.` }]);
  const linked = ports.proc.linksNotShown();
  if (linked.length > 0 && fresh.some(({ outcome }) => outcome.kind !== 'passed'))
    store.commit([{ type: 'warned', message: notShownText(linked, context.home ?? '/') }]);
  for (const { name, outcome, outputTail } of fresh) {
    const spec = gates.find((one) => one.name === name);
    const line = outcome.kind === 'failed' && spec?.box === true ? signInLine(spec.run, outputTail) : null;
    if (line !== null && ports.proc.isBoxed)
      store.commit([
        {
          type: 'warned',
          message: `Gate "${name}" wasn't let in by a server: the box has no sign-ins of yours. Add to .ralph/ralph.toml: ${line}.`,
        },
      ]);
  }
  const missing = missingTools(fresh, gates);
  if (missing.fatal.length > 0) {
    const named = missing.fatal.map(({ gate, tool }) => `gate "${gate}" needs ${tool}, which was not found`);
    const message = `${named.join('; ')}. Install it, or set on_missing = "warn" or "skip" for that gate in .ralph/ralph.toml if it isn't required.`;
    return { kind: 'refused', message };
  }
  for (const { gate, tool } of missing.warnings) {
    store.commit([
      {
        type: 'warned',
        message: `Gate "${gate}" needs ${tool}, which wasn't found; the run continues without it.`,
      },
    ]);
  }
  rememberOutputs(context, ran.createdPaths, []);
  const tried = countedAmong(elsewhere, open);
  const canaries = await findCanaries(context, tried, {
    results: fresh,
    tested,
    needs: ran.needs,
  });
  const baseline = nextBaseline({
    previous,
    specs: counted,
    newRuns: [...fresh, ...canaries],
    tree: key,
    at: clock.now(),
    sources: sourcesToGoBy(context, previous, [readGateSources(context)]),
    tried: { needs: ran.needs, builtAnew: ran.builtAnew },
  });
  const armed =
    since === null
      ? null
      : redAfterLanding({ taskId: since.taskId, gates: stillRed.map(({ name }) => name) });
  const fail = canaries.map(({ name }) => name);
  const unknown = tried.map(({ name }) => name).filter((name) => !fail.includes(name));
  const blind = notShown.map(({ gate, generatedPaths }) => ({ gate, made: [...generatedPaths] }));
  store.commit(() => [{ type: 'baseline_taken', baseline, armed, tried: { fail, unknown, blind } }]);
  if (since !== null) await takeBack(context, since.taskId, since, stillRed);
  return { kind: 'known', gates: counted };
}

function countedAmong(
  elsewhere: readonly TestedElsewhere[],
  specs: readonly GateSpec[],
): readonly GateSpec[] {
  return specs.filter(({ name }) => !elsewhere.some((one) => one.gates.some((gate) => gate.name === name)));
}

type Held = Awaited<ReturnType<typeof runAtFirst>> & {
  readonly since: IterationFacts['redSince'];
  readonly stillRed: readonly CommandRun[];
};

/** Returns what gates are compared with. `since`: landed result since which gates fail that passed when last run. */
async function baselineWith(
  context: JudgeContext,
  previous: GateBaseline | null,
  specs: readonly GateSpec[],
  tested: Tested,
): Promise<Held> {
  const ran = await runAtFirst(context, specs, tested);
  const red = nowRed(previous, specs, ran.results);
  if (red.length === 0 || context.ports.stop.polite.aborted) return { ...ran, since: null, stillRed: [] };
  const stillRed = await stillRedOn(
    context,
    tested,
    red,
    ran.results.filter(({ name }) => red.some((spec) => spec.name === name)),
  );
  const isChance = ({ name }: GateResult) =>
    red.some((spec) => spec.name === name) && !stillRed.some((run) => run.name === name);
  // A failure by chance counts as passed, because it would turn the gate off for the whole run.
  const results = ran.results.map((one) =>
    isChance(one) ? { ...one, outcome: { kind: 'passed' as const } } : one,
  );
  const since = await redSince(context, tested, null, { specs: red, red: stillRed });
  return { ...ran, results, since, stillRed };
}

/** Returns the files that the gates' commands run. Reports gates that can't fail any more. */
function sourcesToGoBy(
  { ports: { store }, gates }: JudgeContext,
  previous: GateBaseline | null,
  seen: readonly GateSources[],
): GateSources {
  const now = seen.at(-1) ?? {};
  const sources = nextSources(previous, gates, now, true);
  for (const { gate, path, hollow: why } of gateChanges([now, now], sources)) {
    store.commit([
      {
        type: 'warned',
        message: `Gate "${gate}" can't be passed: ${path} ${why}. Restore it, or change the gate's command in .ralph/ralph.toml if that is what you want.`,
      },
    ]);
  }
  return sources;
}
