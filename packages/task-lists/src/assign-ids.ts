import type { RememberedId } from './task.ts';
import type { Draft } from './task-list.ts';

/** Value of `index` for a remembered task that the tracker lacked when it was last read. */
export const NOT_THERE = -1;
/**
 * Number of tasks that stay remembered after they are gone, so that switching back to a branch finds their ids. The
 * newest are kept.
 */
const GONE_KEPT = 1000;
/** Smallest score, from similar titles and close positions, at which a reworded task counts as the same task. */
const SAME_TASK = 0.45;
const LIKENESS_SHARE = 0.8;
/**
 * Up to this many pairs, every old title is compared with every new one. Beyond it, only titles at close positions are.
 */
const ALL_PAIRS = 40_000;
const NEAR = 10;

export type AssignedIds = { readonly ids: readonly string[]; readonly remembered: RememberedId[] };

/**
 * Returns an id for each draft. An explicit id is used as it is, except for its second use. Other tasks are found among
 * the remembered ones: first by their title, then by position and similar title. New tasks get `t-` and 6 hex digits of
 * the title's hash, so that an id doesn't depend on the position in the file.
 */
export function assignIds(drafts: readonly Draft[], remembered: readonly RememberedId[]): AssignedIds {
  const ids = new Array<string>(drafts.length).fill('');
  const explicit = new Set<string>();
  const nameless: number[] = [];
  drafts.forEach((draft, position) => {
    if (draft.explicitId === null || explicit.has(draft.explicitId)) {
      nameless.push(position);
    } else {
      explicit.add(draft.explicitId);
      ids[position] = draft.explicitId;
    }
  });
  const titles = nameless.map((position) => drafts[position]?.task.title ?? '');
  const known = new Set(explicit);
  const memory = remembered.filter((entry) => !known.has(entry.id) && known.add(entry.id));
  const matched = matchByTitle(titles, memory);
  matchByLikeness(titles, memory, matched);

  const taken = new Set([...explicit, ...remembered.map((entry) => entry.id)]);
  const fresh: RememberedId[] = titles.map((title, index) => {
    const id = matched[index]?.id ?? newId(title, taken);
    taken.add(id);
    ids[nameless[index] ?? 0] = id;
    return { id, title, index };
  });
  const kept = new Set(fresh.map((entry) => entry.id));
  const gone = remembered
    .filter((entry) => !kept.has(entry.id))
    .map((entry) => ({ ...entry, index: NOT_THERE }));
  return { ids, remembered: [...gone.slice(-GONE_KEPT), ...fresh] };
}

type Matched = (RememberedId | undefined)[];

/** Matches equal titles in the order of the list. Tasks of the last reading are matched before those that were gone. */
function matchByTitle(titles: readonly string[], memory: readonly RememberedId[]): Matched {
  const byTitle = new Map<string, RememberedId[]>();
  for (const entry of memory) {
    const known = byTitle.get(entry.title);
    if (known === undefined) byTitle.set(entry.title, [entry]);
    else known.push(entry);
  }
  for (const entries of byTitle.values()) {
    if (entries.length > 1) entries.sort((a, b) => order(b) - order(a));
  }
  return titles.map((title) => byTitle.get(title)?.pop());
}

function order(entry: RememberedId): number {
  return entry.index === NOT_THERE ? Number.MAX_SAFE_INTEGER : entry.index;
}

function matchByLikeness(titles: readonly string[], memory: readonly RememberedId[], matched: Matched): void {
  const used = new Set(matched);
  const olds = memory.filter((entry) => entry.index !== NOT_THERE && !used.has(entry));
  const news = titles.map((_, index) => index).filter((index) => matched[index] === undefined);
  if (olds.length === 0 || news.length === 0) return;
  const everyPair = olds.length * news.length <= ALL_PAIRS;
  const pairs: { readonly index: number; readonly old: RememberedId; readonly score: number }[] = [];
  news.forEach((index, rank) => {
    const candidates = everyPair ? olds : olds.slice(Math.max(0, rank - NEAR), rank + NEAR + 1);
    for (const old of candidates) {
      const nearness = 1 / (1 + Math.abs(old.index - index));
      const likeness = similarity(old.title, titles[index] ?? '');
      const score = LIKENESS_SHARE * likeness + (1 - LIKENESS_SHARE) * nearness;
      if (score >= SAME_TASK) pairs.push({ index, old, score });
    }
  });
  pairs.sort((a, b) => b.score - a.score || a.index - b.index || a.old.index - b.old.index);
  const taken = new Set<RememberedId>();
  for (const { index, old } of pairs) {
    if (matched[index] !== undefined || taken.has(old)) continue;
    matched[index] = old;
    taken.add(old);
  }
}

function newId(title: string, taken: ReadonlySet<string>): string {
  for (let attempt = 1; ; attempt += 1) {
    const id = `t-${shortHash(attempt === 1 ? title : `${title}\n${attempt}`, 6)}`;
    if (!taken.has(id)) return id;
  }
}

/**
 * Returns a short, stable name for a text: `length` (1 to 8) lower-case hex digits. It is the FNV-1a hash over UTF-16
 * units, mixed again so that every digit depends on the whole text. It doesn't prevent deliberate collisions.
 */
function shortHash(text: string, length: number): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash = (hash ^ (hash >>> 16)) >>> 0;
  return hash.toString(16).padStart(8, '0').slice(0, length);
}

/**
 * Returns how similar two texts are: 0 (nothing in common) to 1 (equal except for case, spacing and punctuation). It is
 * the Sørensen–Dice coefficient over pairs of neighbouring characters within words.
 */
export function similarity(a: string, b: string): number {
  const left = plainWords(a);
  const right = plainWords(b);
  if (left === right) return 1;
  const pairs = pairsOf(left);
  const others = pairsOf(right);
  const total = size(pairs) + size(others);
  if (total === 0) return 0;
  let shared = 0;
  for (const [pair, count] of pairs) shared += Math.min(count, others.get(pair) ?? 0);
  return (2 * shared) / total;
}

/** Returns the text without differences that a reader would overlook: case, spacing and punctuation. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Counts pairs of neighbouring characters within words. Words are padded, so that their first and last letters count,
 * too.
 */
function pairsOf(words: string): Map<string, number> {
  const pairs = new Map<string, number>();
  if (words === '') return pairs;
  const padded = ` ${words} `;
  for (let index = 0; index + 1 < padded.length; index += 1) {
    const pair = padded.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function size(pairs: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of pairs.values()) total += count;
  return total;
}

/** First id in a list that ralph writes. */
export const FIRST_ID = 'T-1';

/**
 * Returns the next id after those of a list: `T-03` after `T-01` and `T-02`, `T-1` in an empty list. `null`: a task has
 * no id, the last id doesn't end with a number, or the ids are given by another program (`#12`).
 */
export function nextId(ids: readonly (string | null)[]): string | null {
  if (ids.length === 0) return FIRST_ID;
  const known = ids.filter((id) => id !== null);
  const match = /^(.*?)(\d+)$/.exec(known.at(-1) ?? '');
  if (match === null || known.length < ids.length || known.some((id) => id.startsWith('#'))) return null;
  const [, prefix = '', digits = ''] = match;
  const numbers = known.flatMap((id) => {
    const rest = id.startsWith(prefix) ? id.slice(prefix.length) : '';
    return /^\d{1,9}$/.test(rest) ? [Number(rest)] : [];
  });
  return `${prefix}${String(Math.max(...numbers) + 1).padStart(digits.length, '0')}`;
}
