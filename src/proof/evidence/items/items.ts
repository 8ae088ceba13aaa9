import type { EvidenceItem } from '../../../domain/claim.ts';

export type Says = EvidenceItem['says'];

const VERBS: ReadonlyMap<string, Says> = new Map(
  Object.entries({
    created: 'created added wrote new',
    modified: 'modified updated edited changed rewrote refactored extended fixed patched',
    deleted: 'deleted removed',
  }).flatMap(([says, words]) => words.split(' ').map((word): [string, Says] => [word, says as Says])),
);

/** What a single past-tense word says of a file; `null` for any other word. */
export function saysOfWord(word: string): Says | null {
  return VERBS.get(word.toLowerCase()) ?? null;
}

/** Items kept of one message; more would prove nothing further. */
export const MAX_EVIDENCE = 200;

/**
 * Block evidence first, then what prose adds, each thing once. What the block says of a path stands; prose repeats it.
 * A path with lines makes the same path without lines superfluous.
 */
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
    // An explicit word wins over `touched`.
    merged.set(key, { ...known, says: known.says === 'touched' ? item.says : known.says });
    if (item.from !== null) withLines.add(item.path);
  }
  return [...merged.values()]
    .filter((item) => item.from !== null || item.says !== 'touched' || !withLines.has(item.path))
    .slice(0, MAX_EVIDENCE);
}
