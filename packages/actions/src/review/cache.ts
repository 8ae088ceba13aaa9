import type { Action } from 'ralph-kit/actions/action';
import type { ReviewPlace } from '../forms/place.ts';
import type { ReviewSettings } from '../forms/settings.ts';
import type { Analysis } from './explain.ts';
import { actionKey, isReadOnly, isWholeKey } from './judgement/history.ts';

/** Analyses by action. Rulings that depend on the attempt's history or on files aren't kept. */
export type ReviewCache = {
  /** Returns the analysis of an equal action; `null`: none is kept. @param now Milliseconds of a monotonic clock. */
  readonly find: (action: Action, now: number) => Analysis | null;
  readonly keep: (action: Action, analysis: Analysis, now: number) => void;
};

/** Beyond this number, the least recently used entries are dropped. */
const MOST_ENTRIES = 1000;

type Entry = { readonly analysis: Analysis; readonly until: number };

export function openCache({ enabled, ttl_seconds }: ReviewSettings['cache']): ReviewCache {
  // A map keeps insertion order, so the least recently used entry comes first.
  const entries = new Map<string, Entry>();
  if (!enabled) return { find: () => null, keep: () => undefined };
  return {
    find: (action, now) => {
      if (!isWholeKey(action)) return null;
      const key = actionKey(action);
      const entry = entries.get(key);
      if (entry === undefined) return null;
      entries.delete(key);
      if (entry.until <= now) return null;
      entries.set(key, entry);
      return entry.analysis;
    },
    keep: (action, analysis, now) => {
      // Where commits may go depends on earlier git commands, so the analysis may change.
      if (!isWholeKey(action) || analysis.effects.some(({ kind }) => kind === 'shares')) return;
      entries.set(actionKey(action), { analysis, until: now + ttl_seconds * 1000 });
      const [oldest] = entries.keys();
      if (entries.size > MOST_ENTRIES && oldest !== undefined) entries.delete(oldest);
    },
  };
}

/** Returns the place, with `asked` reporting whether files were used. Programs that a reading command runs don't count. */
export function watchedPlace(
  place: ReviewPlace,
  action: Action,
): {
  readonly place: ReviewPlace;
  readonly asked: () => boolean;
} {
  let isAsked = false;
  const watched =
    <A extends unknown[], R>(ask: (...given: A) => R) =>
    (...given: A): R => {
      isAsked = true;
      return ask(...given);
    };
  return {
    place: {
      ...place,
      realPath: watched(place.realPath),
      existed: watched(place.existed),
      entries: watched(place.entries),
      writtenText: isReadOnly(action) ? place.writtenText : watched(place.writtenText),
    },
    asked: () => isAsked,
  };
}
