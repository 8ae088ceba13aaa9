import { gateSpecs } from '../../../config/index.ts';
import { levelsOf } from '../../../decide/timing/index.ts';
import type { Config } from '../../../domain/config.ts';
import type { Tracker } from '../../../domain/ports.ts';
import { checkNames } from './check-names.ts';

/** Returns the tracker with more problems: names that tasks use but the configuration lacks. */
export function withNamesChecked(tracker: Tracker, config: Config): Tracker {
  const levels = levelsOf(config.adaptive_timeout).map(({ name }) => name);
  const gates = gateSpecs(config).map(({ name }) => name);
  const { risk, rules } = config.review;
  const isKnown = rules.custom_rules_path === '';
  return {
    ...tracker,
    load: async () => {
      const loaded = await tracker.load();
      if (!loaded.ok) return loaded;
      const isAsked = isKnown && loaded.tasks.some(({ review }) => review !== null);
      // Review rules are only loaded if a task names one, because most commands don't need them.
      const all = isAsked ? (await import('ralph-actions/review')).RULES : null;
      const problems = checkNames(loaded.tasks, { levels, gates, risk, rules: all }, loaded.lineOf);
      return problems.length === 0 ? loaded : { ...loaded, problems: [...loaded.problems, ...problems] };
    },
  };
}
