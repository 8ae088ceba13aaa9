import type { GateOutcome, GateResult, GateSpec } from '../../../src/domain/gate.ts';
import { type GateBaseline, NOT_TRIED } from '../../../src/domain/gate-baseline.ts';
import { commandRun } from '../../helpers/facts.ts';

export const PASSED: GateOutcome = { kind: 'passed' };
export const FAILED: GateOutcome = { kind: 'failed', exitCode: 1, signal: null };
export const TIMED_OUT: GateOutcome = { kind: 'timed_out', afterMs: 60_000 };
export const MISSING: GateOutcome = { kind: 'tool_missing', tool: 'swiftlint' };
export const SKIPPED: GateOutcome = { kind: 'skipped', reason: 'no changed path matches' };

export function spec(name: string, over: Partial<GateSpec> = {}): GateSpec {
  return {
    name,
    run: `run ${name}`,
    timeoutMs: 60_000,
    onMissing: 'fail',
    paths: null,
    required: false,
    box: true,
    parses: [],
    heldOut: null,
    ...over,
  };
}

export function result(name: string, outcome: GateOutcome, outputTail = ''): GateResult {
  return { name, outcome, durationMs: 10, outputTail, results: null, rewrote: [] };
}

export function baseline(
  outcomes: Record<string, GateOutcome>,
  over: Partial<GateBaseline> = {},
): GateBaseline {
  return {
    tree: 'tree-1',
    takenAt: '2026-01-20T10:00:00.000Z',
    runs: Object.entries(outcomes).map(([name, outcome]) =>
      commandRun({ name, outcome, why: 'baseline', outputTail: '' }),
    ),
    commands: {},
    sources: {},
    ...NOT_TRIED,
    ...over,
  };
}
