import { fitsPattern, isAtOrBelow, isBelow, placedPath } from '../../lib/paths.ts';
import { type Contained, hostPaths, sourcePaths } from '../shell/index.ts';
import type { Effect, EffectPlace, PathEffect, Spot } from './effect.ts';

/** A container's own place, of whose files nothing is known but for those of this machine. */
export function placeInside({ home, tmpdir, writtenText }: EffectPlace, contained: Contained): EffectPlace {
  const textAt = (path: string) => {
    const [host = null] = hostPaths(path, contained);
    return host === null ? null : writtenText(host);
  };
  return { root: '/', home, tmpdir, realPath: (path) => path, writtenText: textAt };
}

/** Effects on paths of a container as what they are on this machine: where nothing is mounted, none. */
export function throughMounts(
  effects: readonly Effect[],
  contained: Contained,
  place: EffectPlace,
): readonly Effect[] {
  return effects.flatMap((effect): readonly Effect[] => {
    if (!('spots' in effect)) return [effect];
    if (takesWhatLasts(effect, contained)) {
      return [{ kind: 'destroys', by: effect.by, shown: `${effect.by} ${effect.shown}`, what: 'local' }];
    }
    const spots = distinct(effect.spots().flatMap((spot) => hostSpots(spot, effect, contained)));
    return spots.length === 0
      ? []
      : [{ ...effect, spots: () => spots.map((spot) => followed(spot, effect, place)) }];
  });
}

/** Where a container that ran before has its programs and its data. */
const OF_A_CONTAINER =
  /^\/(?:$|(?:etc|usr|bin|sbin|lib\w*|boot|home|root|srv|data|opt)(?:\/|$)|var\/(?:lib|www|mail|spool)(?:\/|$))/;
const MADE_AGAIN =
  /\/(?:node_modules|dist|build|target|coverage|\.?cache|tmp|log|logs|__pycache__|\.next)(?:\/|$)/;

/** Whether a folder goes with all that is in it, from a container that stays. */
function takesWhatLasts(effect: PathEffect, { lasts, mounts }: Contained): boolean {
  if (effect.kind !== 'deletes' || !effect.recursive || !lasts) return false;
  return effect.spots().some((spot) => {
    if (spot.kind === 'anywhere') return false;
    const path = spot.kind === 'path' ? spot.path : spot.folder;
    if (MADE_AGAIN.test(path) || mounts.some(({ inside }) => isAtOrBelow(path, inside))) return false;
    return OF_A_CONTAINER.test(path);
  });
}

/** From several folders, the same place. */
function distinct(spots: readonly Spot[]): readonly Spot[] {
  return [...new Map(spots.map((spot) => [JSON.stringify(spot), spot])).values()];
}

/** Where a place in a container lies on this machine; links aren't followed yet. */
function hostSpots(spot: Spot, effect: PathEffect, contained: Contained): readonly Spot[] {
  const { mounts } = contained;
  if (spot.kind === 'anywhere') return mounts.length > 0 ? [spot] : [];
  const path = spot.kind === 'path' ? spot.path : spot.folder;
  const direct = hostPaths(path, contained).map((host): Spot => {
    if (host === null) return { kind: 'anywhere' };
    return spot.kind === 'path' ? { kind: 'path', path: host, named: host } : { ...spot, folder: host };
  });
  // What is deleted with all that is in it takes along what is mounted below.
  const below = effect.recursive
    ? mounts.filter(({ inside }) => isBelow(inside, path) && isMeant(inside, spot))
    : [];
  const sources = below.flatMap((mount) => sourcePaths(mount, contained.cwds));
  return [
    ...direct,
    ...sources.map(
      (source): Spot =>
        source === null ? { kind: 'anywhere' } : { kind: 'path', path: source, named: source },
    ),
  ];
}

/** Whether a mount below a folder is among the entries that a pattern stands for. */
function isMeant(inside: string, spot: Spot): boolean {
  if (spot.kind !== 'entries') return true;
  const [name = ''] = inside.slice(spot.folder === '/' ? 1 : spot.folder.length + 1).split('/');
  return !spot.known || fitsPattern(name, spot.pattern.split('/')[0] ?? '');
}

function followed(spot: Spot, { kind }: PathEffect, { realPath }: EffectPlace): Spot {
  if (spot.kind === 'anywhere') return spot;
  if (spot.kind === 'path')
    return { ...spot, path: placedPath(spot.path, '/', realPath, kind !== 'deletes') };
  return { ...spot, folder: placedPath(spot.folder, '/', realPath, true) };
}
