import { detectGates } from '../../../decide/index.ts';
import type { Config } from '../../../domain/config.ts';
import { seenFiles } from '../init/seen-files.ts';
import type { ConfigEntry } from './trust-items.ts';

type Configured = {
  readonly root: string;
  readonly config: Config;
  readonly entries: readonly ConfigEntry[];
};

/**
 * Where no gate is configured, those that `ralph init` would find; they count as the repository's, which you trust or not. `found`: their
 * commands.
 */
export function withFoundGates({ root, config, entries }: Configured) {
  const { gates } = config.gates.commands.length > 0 ? { gates: [] } : detectGates(seenFiles(root));
  const found = gates.map(({ run }) => run);
  if (found.length === 0) return { config, entries, found };
  const commands = gates.map(({ name, run }) => ({ name, run }));
  const entry = { key: 'gates.commands', value: commands, layer: 'project', source: 'found' } as const;
  return {
    config: { ...config, gates: { ...config.gates, commands } },
    entries: [...entries, { ...entry, line: null }],
    found,
  };
}
