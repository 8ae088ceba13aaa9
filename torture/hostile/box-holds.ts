/**
 * Attacks that write, delete, signal or survive where the kernel says no: in ralph's box they fail also on a ralph that lacks
 * its own protection. The others are words, or use what an agent may do: refs, objects and files of the work tree.
 */
export const BOX_HOLDS: ReadonlySet<string> = new Set(['tick-in-gate']);
