import { incidentalTo } from 'ralph-ecosystems';
import { isAtOrBelow, isBelow, isTemporary, nameOf } from 'ralph-kit/paths';
import { stem, wordsOf } from 'ralph-kit/scope/keywords';
import type { Effect, Spot } from '../../effects/index.ts';
import type { ReviewPlace } from '../../forms/place.ts';
import type { Goal } from '../goal.ts';
import { entriesAre, isAllMadeByAttempt } from '../made.ts';
import { isProtected } from '../settings-places.ts';

/**
 * Place of a path that an action changes. `new`: outside, where nothing was; `own`: made by the attempt, or a temporary file without loss;
 * `git`: below `.git`; `protected`: settings of ralph or an agent; `nowhere`: a device that keeps nothing.
 */
export type Location = 'inside' | 'own' | 'new' | 'git' | 'protected' | 'outside' | 'unknown' | 'nowhere';

const DEVICE = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd|pts|shm)(?:\/|$)/;

/**
 * Returns the place of a path. @param deletes Whether the action deletes: a folder that contains settings then counts
 * as protected.
 */
export function locationOf(spot: Spot, place: ReviewPlace, deletes: boolean): Location {
  if (spot.kind === 'anywhere') return 'unknown';
  const path = spot.kind === 'path' ? spot.path : spot.folder;
  if (DEVICE.test(path)) return 'nowhere';
  if (spot.kind === 'path' && isProtected(path, place, deletes)) return 'protected';
  const { root } = place;
  if (spot.kind === 'entries' ? isAtOrBelow(path, root) : isBelow(path, root)) {
    return isAtOrBelow(path, `${root}/.git`) ? 'git' : 'inside';
  }
  if (path === root && !deletes) return 'inside';
  if (isAtOrBelow(root, path)) return 'outside';
  if (isAllMadeByAttempt(spot, place)) return 'own';
  if (isScratch(path, place) && (!deletes || !mayAffectExisting(spot, place))) return 'own';
  return !deletes && spot.kind === 'path' && !mayAffectExisting(spot, place) ? 'new' : 'outside';
}

/** Returns whether a path is a temporary file. A repository below the temporary folder isn't. */
export function isScratch(path: string, { root, tmpdir }: ReviewPlace): boolean {
  return (isTemporary(path) || isAtOrBelow(path, tmpdir.path)) && !isAtOrBelow(path, root);
}

/** Returns whether an action can affect something from before the attempt. */
export function mayAffectExisting(spot: Spot, place: ReviewPlace): boolean {
  if (spot.kind === 'path') return place.existed(spot.path) || place.existed(spot.writtenPath);
  return spot.kind === 'entries' && spot.staysInFolder && entriesAre(spot, place) === 'others';
}

/** Folders and files that tools generate; any task may change them. */
const MADE_BY_TOOLS =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|vendor|\.venv|venv|__pycache__|\.cache|\.next|\.turbo|\.pytest_cache|\.mypy_cache|\.gradle|bin|obj|tmp|temp|logs?)(?:\/|$)|\.(?:log|tmp|tsbuildinfo|lock)$/;

/** Returns the changed paths of the repository that the task doesn't expect, and the number of expected ones. */
export function outOfScope(
  effects: readonly Effect[],
  goal: Goal | null,
  place: ReviewPlace,
): { readonly outside: readonly string[]; readonly inside: number } {
  const expected = goal?.expected ?? null;
  if (expected === null) return { outside: [], inside: 0 };
  const changed = effects.flatMap((effect) => {
    if (effect.kind !== 'writes' && effect.kind !== 'deletes' && effect.kind !== 'permissions') return [];
    return effect.spots().flatMap((spot) => {
      const isIn = locationOf(spot, place, effect.kind === 'deletes') === 'inside';
      return isIn && spot.kind === 'path' ? [spot.path.slice(place.root.length + 1)] : [];
    });
  });
  const isIncidental = incidentalTo(expected.listed, changed);
  const outside = changed.filter(
    (path) =>
      !expected.matches(path) &&
      // `mkdir -p src/parser` prepares the expected `src/parser/index.ts`.
      !expected.listed.some((one) => isBelow(one, path)) &&
      !isIncidental(path) &&
      !MADE_BY_TOOLS.test(path),
  );
  return { outside: [...new Set(outside)], inside: changed.length - outside.length };
}

export function isInGoal(path: string, { words }: Goal): boolean {
  return wordsOf(path.replace(nameOf(path), nameOf(path).replace(/\.\w+$/, ''))).some((word) =>
    words.has(stem(word)),
  );
}
