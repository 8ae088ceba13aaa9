import type { EvidenceItem } from '../domain/claim.ts';
import { strongerSays } from './says.ts';

/** So many items are kept of one message; more would prove nothing further. */
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
    const known = merged.get(key);
    const says = strongerSays(known?.says ?? 'touched', item.says);
    merged.set(key, { ...(known ?? item), says });
    if (item.from !== null) withLines.add(item.path);
  }
  return [...merged.values()]
    .filter((item) => item.from !== null || item.says !== 'touched' || !withLines.has(item.path))
    .slice(0, MAX_EVIDENCE);
}
