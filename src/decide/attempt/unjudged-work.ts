import type { Change } from '../../domain/change-set.ts';
import type { TaskState } from '../../domain/records/state.ts';
import type { UnjudgedWork } from '../../domain/records/unjudged-work.ts';
import { isOutsideCause } from '../../domain/verdict.ts';

const FILES_KEPT = 20;

/**
 * Returns the work that attempts left without a verdict: their end wasn't seen, or an outside cause ended them. `null`:
 * none.
 * @param changes The task's work in the copy; `null`: it wasn't compared.
 */
export function unjudgedWork(
  { attempts, cutOff, series }: Pick<TaskState, 'attempts' | 'cutOff' | 'series'>,
  changes: readonly Change[] | null,
): UnjudgedWork | null {
  const work = new Set(series?.work);
  const found =
    changes === null ? [...work].map(unseen) : changes.filter(({ path }) => work.has(path)).map(seen);
  const files = found.slice(0, FILES_KEPT);
  const left = { files, more: found.length - files.length };
  if (cutOff.length > 0) return { how: 'cut_off', iterations: [...cutOff], ...left };
  const last = attempts.at(-1);
  if (last === undefined || !isOutsideCause(last.verdict)) return null;
  // The texts for these two verdicts already say where the files are.
  if (last.verdict === 'conflict' || last.verdict === 'awaiting_human') return null;
  if (last.verdict !== 'interrupted' && found.length === 0) return null;
  return {
    how: last.verdict === 'interrupted' ? 'stopped' : 'outside',
    iterations: [last.iteration],
    ...left,
  };
}

type File = UnjudgedWork['files'][number];

function unseen(path: string): File {
  return { path, change: null };
}

function seen({ path, kind, linesAdded: added, linesRemoved: removed }: Change): File {
  return { path, change: { kind, added, removed } };
}
