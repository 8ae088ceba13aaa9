import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOX_TMPDIR } from '../../domain/box/box.ts';
import type { Config } from '../../domain/config.ts';
import { LONGEST_SCRIPT, NOTHING_MADE, type ReviewPlace, type RunPlace } from '../../domain/review.ts';
import type { ReviewSettings } from '../../domain/settings/review.ts';
import { findWorkTree } from '../../io/git/index.ts';
import { namesIn } from '../../io/names-in.ts';
import { bornAt, realPathOf, textSince } from '../../io/real-path.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { redactor } from '../../lib/redact.ts';
import type { ReviewSetup } from '../../loop/index.ts';
import { type OwnRules, RULES, type Rule, selectRules } from '../../review/index.ts';
import { type Failure, failure } from '../result.ts';
import { formatProblems, loadConfigFiles } from './load-config.ts';
import { readOwnRules } from './own-rules.ts';
import type { Project } from './project.ts';
import { secretsOf } from './secrets-of.ts';
import { stateHomeOf } from './state-home.ts';
import { realFolder } from './work-tree.ts';

/** Where the hooks of attempts are made. */
export function hookFolderOf({ stateHome }: Pick<Project, 'stateHome'>): string {
  return join(stateHome, 'hooks');
}

/** Reviews of agents that you use yourself (`ralph review hook`). */
export function ownReviewsOf({ stateHome }: Pick<Project, 'stateHome'>): string {
  return join(stateHome, 'reviews.jsonl');
}

/** The rules that speak in this project, and what is wrong with the choice, as sentences. */
function chosenRules(
  { review }: Pick<Config, 'review'>,
  own: OwnRules,
): {
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
} {
  const { rules, unknown, fixed } = selectRules(RULES, own.rules, review.rules);
  const names = [...RULES, ...own.rules].map(({ name }) => name);
  return {
    rules,
    problems: [
      ...own.problems,
      ...unknown.map(
        (name) => `[review.rules] disabled: there is no rule ${name}.${didYouMean(name, names)}`,
      ),
      ...fixed.map((name) => `[review.rules] disabled: ${name} protects ralph itself and stays.`),
    ],
  };
}

/** How the actions of this project's agents are reviewed (`null`: they are not), and what is wrong with the rules. */
export async function reviewSetup(
  project: Pick<Project, 'root' | 'stateHome' | 'config'>,
  isBoxed: boolean,
): Promise<{ readonly review: ReviewSetup | null; readonly problems: readonly string[] }> {
  const { root, stateHome, config } = project;
  const { enabled, require_gate, rules: chosen } = config.review;
  if (!enabled) return { review: null, problems: [] };
  const { rules, problems } = chosenRules(config, await readOwnRules(chosen.custom_rules_path, root));
  const hookFolder = hookFolderOf(project);
  const place = machinePlace(root, stateHome, isBoxed);
  const told = { git: NOTHING_MADE.git };
  return { review: { requireGate: require_gate, rules, hookFolder, place, told }, problems };
}

/** What a review has to know of this machine. */
function machinePlace(root: string, stateHome: string, isBoxed: boolean): RunPlace {
  return {
    root: realPathOf(root),
    home: realPathOf(homedir()),
    protectedFolders: [realPathOf(stateHome)],
    restricted: null,
    realPath: realPathOf,
    tmpdir: isBoxed ? { path: BOX_TMPDIR, own: true } : { path: realPathOf(tmpdir()), own: false },
    bornAt,
    textSince: (path, since) => textSince(path, since, LONGEST_SCRIPT + 1),
    entries: namesIn,
  };
}

export type ReviewHere = {
  readonly settings: ReviewSettings;
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
  readonly place: ReviewPlace;
  /** Where ralph keeps what belongs to this repository outside of it. */
  readonly stateHome: string;
  /** Hides secrets in a text. */
  readonly hide: (text: string) => string;
};

/**
 * How an action is reviewed outside of a run: in the repository around a folder, else in that folder, with its settings,
 * and as if nothing had been done before. Needs no trust and changes nothing.
 */
export async function reviewHere(cwd: string): Promise<({ readonly ok: true } & ReviewHere) | Failure> {
  const folder = realFolder(cwd);
  if (!folder.ok) return folder;
  const found = findWorkTree(folder.path, process.env);
  const root = found?.top ?? folder.path;
  const loaded = loadConfigFiles({ root, env: process.env, flags: {} });
  if (!loaded.ok) return failure(formatProblems(loaded.problems), 'ralph doctor --config');
  const stateHome =
    found === null ? join(homedir(), '.local', 'state', 'ralph') : stateHomeOf(found.commonDir);
  const machine = machinePlace(root, stateHome, false);
  const place: ReviewPlace = {
    ...machine,
    unseenInput: false,
    existed: (path) => machine.bornAt(path) !== null,
    writtenText: () => null,
    made: NOTHING_MADE,
  };
  const { custom_rules_path: path } = loaded.config.review.rules;
  // A module is code, and nothing here asks whether this repository is trusted.
  const isModule = path !== '' && !path.endsWith('.toml');
  const own = isModule
    ? { rules: [], problems: [`${path}: a module speaks in runs alone`] }
    : await readOwnRules(path, root);
  const { rules, problems } = chosenRules(loaded.config, own);
  const hide = redactor(secretsOf(loaded.config));
  return { ok: true, settings: loaded.config.review, rules, problems, place, stateHome, hide };
}
