import { MOST_PATHS } from 'ralph-kit/actions/action';
import { fitsPattern, isAtOrBelow, isBelow, parentOf } from 'ralph-kit/paths';
import type { Effect, Spot } from '../effects/index.ts';
import type { Leftover, OwnFiles, ReviewPlace, RunPlace } from '../forms/place.ts';

/** Returns the attempt's own files after an action with these effects. Never throws. */
export function ownFilesAfter(effects: readonly Effect[], place: ReviewPlace): OwnFiles {
  try {
    return withEffects(effects, place);
  } catch {
    return place.ownFiles;
  }
}

/** Returns the place as it is when an effect begins. Files that earlier effects created count as the attempt's own. */
export function placesAlong(effects: readonly Effect[], start: ReviewPlace): (effect: Effect) => ReviewPlace {
  let places: ReadonlyMap<Effect, ReviewPlace> | null = null;
  return (effect) => {
    places ??= placesOf(effects, start);
    return places.get(effect) ?? start;
  };
}

function placesOf(effects: readonly Effect[], start: ReviewPlace): ReadonlyMap<Effect, ReviewPlace> {
  const places = new Map<Effect, ReviewPlace>();
  let place = start;
  for (const effect of effects) {
    places.set(effect, place);
    const ownFiles = ownFilesAfter([effect], place);
    if (ownFiles !== place.ownFiles) place = { ...place, ownFiles };
  }
  return places;
}

/** Returns the attempt's own files with those of these effects: a path that is written where nothing was is the attempt's. */
function withEffects(effects: readonly Effect[], place: ReviewPlace): OwnFiles {
  const ownFiles = { ...place.ownFiles, git: sharedByGit(effects, place.ownFiles.git) };
  if (ownFiles.paths.length + ownFiles.names.length > MOST_PATHS) return ownFiles;
  const spots = effects.flatMap((effect) =>
    effect.kind === 'writes' || effect.kind === 'names' ? effect.spots() : [],
  );
  const paths = spots.flatMap((spot) => pathMade(spot, place));
  const names = spots.flatMap((spot) => namesMade(spot, place));
  if (paths.length + names.length === 0)
    return ownFiles.git === place.ownFiles.git ? place.ownFiles : ownFiles;
  return {
    ...ownFiles,
    paths: [...new Set([...ownFiles.paths, ...paths])],
    names: [...ownFiles.names, ...names],
  };
}

function sharedByGit(effects: readonly Effect[], before: OwnFiles['git']): OwnFiles['git'] {
  const shares = effects.flatMap((effect) => (effect.kind === 'shares' ? [effect] : []));
  const remotes = shares.flatMap(({ what, name }) => (what === 'remote' ? [name] : []));
  const keys = shares.some(({ what }) => what === 'keys');
  if (remotes.length === 0 && !keys) return before;
  return { remotes: [...new Set([...before.remotes, ...remotes])], keys: before.keys || keys };
}

/** Bounds the paths that are kept for the next attempt at a task. */
const MOST_LEFT = 100;

export function existingLeftovers(
  left: readonly Leftover[],
  { bornAt }: Pick<RunPlace, 'bornAt'>,
): Leftover[] {
  return left.filter((one) => bornAt(one.path) === one.bornAt);
}

/** Returns the files that stay after an attempt which began at `beganAt`, with those of earlier attempts. */
export function leftoversAfter(
  ownFiles: OwnFiles,
  before: readonly Leftover[],
  { bornAt, entries }: Pick<RunPlace, 'bornAt' | 'entries'>,
  beganAt: number,
): Leftover[] {
  const known = existingLeftovers(before, { bornAt });
  const madeUp = ownFiles.names.flatMap(({ folder, prefix, existing: others }) =>
    entries(folder)
      .filter((name) => name.startsWith(prefix) && !others.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  const fresh = [...new Set([...ownFiles.paths, ...madeUp])]
    .filter((path) => !known.some((one) => one.path === path))
    .map((path) => ({ path, bornAt: bornAt(path) ?? 0 }))
    .filter((one) => one.bornAt >= beganAt);
  return [...known, ...fresh].slice(-MOST_LEFT);
}

/** Returns the topmost path that doesn't exist yet, as a program may create the folders above a file. */
function pathMade(spot: Spot, { root, existed }: ReviewPlace): string[] {
  // The folders above the repository exist, even if they can't be seen.
  if (spot.kind !== 'path' || isAtOrBelow(spot.path, root) || isAtOrBelow(root, spot.path)) return [];
  if (existed(spot.path) || existed(spot.writtenPath)) return [];
  let top = spot.path;
  while (parentOf(top) !== '/' && !existed(parentOf(top)) && !isAtOrBelow(root, parentOf(top)))
    top = parentOf(top);
  return [top];
}

/** `mktemp` chooses a name, so any new entry with the prefix may be its file. */
function namesMade(spot: Spot, { root, entries, existed }: ReviewPlace): OwnFiles['names'][number][] {
  if (spot.kind !== 'entries' || !spot.staysInFolder || isAtOrBelow(spot.folder, root)) return [];
  const [, prefix] = /^([^*?[\uE000-\uE002/]+)[*?\uE000-\uE002]/.exec(spot.pattern) ?? [];
  if (prefix === undefined) return [];
  const existing = entries(spot.folder).filter(
    (name) => name.startsWith(prefix) && existed(`${spot.folder}/${name}`),
  );
  return [{ folder: spot.folder, prefix, existing }];
}

export function isMadeByAttempt(path: string, { ownFiles, tmpdir, root }: ReviewPlace): boolean {
  if (isAtOrBelow(root, path)) return false;
  if (tmpdir.own && isBelow(path, tmpdir.path)) return true;
  if (ownFiles.paths.some((own) => isAtOrBelow(path, own))) return true;
  return ownFiles.names.some(({ folder, prefix, existing }) => {
    const [name = ''] = isBelow(path, folder) ? path.slice(folder.length + 1).split('/') : [];
    return name.startsWith(prefix) && !existing.includes(name);
  });
}

export function isAllMadeByAttempt(spot: Spot, place: ReviewPlace): boolean {
  if (spot.kind === 'path') return isMadeByAttempt(spot.path, place);
  if (spot.kind !== 'entries' || !spot.staysInFolder) return false;
  const { own, path } = place.tmpdir;
  if (isMadeByAttempt(spot.folder, place) || (own && spot.folder === path)) return true;
  return entriesAre(spot, place) === 'own';
}

/** Returns who made the entries that a pattern matches: `own` if the attempt made all, `none` if none exist. */
export function entriesAre(
  { folder, pattern }: Extract<Spot, { kind: 'entries' }>,
  place: ReviewPlace,
): 'own' | 'others' | 'none' {
  // The mark stands for a number or name that is known only when the command runs.
  const [first = ''] = pattern.replace(/[\uE001\uE002]+/g, '*').split('/');
  const fits = (path: string) =>
    isBelow(path, folder) && fitsPattern(path.slice(folder.length + 1).split('/')[0] ?? '', first);
  const there = place.entries(folder).filter((name) => fitsPattern(name, first));
  if (there.some((name) => !isMadeByAttempt(`${folder}/${name}`, place))) return 'others';
  return there.length > 0 || place.ownFiles.paths.some(fits) ? 'own' : 'none';
}
