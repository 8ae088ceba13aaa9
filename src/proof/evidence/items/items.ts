import type { EvidenceItem } from '../../../domain/claim.ts';

export type Says = EvidenceItem['says'];

const VERBS: ReadonlyMap<string, Says> = new Map(
  Object.entries({
    created: 'created added wrote new',
    modified: 'modified updated edited changed rewrote refactored extended fixed patched',
    deleted: 'deleted removed',
  }).flatMap(([says, words]) => words.split(' ').map((word): [string, Says] => [word, says as Says])),
);

/** Returns the claim that a single past-tense word makes about a file; `null` for other words. */
export function saysOfWord(word: string): Says | null {
  return VERBS.get(word.toLowerCase()) ?? null;
}

/** Bounds the items of one message; more would prove nothing further. */
export const MAX_EVIDENCE = 200;

/** Returns the block's evidence, then that of prose on other paths, each once. A path without lines yields to one with lines. */
export function mergeEvidence(
  block: readonly EvidenceItem[],
  prose: readonly EvidenceItem[],
): EvidenceItem[] {
  const inBlock = new Set(block.map((item) => item.path));
  const merged = new Map<string, EvidenceItem>();
  const withLines = new Set<string>();
  for (const item of [...block, ...prose.filter((candidate) => !inBlock.has(candidate.path))]) {
    const key = `${item.path}\n${item.from}\n${item.to}`;
    const known = merged.get(key) ?? item;
    // An explicit claim replaces `touched`.
    merged.set(key, { ...known, says: known.says === 'touched' ? item.says : known.says });
    if (item.from !== null) withLines.add(item.path);
  }
  return [...merged.values()]
    .filter((item) => item.from !== null || item.says !== 'touched' || !withLines.has(item.path))
    .slice(0, MAX_EVIDENCE);
}
