/** Where a chain stands: the number of its last record, and that record's code. */
export type ChainEnd = { readonly seq: number; readonly mac: string };

/**
 * Whether a chain holds the newest record that ralph remembers outside of the repository, so that nothing was cut off
 * and no older copy came back. A chain that begins after that record was begun by ralph, when it sealed the one before.
 *
 * @param codeThere The chain's code at the number of that record; `null`: it has no such record.
 */
export function reachesEnd(
  newest: ChainEnd,
  chain: { readonly first: number; readonly codeThere: string | null },
): boolean {
  return newest.seq === 0 || chain.first > newest.seq || chain.codeThere === newest.mac;
}
