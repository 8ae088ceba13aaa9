import type { DryRunResult } from '../../app/commands/run.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { words } from './words.ts';

/** `ralph run --dry-run` */
export function dryRunText(data: DryRunResult, { style }: Terminal): string {
  const { tasks, tracker, next, incident, outcome } = data;
  const head = `${tasks.done} of ${tasks.total} tasks in ${tracker} are done. Nothing was run.`;
  if (next === null) return `${head}\nNothing to start (${words(outcome)}). Next: ralph explain`;
  if (incident !== null) {
    return `${head}\nRuns are paused until you resolve ${incident}. Next: ralph resume ${incident}`;
  }
  return `${head}\n${style.bold(next.id)} would be started: ${next.title} (${next.why}).`;
}
