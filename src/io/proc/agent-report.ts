import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AgentEvent, AgentPlan } from '../../domain/agent.ts';
import { readPlainFile } from '../files/plain-file.ts';

/** Bytes of a report that are read; a longer one is none. */
const LONGEST = 1_000_000;

/** Makes the folder of an agent's report. Gives what the agent has to be able to write to. @throws The Node error. */
export function openReport({ report }: AgentPlan): readonly string[] {
  if (report === undefined) return [];
  const folder = dirname(report.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return [folder];
}

/** What an agent that has ended reported in its file; nothing where that is missing or isn't a file. */
export function readReport({ report }: AgentPlan, onEvent: (event: AgentEvent) => void): void {
  if (report === undefined) return;
  const file = readPlainFile(report.path, LONGEST);
  if (file.kind === 'file') for (const event of report.parse(file.bytes.toString('utf8'))) onEvent(event);
}

export function removeReport({ report }: AgentPlan): void {
  if (report !== undefined) rmSync(dirname(report.path), { recursive: true, force: true });
}
