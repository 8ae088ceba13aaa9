import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONGEST_SCRIPT, NO_OWN_FILES, type ReviewPlace, type RunPlace } from 'ralph-actions/forms/place';
import type { ReviewSettings } from 'ralph-actions/forms/settings';
import {
  type AskRules,
  type ModuleRule,
  type OwnRules,
  RULES,
  type Rule,
  selectRules,
} from 'ralph-actions/review';
import { inCopy } from 'ralph-box/in-copy';
import { BOX_TMPDIR, type MountedCopy } from 'ralph-box/protocol';
import { namesIn } from 'ralph-kit/files/plain-file';
import { bornAt, realPathOf, textIfChangedSince } from 'ralph-kit/files/real-path';
import { didYouMean } from 'ralph-kit/nearest';
import { redactor } from 'ralph-kit/redact';
import type { Config } from '../../domain/config.ts';
import { findWorkTree } from '../../git/index.ts';
import type { ModuleHost } from '../../io/modules/index.ts';
import type { ReviewSetup } from '../../loop/index.ts';
import { type Failure, failure } from '../result.ts';
import { instructionPaths } from './box.ts';
import { formatProblems, loadConfigFiles } from './load-config.ts';
import { readOwnRules, readRulesOutsideRun } from './own-rules.ts';
import type { Project } from './project.ts';
import { secretsOf } from './secrets-of.ts';
import { stateHomeOf } from './state-home.ts';
import { realFolder } from './work-tree.ts';

export function hookFolderOf({ stateHome }: Pick<Project, 'stateHome'>): string {
  return join(stateHome, 'hooks');
}

/** Returns the path of the log with reviews of agents that you use yourself (`ralph review hook`). */
export function ownReviewsOf({ stateHome }: Pick<Project, 'stateHome'>): string {
  return join(stateHome, 'reviews.jsonl');
}

export type ChosenRules<R extends Rule | ModuleRule = Rule | ModuleRule> = {
  readonly rules: readonly R[];
  /** Sentences about problems that keep a run from starting: unreadable rules, and unknown names of rules. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
};

/** Names in `disabled` that turn off limits of an attempt, because these limits aren't rules. */
const LIMITS = ['limit_file_operations'];

/** The rules of a run, with the function that asks those in a module. */
export type RunRules = ChosenRules & { readonly askRules: AskRules };

function chosenRules<R extends Rule | ModuleRule>(
  { review }: Pick<Config, 'review'>,
  own: OwnRules<R>,
): ChosenRules<R | Rule> {
  const { rules, unknown, fixed } = selectRules<R | Rule>(RULES, own.rules, review.rules);
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

/** Returns the rules of a trusted project. Fails if a rule is invalid. `rules` `null`: review is off. */
export async function rulesOf(
  { root, config }: Pick<Project, 'root' | 'config'>,
  host: ModuleHost,
): Promise<{ readonly ok: true; readonly rules: RunRules | null } | Failure> {
  const { enabled, rules } = config.review;
  if (!enabled) return { ok: true, rules: null };
  const own = await readOwnRules(rules.custom_rules_path, root, host);
  const chosen = chosenRules(config, own);
  if (chosen.problems.length > 0) return failure(chosen.problems.join('\n'), 'ralph review rules');
  return { ok: true, rules: { ...chosen, askRules: own.askRules } };
}

type ReviewedProject = Pick<Project, 'root' | 'stateHome' | 'config' | 'store'>;

export function reviewSetup(
  project: ReviewedProject,
  { rules, askRules }: Pick<RunRules, 'rules' | 'askRules'>,
  isBoxed: boolean,
): ReviewSetup {
  const { root, stateHome, config } = project;
  const hookFolder = hookFolderOf(project);
  const trustedGit = { git: NO_OWN_FILES.git };
  const tmpdir = tmpdirFor(isBoxed);
  const placeIn = (copy: MountedCopy) => {
    const place = machinePlace(root, stateHome, isBoxed);
    if (!isBoxed) return { ...place, root: realPathOf(copy.files) };
    const at = inCopy(place.root, copy, () => instructionPaths(project));
    return {
      ...place,
      realPath: (path: string) => realPathOf(path, at),
      bornAt: (path: string) => bornAt(at(path)),
      textSince: (path: string, since: number) => textIfChangedSince(path, since, LONGEST_SCRIPT + 1, at),
      entries: (folder: string) => namesIn(at(folder)),
    };
  };
  return {
    requireGate: config.review.require_gate,
    rules,
    askRules,
    hookFolder,
    placeIn,
    tmpdir,
    trustedGit,
  };
}

function tmpdirFor(isBoxed: boolean): RunPlace['tmpdir'] {
  return isBoxed ? { path: BOX_TMPDIR, own: true } : { path: realPathOf(tmpdir()), own: false };
}

function machinePlace(root: string, stateHome: string, isBoxed: boolean): RunPlace {
  return {
    root: realPathOf(root),
    home: realPathOf(homedir()),
    protectedFolders: [realPathOf(stateHome)],
    restricted: null,
    realPath: realPathOf,
    tmpdir: tmpdirFor(isBoxed),
    bornAt,
    textSince: (path, since) => textIfChangedSince(path, since, LONGEST_SCRIPT + 1),
    entries: namesIn,
  };
}

export type StandaloneReview = {
  readonly settings: ReviewSettings;
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
  readonly place: ReviewPlace;
  /** Absolute path of ralph's own folder for this repository, which is outside of it. */
  readonly stateHome: string;
  readonly hide: (text: string) => string;
};

/**
 * Prepares a review outside of a run, as if the agent hadn't done anything yet. Settings are those of the repository
 * around `cwd`, otherwise of that folder. Needs no approval and changes nothing.
 */
export async function standaloneReview(
  cwd: string,
): Promise<({ readonly ok: true } & StandaloneReview) | Failure> {
  const folder = realFolder(cwd);
  if (!folder.ok) return folder;
  const found = findWorkTree(folder.path, process.env);
  const root = found?.top ?? folder.path;
  const loaded = await loadConfigFiles({ root, env: process.env, flags: {} });
  if (!loaded.ok) return failure(formatProblems(loaded.problems), 'ralph doctor --config');
  const stateHome =
    found === null ? join(homedir(), '.local', 'state', 'ralph') : stateHomeOf(found.commonDir);
  const machine = machinePlace(root, stateHome, false);
  const place: ReviewPlace = {
    ...machine,
    unseenInput: false,
    existed: (path) => machine.bornAt(path) !== null,
    writtenText: () => null,
    ownFiles: NO_OWN_FILES,
  };
  // The repository may be untrusted and modules are code, so none is loaded.
  const own = readRulesOutsideRun(loaded.config.review.rules.custom_rules_path, root);
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
