import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnRules, RULES, type Rule, selectRules } from '../../actions/review/index.ts';
import { BOX_TMPDIR, type ShownCopy } from '../../domain/box/box.ts';
import type { Config } from '../../domain/config.ts';
import { inCopy } from '../../io/box/in-copy.ts';
import { namesIn } from '../../io/files/plain-file.ts';
import { bornAt, realPathOf, textSince } from '../../io/files/real-path.ts';
import { findWorkTree } from '../../io/git/index.ts';
import type { ModuleHost } from '../../io/modules/index.ts';
import { LONGEST_SCRIPT, NOTHING_MADE, type ReviewPlace, type RunPlace } from '../../lib/actions/review.ts';
import type { ReviewSettings } from '../../lib/actions/settings.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { redactor } from '../../lib/redact.ts';
import type { ReviewSetup } from '../../loop/index.ts';
import { type Failure, failure } from '../result.ts';
import { instructionPaths } from './box.ts';
import { formatProblems, loadConfigFiles } from './load-config.ts';
import { readOwnRules, readRulesHere } from './own-rules.ts';
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

/** What ends a run before it begins, and what is only worth a warning, as sentences. */
export type ChosenRules = {
  readonly rules: readonly Rule[];
  /** Rules that can't be read, names that no rule has. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
};

/** Names in `disabled` that aren't those of rules: the limit of file operations of an attempt. */
const LIMITS = ['limit_file_operations'];

/** The rules that speak in this project. */
function chosenRules({ review }: Pick<Config, 'review'>, own: OwnRules): ChosenRules {
  const { rules, unknown, fixed } = selectRules(RULES, own.rules, review.rules);
  const names = [...[...RULES, ...own.rules].map(({ name }) => name), ...LIMITS];
  return {
    rules,
    problems: [
      ...own.problems,
      ...unknown
        .filter((name) => !LIMITS.includes(name))
        .map((name) => `[review.rules] disabled: there is no rule ${name}.${didYouMean(name, names)}`),
    ],
    warnings: fixed.map((name) => `[review.rules] disabled: ${name} protects ralph itself and stays.`),
  };
}

/**
 * The rules by which the actions of this project's agents are reviewed (`rules: null`: they aren't), or what is wrong with them. For a trusted
 * project alone.
 */
export async function rulesOf(
  { root, config }: Pick<Project, 'root' | 'config'>,
  host: ModuleHost,
): Promise<{ readonly ok: true; readonly rules: ChosenRules | null } | Failure> {
  const { enabled, rules } = config.review;
  if (!enabled) return { ok: true, rules: null };
  const chosen = chosenRules(config, await readOwnRules(rules.custom_rules_path, root, host));
  if (chosen.problems.length > 0) return failure(chosen.problems.join('\n'), 'ralph review rules');
  return { ok: true, rules: chosen };
}

/** How the actions of this project's agents are reviewed. */
export function reviewSetup(
  project: Pick<Project, 'root' | 'stateHome' | 'config' | 'store'>,
  { rules }: Pick<ChosenRules, 'rules'>,
  isBoxed: boolean,
): ReviewSetup {
  const { root, stateHome, config } = project;
  const hookFolder = hookFolderOf(project);
  const trustedGit = { git: NOTHING_MADE.git };
  const tmpdir = tmpdirFor(isBoxed);
  const placeIn = (copy: ShownCopy) => {
    const place = machinePlace(root, stateHome, isBoxed);
    if (!isBoxed) return { ...place, root: realPathOf(copy.files) };
    const at = inCopy(place.root, copy, () => instructionPaths(project));
    return {
      ...place,
      realPath: (path: string) => realPathOf(path, at),
      bornAt: (path: string) => bornAt(at(path)),
      textSince: (path: string, since: number) => textSince(path, since, LONGEST_SCRIPT + 1, at),
      entries: (folder: string) => namesIn(at(folder)),
    };
  };
  return {
    requireGate: config.review.require_gate,
    rules,
    hookFolder,
    placeIn,
    tmpdir,
    trustedGit,
  };
}

function tmpdirFor(isBoxed: boolean): RunPlace['tmpdir'] {
  return isBoxed ? { path: BOX_TMPDIR, own: true } : { path: realPathOf(tmpdir()), own: false };
}

/** What a review has to know of this machine. */
function machinePlace(root: string, stateHome: string, isBoxed: boolean): RunPlace {
  return {
    root: realPathOf(root),
    home: realPathOf(homedir()),
    protectedFolders: [realPathOf(stateHome)],
    restricted: null,
    realPath: realPathOf,
    tmpdir: tmpdirFor(isBoxed),
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
  // A module is code, and nothing here asks whether this repository is trusted.
  const own = readRulesHere(loaded.config.review.rules.custom_rules_path, root);
  const { rules, problems, warnings } = chosenRules(loaded.config, own);
  const hide = redactor(secretsOf(loaded.config));
  return {
    ok: true,
    settings: loaded.config.review,
    rules,
    problems: [...problems, ...warnings],
    place,
    stateHome,
    hide,
  };
}
