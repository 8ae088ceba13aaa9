import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXIT_1, recording } from '../../../test/helpers/agent-recordings.ts';
import { AgentReport } from './event.ts';
import { ADAPTERS, addToReport, finishReport, startReport } from './index.ts';
import type { AgentAdapter } from './protocol.ts';

const ALL = Object.values(ADAPTERS);

function feed(adapter: AgentAdapter, lines: readonly string[]) {
  const events = lines.flatMap((line) => adapter.parse(line));
  const report = finishReport(events.reduce(addToReport, startReport()), EXIT_1);
  expect(AgentReport.parse(report)).toEqual(report);
}

/** Replaces one value somewhere in a JSON document by another. */
function damaged(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return other;
  const entries = Object.entries(value);
  const hit = entries[step % Math.max(1, entries.length)];
  if (hit === undefined) return other;
  const replaced = { ...value, [hit[0]]: damaged(hit[1], rest, other) };
  return Array.isArray(value) ? Object.values(replaced) : replaced;
}

const NESTED = `${'['.repeat(5000)}${']'.repeat(5000)}`;
const SCENARIOS = ['a-writes-file', 'c-dangerous-hook', 'f-429', 'f-500'];

describe('an adapter never throws', () => {
  it.each(ALL)('$name, over any lines', (adapter) => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .record({
          type: fc.constantFrom('result', 'assistant', 'error', 'text', 'message', 'item.completed'),
        })
        .map((x) => JSON.stringify(x)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => feed(adapter, lines)),
      { numRuns: 100 },
    );
  });

  it.each(ALL)('$name, over damaged recordings', (adapter) => {
    const lines = SCENARIOS.flatMap((scenario) => recording(adapter.name, scenario));
    const damage = fc.record({
      line: fc.nat(lines.length - 1),
      path: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
      other: fc.jsonValue(),
    });
    fc.assert(
      fc.property(damage, ({ line, path, other }) => {
        const whole = lines[line] ?? '';
        feed(adapter, [
          JSON.stringify(damaged(JSON.parse(whole), path, other)),
          whole.slice(0, whole.length / 2),
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it.each(ALL)('$name, over hostile lines', (adapter) => {
    feed(adapter, [
      '',
      '{',
      'null',
      '[]',
      '{"__proto__":{"type":"result"}}',
      '{"type":"result","is_error":true,"errors":[null,{}],"usage":{"input_tokens":1e999}}',
      '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1e300}}',
      '{"type":"error","timestamp":1e300,"error":{"data":{"statusCode":429,"responseHeaders":{"retry-after":"1e300"}}}}',
      `${'{"type":'.repeat(20_000)}`,
      `{"type":"user","message":{"content":[{"type":"tool_result","content":${NESTED}}]}}`,
      `{"type":"tool.execution_complete","data":{"result":{"content":${NESTED}}}}`,
      `{"type":"item.started","item":{"type":"mcp_tool_call","arguments":{"a":${NESTED}}}}`,
    ]);
  });
});
