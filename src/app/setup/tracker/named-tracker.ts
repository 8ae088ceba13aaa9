import { gateSpecs } from '../../../config/index.ts';
import { levelsOf } from '../../../decide/timing/index.ts';
import type { Config } from '../../../domain/config.ts';
import type { Tracker } from '../../../domain/ports.ts';
import { checkNames } from '../../../tasks/index.ts';

/** The tracker with what its tasks name and the configuration doesn't have, as problems. */
export function withNamesChecked(tracker: Tracker, config: Config): Tracker {
  const levels = levelsOf(config.adaptive_timeout).map(({ name }) => name);
  const gates = gateSpecs(config).map(({ name }) => name);
  return {
    ...tracker,
    load: async () => {
      const loaded = await tracker.load();
      if (!loaded.ok) return loaded;
      const problems = checkNames(loaded.tasks, { levels, gates }, loaded.lineOf);
      return problems.length === 0 ? loaded : { ...loaded, problems: [...loaded.problems, ...problems] };
    },
  };
}
