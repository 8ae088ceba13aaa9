import type { ReviewPlace } from '../../domain/review.ts';
import type { PathEffect, Spot } from '../../effects/index.ts';
import { isAtOrBelow, isBelow } from '../../lib/paths.ts';
import { denyEffects } from '../rule.ts';

const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)(?:\/|$)/;

/** Nothing outside of the repository is deleted, nor the repository itself. */
export const deletionOutside = denyEffects('deletion_outside', (effect, { place }) => {
  if (effect.kind !== 'deletes') return null;
  const path = effect
    .spots()
    .map((spot) => outside(spot, place))
    .find((each) => each !== null);
  return path === undefined || path === null ? null : reasonFor(effect, path, place);
});

/** The path that lies outside; `null`: it lies inside, or isn't known. */
function outside(spot: Spot, { root }: ReviewPlace): string | null {
  if (spot.kind === 'path') return isBelow(spot.path, root) ? null : spot.path;
  return spot.kind === 'entries' && !isAtOrBelow(spot.folder, root) ? spot.folder : null;
}

function reasonFor({ by, shown }: PathEffect, path: string, { root }: ReviewPlace): string {
  // Not everybody thinks of `mv` as something that deletes.
  if (by === 'mv') {
    return `mv removes files from where they were and replaces what lies where they go, so it isn't used outside the repository ("${shown}"). Copy with cp, or move there with mv -n.`;
  }
  if (isAtOrBelow(root, path)) {
    return `Deleting "${shown}" would delete the repository's own top folder. Name the files inside it that have to go.`;
  }
  const advice = TEMPORARY.test(path)
    ? 'Leave temporary files where they are: the system clears them.'
    : 'Leave it where it is, and delete inside the repository only.';
  return `"${shown}" lies outside the repository, where nothing is deleted. ${advice}`;
}
