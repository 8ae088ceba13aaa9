import { isAtOrBelow } from 'ralph-kit/paths';
import { denyEffects } from '../../rule.ts';

export const unknownTarget = denyEffects(
  {
    name: 'unknown_target',
    essential: true,
    finds: "Deletes something whose path isn't known before the command runs.",
    instead: 'Write the path out.',
  },
  (effect, { place }) => {
    if (effect.kind !== 'deletes') return null;
    const unknown = effect
      .spots()
      .some(
        (spot) =>
          spot.kind === 'anywhere' ||
          (spot.kind === 'entries' && !spot.known && isAtOrBelow(spot.folder, place.root)),
      );
    if (!unknown) return null;
    if (effect.shown === '') {
      return 'The program deletes files whose paths are not written in it. Write them out as texts, inside the repository.';
    }
    const seen = effect.shown === '…' ? '' : ` in "${effect.shown}"`;
    return `What would be deleted${seen} is not known before the command runs. Write the path out, inside the repository.`;
  },
);
