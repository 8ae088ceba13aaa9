import type { Action } from '../../lib/actions/action.ts';
import type { RunPlace } from '../../lib/actions/review.ts';
import { below } from '../../lib/paths.ts';
import { effectsOfAction } from '../effects/index.ts';
import { newBudget } from '../shell/index.ts';

/** Files of a folder that goes as a whole are followed up to here, and so deep. */
const MOST_FILES = 200;
const DEEPEST = 6;
/** What only takes away; other programs bring files elsewhere, or back. */
const DELETES = /\b(?:rm|unlink|rimraf|shred|del|trash)\b/;
const MOVES = /\b(?:mv|cp|rsync|restore|checkout|stash|reset)\b/;

/** The files that an action deletes for good, as far as that is known before it happens; real paths. Never throws. */
export function deletedFiles(action: Action, place: RunPlace): string[] {
  const { command } = action;
  if (command !== null && (!DELETES.test(command) || MOVES.test(command))) return [];
  try {
    const effects = effectsOfAction(action, { ...place, writtenText: () => null }, newBudget());
    const spots = effects.flatMap((effect) => (effect.kind === 'deletes' ? effect.spots() : []));
    const found = spots.flatMap((spot) => (spot.kind === 'path' ? filesAt(spot.path, place, DEEPEST) : []));
    return found.slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

function filesAt(path: string, place: RunPlace, depth: number): string[] {
  if (place.textSince(path, 0) !== null) return [path];
  if (depth === 0) return [];
  return place
    .entries(path)
    .slice(0, MOST_FILES)
    .flatMap((name) => filesAt(below(path, name), place, depth - 1));
}
