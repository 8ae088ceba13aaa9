import type { ReviewPlace } from '../forms/place.ts';
import { type Budget, spend } from '../shell/index.ts';

export class TooMuch extends Error {
  override readonly name = 'TooMuch';
  override readonly message = 'TooMuch: it takes more steps than a review may';
}

/** One step of the review's budget pays for `NAMES` in a folder, or for `CHARACTERS` of a text. */
const NAMES = 50;
const CHARACTERS = 1000;

/** Returns the place for one review: each path is looked up once, at the cost of the review's budget. */
export function meteredPlace(place: ReviewPlace, budget: Budget): ReviewPlace {
  const entries = once(place.entries);
  const writtenText = once(place.writtenText);
  return {
    ...place,
    realPath: once(place.realPath),
    existed: once(place.existed),
    entries: (folder) => {
      const names = entries(folder);
      if (!spend(budget, 1 + names.length / NAMES)) throw new TooMuch();
      return names;
    },
    writtenText: (path) => {
      const text = writtenText(path);
      return spend(budget, 1 + (text?.length ?? 0) / CHARACTERS) ? text : null;
    },
  };
}

function once<T>(ask: (path: string) => T): (path: string) => T {
  const answers = new Map<string, { readonly answer: T }>();
  return (path) => {
    const known = answers.get(path) ?? { answer: ask(path) };
    answers.set(path, known);
    return known.answer;
  };
}
