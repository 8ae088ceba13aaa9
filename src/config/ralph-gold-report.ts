import { showKey } from './key-path.ts';
import { parseToml } from './parse-toml.ts';
import { fromRalphGold } from './ralph-gold.ts';

export type RalphGoldReport = {
  /** Each key as it is written in the file, and what it is here. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** What has no counterpart or means something else, for people. */
  readonly ignored: readonly string[];
};

/** What of a configuration file is in the spelling of ralph-gold; empty for text that is no TOML. */
export function ralphGoldReport(text: string): RalphGoldReport {
  const parsed = parseToml('', text);
  if (!parsed.ok) return { moved: [], ignored: [] };
  const { moved, notes } = fromRalphGold(parsed.table);
  return {
    moved: moved.map(({ from, to }) => ({ from: showKey(from), to: showKey(to) })),
    ignored: notes.map(({ message }) => message),
  };
}
