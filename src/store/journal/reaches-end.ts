/** Number and code of a chain's last record. */
export type ChainEnd = { readonly seq: number; readonly mac: string };

/**
 * Whether a chain reaches the newest recorded end, so nothing was cut off or replaced by an older copy. A chain that
 * begins after that record follows a sealed segment.
 * @param codeThere The chain's code at that number; `null`: no such record.
 */
export function reachesEnd(
  newest: ChainEnd,
  chain: { readonly first: number; readonly codeThere: string | null },
): boolean {
  return newest.seq === 0 || chain.first > newest.seq || chain.codeThere === newest.mac;
}
