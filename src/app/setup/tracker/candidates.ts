import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from 'ralph-kit/try-or';
import { type FileKind, trackerCandidates, trackerPlaces } from 'ralph-task-lists';

/** Paths at which a list of one kind is looked for, relative to the repository, in order. */
export type Candidates = {
  readonly usual: readonly string[];
  /** Existing paths of other tools' lists. */
  readonly elsewhere: readonly string[];
};

export function candidatesIn(root: string, kind: FileKind): Candidates {
  const elsewhere = trackerPlaces(kind).flatMap((place) => expanded(root, place));
  return { usual: trackerCandidates(kind), elsewhere };
}

/** Returns the existing paths that match a place; `*` in one of its names matches any text. */
function expanded(root: string, place: string): string[] {
  const star = place.split('/').findIndex((name) => name.includes('*'));
  if (star === -1) return [place];
  const names = place.split('/');
  const above = names.slice(0, star).join('/');
  const [before = '', after = ''] = names[star]?.split('*') ?? [];
  return tryOr([], () => readdirSync(join(root, above)))
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => [above, name, ...names.slice(star + 1)].join('/'));
}
