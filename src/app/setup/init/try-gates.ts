import { formatDuration } from 'ralph-kit/duration';
import type { DetectedGate } from '../../../decide/index.ts';
import { type GateOutcome, type GateSpec, outcomeText } from '../../../domain/gate.ts';
import type { StopSignal } from '../../../domain/ports.ts';
import { ranNoTest, type TestResults } from '../../../domain/test-results.ts';
import { scratchClone } from '../../../git/index.ts';
import { systemClock } from '../../../io/clock.ts';
import { openProc } from '../../../io/proc/index.ts';
import { outcomeBy, readResults } from '../../../proof/results/index.ts';

export type TriedGate = Pick<DetectedGate, 'name' | 'run'> & {
  readonly result: 'passed' | 'failed' | 'timed_out' | 'tool_missing' | 'not_run';
  readonly detail: string;
};

type Trial = { readonly gate: TriedGate; readonly unread: number };

/** Milliseconds that one gate may take. */
const ONE_MS = 60_000;
/** Milliseconds that all gates together may take. */
const ALL_MS = 180_000;

/** Runs each gate once in a copy of the work tree, and removes the copy. */
export async function tryGates(
  root: string,
  gates: readonly DetectedGate[],
  stop: StopSignal,
  onGate: (gate: DetectedGate) => void,
): Promise<TriedGate[]> {
  const clock = systemClock();
  const end = clock.monotonicMs() + ALL_MS;
  const scratch = await scratchClone(root);
  if (!scratch.ok) return gates.map((gate) => ({ ...notTried(gate), detail: `not run: ${scratch.why}` }));
  const { folder, remove } = scratch.clone;
  const proc = openProc({ clock, env: process.env, root: folder });
  const tried: TriedGate[] = [];
  const tryOne = async ({ name, run }: DetectedGate): Promise<Trial> => {
    const timeoutMs = Math.min(ONE_MS, end - clock.monotonicMs());
    if (timeoutMs <= 0 || stop.polite.aborted) return { gate: notTried({ name, run }), unread: Infinity };
    onGate({ name, run });
    const spec = {
      name,
      run,
      timeoutMs,
      onMissing: 'fail',
      paths: null,
      required: false,
      box: false,
      parses: [],
      heldOut: null,
    } satisfies GateSpec;
    const where = { cwd: folder, copy: null };
    const { outcome, printed } = await proc.runGate(spec, where, `${folder}.log`, stop);
    const results = readResults([], { ...printed, files: [] }, run);
    const none = results !== null && ranNoTest(results);
    const result = resultOf(outcomeBy(outcome, results));
    const but = result.result === 'passed' ? ', but' : ',';
    const detail = `${result.detail}${none ? `${but} 0 tests ran` : ''}`;
    return { gate: { name, run, ...result, detail }, unread: unreadFiles(result.result, results) };
  };
  try {
    for (const gate of gates) {
      const first = await tryOne(gate);
      const { name, otherwise } = gate;
      const isTriedAgain = otherwise !== undefined && first.unread > 0;
      const second = isTriedAgain ? await tryOne({ name, run: otherwise }) : first;
      tried.push(second.unread < first.unread ? second.gate : first.gate);
    }
  } finally {
    remove();
  }
  return tried;
}

/** Returns the number of test files that couldn't be loaded; infinite for a gate that failed and reports no test. */
function unreadFiles(result: TriedGate['result'], results: TestResults | null): number {
  if (result === 'passed' || result === 'timed_out') return 0;
  const { tests = null, notLoaded = null } = results ?? {};
  return notLoaded?.length ?? (tests === null ? Infinity : 0);
}

export function notTried({ name, run }: DetectedGate): TriedGate {
  return { name, run, result: 'not_run', detail: 'not run' };
}

/** A trial is ended after a minute, which says nothing of the time that the gate will have. */
function resultOf(outcome: GateOutcome): Pick<TriedGate, 'result' | 'detail'> {
  if (outcome.kind === 'timed_out')
    return { result: 'timed_out', detail: `still running after ${formatDuration(outcome.afterMs)}` };
  return { result: outcome.kind === 'skipped' ? 'not_run' : outcome.kind, detail: outcomeText(outcome) };
}
