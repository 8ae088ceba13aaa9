import { MOST_PATHS } from 'ralph-kit/actions/action';
import type { LeftBehind, Made, ReviewPlace, RunPlace } from 'ralph-kit/actions/review';
import { fitsPattern, isAtOrBelow, isBelow, parentOf } from 'ralph-kit/paths';
import type { Effect, Spot } from '../effects/index.ts';

/** Returns the attempt's own files after an action with these effects. Never throws. */
export function madeAfter(effects: readonly Effect[], place: ReviewPlace): Made {
  try {
    return withEffects(effects, place);
  } catch {
    return place.made;
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
    const made = madeAfter([effect], place);
    if (made !== place.made) place = { ...place, made };
  }
  return places;
}

/** Returns the attempt's own files with those of these effects: a path that is written where nothing was is the attempt's. */
function withEffects(effects: readonly Effect[], place: ReviewPlace): Made {
  const made = { ...place.made, git: sharedByGit(effects, place.made.git) };
  if (made.paths.length + made.names.length > MOST_PATHS) return made;
  const spots = effects.flatMap((effect) =>
    effect.kind === 'writes' || effect.kind === 'names' ? effect.spots() : [],
  );
  const paths = spots.flatMap((spot) => pathMade(spot, place));
  const names = spots.flatMap((spot) => namesMade(spot, place));
  if (paths.length + names.length === 0) return made.git === place.made.git ? place.made : made;
  return { ...made, paths: [...new Set([...made.paths, ...paths])], names: [...made.names, ...names] };
}

function sharedByGit(effects: readonly Effect[], before: Made['git']): Made['git'] {
  const shares = effects.flatMap((effect) => (effect.kind === 'shares' ? [effect] : []));
  const remotes = shares.flatMap(({ what, name }) => (what === 'remote' ? [name] : []));
  const keys = shares.some(({ what }) => what === 'keys');
  if (remotes.length === 0 && !keys) return before;
  return { remotes: [...new Set([...before.remotes, ...remotes])], keys: before.keys || keys };
}

/** Bounds the paths that are kept for the next attempt at a task. */
const MOST_LEFT = 100;

export function stillLeft(left: readonly LeftBehind[], { bornAt }: Pick<RunPlace, 'bornAt'>): LeftBehind[] {
  return left.filter((one) => bornAt(one.path) === one.bornAt);
}

/** Returns the files that stay after an attempt which began at `beganAt`, with those of earlier attempts. */
export function leftAfter(
  made: Made,
  before: readonly LeftBehind[],
  { bornAt, entries }: Pick<RunPlace, 'bornAt' | 'entries'>,
  beganAt: number,
): LeftBehind[] {
  const known = stillLeft(before, { bornAt });
  const madeUp = made.names.flatMap(({ folder, prefix, before: others }) =>
    entries(folder)
      .filter((name) => name.startsWith(prefix) && !others.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  const fresh = [...new Set([...made.paths, ...madeUp])]
    .filter((path) => !known.some((one) => one.path === path))
    .map((path) => ({ path, bornAt: bornAt(path) ?? 0 }))
    .filter((one) => one.bornAt >= beganAt);
  return [...known, ...fresh].slice(-MOST_LEFT);
}

/** Returns the topmost path that doesn't exist yet, as a program may create the folders above a file. */
function pathMade(spot: Spot, { root, existed }: ReviewPlace): string[] {
  // The folders above the repository exist, even if they can't be seen.
  if (spot.kind !== 'path' || isAtOrBelow(spot.path, root) || isAtOrBelow(root, spot.path)) return [];
  if (existed(spot.path) || existed(spot.named)) return [];
  let top = spot.path;
  while (parentOf(top) !== '/' && !existed(parentOf(top)) && !isAtOrBelow(root, parentOf(top)))
    top = parentOf(top);
  return [top];
}

/** `mktemp` chooses a name, so any new entry with the prefix may be its file. */
function namesMade(spot: Spot, { root, entries, existed }: ReviewPlace): Made['names'][number][] {
  if (spot.kind !== 'entries' || !spot.known || isAtOrBelow(spot.folder, root)) return [];
  const [, prefix] = /^([^*?[\uE000-\uE002/]+)[*?\uE000-\uE002]/.exec(spot.pattern) ?? [];
  if (prefix === undefined) return [];
  const before = entries(spot.folder).filter(
    (name) => name.startsWith(prefix) && existed(`${spot.folder}/${name}`),
  );
  return [{ folder: spot.folder, prefix, before }];
}

export function isOwn(path: string, { made, tmpdir, root }: ReviewPlace): boolean {
  if (isAtOrBelow(root, path)) return false;
  if (tmpdir.own && isBelow(path, tmpdir.path)) return true;
  if (made.paths.some((own) => isAtOrBelow(path, own))) return true;
  return made.names.some(({ folder, prefix, before }) => {
    const [name = ''] = isBelow(path, folder) ? path.slice(folder.length + 1).split('/') : [];
    return name.startsWith(prefix) && !before.includes(name);
  });
}

export function isAllOwn(spot: Spot, place: ReviewPlace): boolean {
  if (spot.kind === 'path') return isOwn(spot.path, place);
  if (spot.kind !== 'entries' || !spot.known) return false;
  const { own, path } = place.tmpdir;
  if (isOwn(spot.folder, place) || (own && spot.folder === path)) return true;
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
  if (there.some((name) => !isOwn(`${folder}/${name}`, place))) return 'others';
  return there.length > 0 || place.made.paths.some(fits) ? 'own' : 'none';
}
