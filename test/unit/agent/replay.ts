import { readFileSync } from 'node:fs';
import { addToReport, finishReport, startReport } from '../../../src/agent/index.ts';
import type { AgentAdapter, AgentEnd, AgentEvent, AgentReport } from '../../../src/domain/agent.ts';

export const EXIT_0: AgentEnd = { kind: 'exited', code: 0 };
export const EXIT_1: AgentEnd = { kind: 'exited', code: 1 };
export const IDLE: AgentEnd = { kind: 'timed_out', which: 'idle', afterMs: 45_000 };

/** Returns the lines of a recording of an agent. */
export function recording(agent: string, scenario: string): readonly string[] {
  const file = new URL(`../../fixtures/transcripts/${agent}/${scenario}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

export function eventsOf(adapter: AgentAdapter, scenario: string): readonly AgentEvent[] {
  return recording(adapter.name, scenario).flatMap(adapter.parse);
}

export function report(events: readonly AgentEvent[], end: AgentEnd): AgentReport {
  return finishReport(events.reduce(addToReport, startReport()), end);
}
