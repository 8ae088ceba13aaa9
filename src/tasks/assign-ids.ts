import type { RememberedId } from '../domain/task.ts';
import { shortHash } from '../lib/hash.ts';
import { similarity } from '../lib/similarity.ts';
import type { Draft } from './tracker-format.ts';

/** `index` of a remembered task that was not in the tracker when it was last read. */
const NOT_THERE = -1;
/** Memory of tasks that are gone, so that a branch switched back finds its ids again; the newest are kept. */
const GONE_KEPT = 1000;
/** What likeness of titles and nearness in the list must add up to, for a reworded task to be the same one. */
const SAME_TASK = 0.45;
const LIKENESS_SHARE = 0.8;
/** Every old title is compared with every new one up to this many pairs, else only near ones. */
const ALL_PAIRS = 40_000;
const NEAR = 10;

export type AssignedIds = { readonly ids: readonly string[]; readonly remembered: RememberedId[] };

/**
 * Ids for all drafts, in their order. An explicit id is taken as it is (a second use of it counts as none); others
 * are recognised by their title, then by position and likeness of the title, among the remembered ones, and else get
 * `t-` and 6 hex digits of a hash of the title (decisions.md, Ids).
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

/** Equal titles in the order in which they stood; tasks that were there last time before those that were gone. */
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
