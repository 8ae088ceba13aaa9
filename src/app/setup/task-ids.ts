import { resolve } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import { isService, loadedReader, parseTracker, trackerCandidates } from 'ralph-task-lists';
import type { Config } from '../../domain/config.ts';

/**
 * Returns the ids of tasks in the list's order, because ralph-gold names Markdown tasks by position. Empty if the list
 * is missing or unreadable, which the run reports.
 */
export function taskIdsInOrder(root: string, config: Config['tracker']): string[] {
  const { kind, path: configured } = config;
  if (isService(kind)) return [];
  for (const path of configured === '' ? trackerCandidates('auto') : [configured]) {
    const text = tryOr(null, () => readFileBytes(resolve(root, path)).toString('utf8'));
    if (text === null) continue;
    // YAML tasks of ralph-gold have ids of their own, so the YAML library needn't be loaded.
    const reader = loadedReader(text, path, kind);
    if (reader === null) continue;
    const parsed = parseTracker(text, path, reader, []);
    if (parsed.ok && parsed.tasks.length > 0) return parsed.tasks.map(({ id }) => id);
  }
  return [];
}
