import type { Config } from '../../../domain/config.ts';
import type { ConfigEntry } from './trust-items.ts';

export type Gates = readonly {
  readonly name: string;
  readonly run: string;
  readonly on_missing?: 'warn' | undefined;
}[];

type Configured = { readonly config: Config; readonly entries: readonly ConfigEntry[] };

/** Without configured gates, adds detected ones, which need your approval like configured ones. */
export function withDetectedGates({ config, entries }: Configured, detected: Gates): Configured {
  if (detected.length === 0 || config.gates.commands.length > 0) return { config, entries };
  const commands = [...detected];
  const entry = { key: 'gates.commands', value: commands, layer: 'project', source: 'found' } as const;
  return {
    config: { ...config, gates: { ...config.gates, commands } },
    entries: [...entries, { ...entry, line: null }],
  };
}
