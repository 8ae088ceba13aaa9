import { detectGates } from '../../../decide/index.ts';
import type { Config } from '../../../domain/config.ts';
import { seenFiles } from '../init/seen-files.ts';
import type { ConfigEntry } from './trust-items.ts';
import { type Gates, withGates } from './with-gates.ts';

type Configured = {
  readonly root: string;
  readonly config: Config;
  readonly entries: readonly ConfigEntry[];
};

/** Returns the gates that `ralph init` would write. */
export function foundGates(root: string): Gates {
  return detectGates(seenFiles(root)).gates.map(({ name, run }) => ({ name, run }));
}

/** Returns the configuration, with the gates that are found here if it names none. */
export function withFoundGates({ root, config, entries }: Configured) {
  const gates = config.gates.commands.length > 0 ? [] : foundGates(root);
  return { ...withGates({ config, entries }, gates), found: gates.map(({ run }) => run) };
}
