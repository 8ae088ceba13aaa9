import type { LoadedConfig } from '../../../src/config/index.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { fromRalphGold } from '../../../src/config/ralph-gold.ts';
import type { Config, ConfigProblem } from '../../../src/domain/config.ts';

export const FILE = '.ralph/ralph.toml';

/** The configuration of a project file, with whatever else the test gives. */
export function load(
  text: string | null,
  rest: { user?: string; env?: Record<string, string | undefined>; flags?: Record<string, unknown> } = {},
): LoadedConfig {
  const texts = {
    userToml: rest.user === undefined ? null : { name: 'user.toml', text: rest.user },
    projectToml: text === null ? null : { name: FILE, text },
    env: rest.env ?? {},
    flags: rest.flags ?? {},
  };
  return loadConfig(texts, fromRalphGold);
}

export function loaded(...input: Parameters<typeof load>): Extract<LoadedConfig, { ok: true }> {
  const result = load(...input);
  if (!result.ok) throw new Error(result.problems.map((problem) => problem.message).join('\n'));
  return result;
}

export function config(...input: Parameters<typeof load>): Config {
  return loaded(...input).config;
}

/** Returns what is wrong with a configuration: its mistakes, or else its unknown keys. */
export function problems(...input: Parameters<typeof load>): readonly ConfigProblem[] {
  const result = load(...input);
  return result.ok ? result.unknownKeys : result.problems;
}
