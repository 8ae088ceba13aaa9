import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOX_TMPDIR } from '../../domain/box/box.ts';
import type { Config } from '../../domain/config.ts';
import { LONGEST_SCRIPT } from '../../domain/review.ts';
import { namesIn } from '../../io/names-in.ts';
import { bornAt, realPathOf, textSince } from '../../io/real-path.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { ReviewSetup } from '../../loop/index.ts';
import { RULES, type Rule, selectRules } from '../../review/index.ts';
import type { Project } from './project.ts';

/** Where the hooks of attempts are made. */
export function hookFolderOf({ stateHome }: Pick<Project, 'stateHome'>): string {
  return join(stateHome, 'hooks');
}

/** The rules that speak in this project, and what is wrong with the choice, as sentences. */
export function chosenRules({ review }: Pick<Config, 'review'>): {
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
} {
  const { rules, unknown, fixed } = selectRules(RULES, [], review.rules);
  const names = RULES.map(({ name }) => name);
  return {
    rules,
    problems: [
      ...unknown.map(
        (name) => `[review.rules] disabled: there is no rule ${name}.${didYouMean(name, names)}`,
      ),
      ...fixed.map((name) => `[review.rules] disabled: ${name} protects ralph itself and stays.`),
    ],
  };
}

/** How the actions of this project's agents are reviewed; `null`: they are not. */
export function reviewSetup(
  project: Pick<Project, 'root' | 'stateHome' | 'config'>,
  isBoxed: boolean,
): ReviewSetup | null {
  const { root, stateHome, config } = project;
  const { enabled, require_gate } = config.review;
  if (!enabled) return null;
  return {
    requireGate: require_gate,
    rules: chosenRules(config).rules,
    hookFolder: hookFolderOf(project),
    place: {
      root: realPathOf(root),
      home: realPathOf(homedir()),
      protectedFolders: [realPathOf(stateHome)],
      restricted: null,
      realPath: realPathOf,
      tmpdir: isBoxed ? { path: BOX_TMPDIR, own: true } : { path: realPathOf(tmpdir()), own: false },
      bornAt,
      textSince: (path, since) => textSince(path, since, LONGEST_SCRIPT + 1),
      entries: namesIn,
    },
  };
}
