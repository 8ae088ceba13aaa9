import { readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claude,
  codex,
  copilot,
  customAdapter,
  gemini,
  lineReading,
  opencode,
  pi,
  qwen,
  scriptedAdapter,
} from '../../../src/agent/index.ts';
import type { AgentAdapter } from '../../../src/domain/agent.ts';
import { EXIT_0, EXIT_1, recording, report } from './replay.ts';

const ALL = [claude, codex, copilot, gemini, opencode, qwen, pi];

function linesOf(adapter: AgentAdapter): readonly string[] {
  const folder = new URL(`../../fixtures/transcripts/${adapter.name}/`, import.meta.url);
  return readdirSync(folder).flatMap((file) => recording(adapter.name, file.replace('.jsonl', '')));
}

const isRead = (adapter: AgentAdapter) => {
  const { unread, unreadWhenLong } = lineReading(adapter);
  // As if every line were a long one.
  return (line: string) => ![...unread, ...unreadWhenLong].some((beginning) => line.startsWith(beginning));
};

/** The keys of every object in another order, and values that the reading of a line goes by. */
function changed(value: unknown, turn: number, kind: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, turn, kind));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, changed(one, turn, kind)] as const);
  const at = turn % Math.max(1, entries.length);
  const turned = [...entries.slice(at), ...entries.slice(0, at)];
  return Object.fromEntries(kind === null ? turned : turned.map(([k, v]) => [k, k === 'type' ? kind : v]));
}

describe.each(ALL)('lines of $name that are left unread', (adapter) => {
  const lines = linesOf(adapter);
  const kinds = [...new Set(lines.map((line) => String(JSON.parse(line).type)))];

  it('hold nothing but tool results', () => {
    const variant = fc.record({
      line: fc.constantFrom(...lines),
      turn: fc.nat(5),
      kind: fc.option(fc.constantFrom(...kinds, 'stream_event', 'item.updated', 'tool_result', 'assistant')),
    });
    fc.assert(
      fc.property(variant, ({ line, turn, kind }) => {
        const other = JSON.stringify(changed(JSON.parse(line), turn, kind));
        const lost = [line, other].filter((one) => !isRead(adapter)(one)).flatMap(adapter.parse);
        expect(lost.filter((event) => event.kind !== 'tool_result')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('change no report, in whatever order lines come', () => {
    const some = fc.array(fc.constantFrom(...lines), { maxLength: 12 });
    fc.assert(
      fc.property(some, fc.constantFrom(EXIT_0, EXIT_1), (chosen, end) => {
        const read = chosen.filter(isRead(adapter));
        expect(report(read.flatMap(adapter.parse), end)).toEqual(report(chosen.flatMap(adapter.parse), end));
      }),
      { numRuns: 100 },
    );
  });
});

describe('lineReading', () => {
  it('leaves out what Claude Code was answered, where it is long', () => {
    const line = '{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}';
    expect(isRead(claude)(line)).toBe(false);
    expect(isRead(claude)(` ${line}`)).toBe(true);
    expect(lineReading(claude).unread.some((beginning) => line.startsWith(beginning))).toBe(false);
  });

  it('takes lines together where all of them are the words of the agent', () => {
    const scripted = { node: 'node', program: 'main.js', scenarioFile: 's.json' };
    expect(lineReading(customAdapter('x', { argv: ['x'] })).together).toBe(true);
    expect(lineReading(scriptedAdapter({ ...scripted, output: 'text' })).together).toBe(true);
    // Each line tells by itself what it is.
    expect(lineReading(scriptedAdapter(scripted)).together).toBe(false);
    for (const adapter of ALL) expect(lineReading(adapter).together).toBe(false);
  });
});
