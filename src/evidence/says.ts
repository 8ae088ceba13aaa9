import type { EvidenceItem } from '../domain/claim.ts';

export type Says = EvidenceItem['says'];

const VERBS: Readonly<Record<string, Says>> = {
  created: 'created',
  added: 'created',
  wrote: 'created',
  new: 'created',
  modified: 'modified',
  updated: 'modified',
  edited: 'modified',
  changed: 'modified',
  rewrote: 'modified',
  refactored: 'modified',
  extended: 'modified',
  fixed: 'modified',
  patched: 'modified',
  deleted: 'deleted',
  removed: 'deleted',
};

/** What a single past-tense word says of a file; `null` for any other word. */
export function saysOfWord(word: string): Says | null {
  const lower = word.toLowerCase();
  return Object.hasOwn(VERBS, lower) ? (VERBS[lower] ?? null) : null;
}

/** Explicit words win over `touched`. */
export function strongerSays(one: Says, other: Says): Says {
  return one === 'touched' ? other : one;
}
