import type { Config } from '../domain/config.ts';
import { BUILT_IN_MODES } from '../domain/config.ts';

/** The mode in use and its timeout in seconds; `null` where it has none and the level's base stands in (spec 2). */
export function modeSettings(config: Config): { name: string; timeoutSeconds: number | null } {
  const name = config.loop.mode;
  const own = Object.hasOwn(config.modes, name) ? config.modes[name]?.timeout : undefined;
  const builtIn = Object.hasOwn(BUILT_IN_MODES, name) ? BUILT_IN_MODES[name]?.timeout : undefined;
  return { name, timeoutSeconds: own ?? builtIn ?? null };
}
