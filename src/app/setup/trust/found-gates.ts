import { detectGates } from '../../../decide/index.ts';
import type { TrustSubject } from '../check-trust.ts';
import { seenFiles } from '../init/seen-files.ts';

type Configured = Pick<TrustSubject, 'root' | 'config' | 'entries'>;

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
