import { readdirSync, readFileSync } from 'node:fs';
import { addToReport, finishReport, startReport } from 'ralph-agents';
import type { AgentEvent, AgentReport, ProcessEnd } from 'ralph-agents/event';
import type { AgentAdapter } from 'ralph-agents/protocol';

export const EXIT_0: ProcessEnd = { kind: 'exited', code: 0 };
export const EXIT_1: ProcessEnd = { kind: 'exited', code: 1 };
export const IDLE: ProcessEnd = { kind: 'timed_out' };

/** Returns the lines of a recording of an agent. */
export function recording(agent: string, scenario: string): readonly string[] {
  const file = new URL(`../fixtures/transcripts/${agent}/${scenario}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

export function eventsOf(adapter: AgentAdapter, scenario: string): readonly AgentEvent[] {
  return recording(adapter.name, scenario).flatMap(adapter.parse);
}

export function report(events: readonly AgentEvent[], end: ProcessEnd): AgentReport {
  return finishReport(events.reduce(addToReport, startReport()), end);
}

/** Returns the names of the scenarios that an agent was recorded in. */
export function recordings(agent: string): ReadonlySet<string> {
  const names = readdirSync(new URL(`../fixtures/transcripts/${agent}/`, import.meta.url));
  return new Set(names.map((name) => name.replace(/\.jsonl$/, '')));
}
