import { parsePatch } from 'ralph-kit/formats/patch';

type Lines = ReadonlyMap<string, ReadonlyMap<number, string>>;

/**
 * Returns the changed lines of a unified diff by their number after the change. A deletion is an empty line at the line
 * that follows it.
 */
export function changedLines(diff: string): Lines {
  const files = new Map<string, Map<number, string>>();
  for (const { newPath, runs } of parsePatch(diff)) {
    const lines = new Map<number, string>();
    if (newPath !== null) files.set(newPath, lines);
    for (const { removed, added, newStart } of runs) {
      if (removed.length > 0) lines.set(added.length > 0 ? newStart : newStart + 1, '');
      for (const [index, text] of added.entries()) lines.set(newStart + index, text);
    }
  }
  return files;
}
