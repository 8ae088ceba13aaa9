import { isAtOrBelow, isBelow } from 'ralph-kit/paths';
import type { PathEffect, Spot } from '../../../effects/index.ts';
import type { ReviewPlace } from '../../../forms/place.ts';
import { isScratch } from '../../judgement/scope.ts';
import { entriesAre, isAllMadeByAttempt } from '../../made.ts';
import { type Denial, denyEffects } from '../../rule.ts';

/**
 * Denies deletion outside of the repository, and of the repository itself, except files that the attempt made. If only temporary files
 * could be affected and none is known to exist, the denial is a precaution.
 */
export const deletionOutside = denyEffects(
  {
    name: 'deletion_outside',
    essential: true,
    finds:
      'Deletes, empties or moves away what lies outside of the repository, or the repository itself. What the attempt made itself may go.',
    instead: 'Delete inside the repository only; temporary files can stay.',
  },
  (effect, { place: start, placeAt }) => {
    if (effect.kind !== 'deletes') return null;
    const spots = effect.spots().filter((spot) => isOutside(spot, start));
    if (spots.length === 0) return null;
    const place = placeAt(effect);
    const others = spots.filter((spot) => !isAllMadeByAttempt(spot, place) && !isNothing(spot, place));
    const [first] = others.toSorted(
      (one, other) => Number(isCaution(one, place)) - Number(isCaution(other, place)),
    );
    return first === undefined ? null : denialOf(effect, first, place);
  },
);

function isOutside(spot: Spot, { root }: ReviewPlace): boolean {
  if (spot.kind === 'path') return !isBelow(spot.path, root);
  return spot.kind === 'entries' && !isAtOrBelow(spot.folder, root);
}

/** Matches a name that isn't known before the command runs and may be `..`. A name that `mktemp` returns may be empty. */
const ANY_NAME = /\uE002|^\uE001+(?:\/|$)/;

/** Returns whether no existing temporary file can be deleted. */
function isNothing(spot: Spot, place: ReviewPlace): boolean {
  if (spot.kind === 'path') {
    const holds = isAtOrBelow(place.tmpdir.path, spot.path);
    return isCaution(spot, place) && spot.path === spot.writtenPath && !holds;
  }
  return (
    spot.kind === 'entries' && spot.staysInFolder && !ANY_NAME.test(spot.pattern) && isCaution(spot, place)
  );
}

/** Returns whether nothing from before the attempt can be affected. */
function isCaution(spot: Spot, place: ReviewPlace): boolean {
  if (spot.kind === 'path') {
    return isScratch(spot.path, place) && !isAtOrBelow(place.root, spot.path) && !place.existed(spot.path);
  }
  if (spot.kind !== 'entries' || !isScratch(spot.folder, place)) return false;
  return !spot.staysInFolder || entriesAre(spot, place) !== 'others';
}

function denialOf({ by, shown }: PathEffect, spot: Spot, place: ReviewPlace): Denial {
  const harmless = isCaution(spot, place);
  const path = spot.kind === 'path' ? spot.path : spot.kind === 'entries' ? spot.folder : '';
  // `mv` isn't widely known to delete.
  if (by === 'mv') {
    const reason = `mv removes files from where they were and replaces what lies where they go, so it isn't used outside the repository ("${shown}"). Copy with cp, or move there with mv -n.`;
    return { reason, harmless };
  }
  if (!harmless && isAtOrBelow(place.root, path)) {
    const reason = `Deleting "${shown}" would delete the repository's own top folder. Name the files inside it that have to go.`;
    return { reason, harmless: false };
  }
  const reason = `"${shown}" lies outside the repository, where only what you made in this attempt is deleted. ${adviceFor(path, harmless, place)}`;
  return { reason, harmless };
}

function adviceFor(path: string, harmless: boolean, place: ReviewPlace): string {
  if (!isScratch(path, place)) return 'Leave it where it is, and delete inside the repository only.';
  if (harmless) {
    return 'Nothing that you are known to have made is there: leave it out, or name what you made by its whole path. Temporary files can stay: the system clears them.';
  }
  return 'Leave temporary files where they are: the system clears them.';
}
