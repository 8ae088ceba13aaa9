import { existsSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { TOOLCHAINS } from 'ralph-ecosystems';
import { namesIn, plainText } from 'ralph-kit/files/plain-file';
import { configText, parseSettings, settingsForAgents } from 'ralph-kit/formats/git-config';
import { isAtOrBelow, parentOf } from 'ralph-kit/paths';
import { ownProgramPath } from 'ralph-kit/programs/start/own-program';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { startSync } from 'ralph-kit/programs/start/start-program';
import type { OpenedHome } from './agent-home.ts';
import type { BoxOptions } from './box-options.ts';
import { existingCaches, inHome, XDG } from './caches.ts';
import { inherited } from './environment.ts';
import { findPathOnce } from './gather.ts';
import { isHidden, visibleInHome, writeSettings } from './home.ts';
import { type Layer, seenLayer } from './layers.ts';
import type { FindPath, Place, VisiblePath } from './mounts.ts';
import { HOMES } from './outside.ts';
import type { BoxLaunch, Opened } from './protocol/index.ts';

/** Replacements of your home folder and caches in a box. */
export type BoxHome = {
  /** Folders in which only the paths named below are visible. */
  readonly hidden: readonly string[];
  readonly layers: readonly Layer[];
  readonly ownFolders: readonly Place[];
  readonly shown: readonly VisiblePath[];
  /** Mount point of the copy outside the box; empty without a copy. */
  readonly copyAt: string;
};

type Facts = Pick<BoxOptions, 'root' | 'home'> & {
  readonly env: Environment;
  readonly git: string;
  readonly isLayered: boolean;
};

/**
 * Gives a launch its own home folder. A set-up command's home is below those of gates and agent in the same copy; no
 * other launch sees what another one wrote. They are removed when the copy is used for another task.
 */
export function boxHomeOf(facts: Facts, launch: BoxLaunch, own: string, findPath: FindPath): BoxHome {
  const { root, home, env, isLayered } = facts;
  const trees = homesIn(home, env, findPath);
  const hidden = [...new Set([...trees.map(({ path }) => path), ...HOMES, '/run'])];
  const layers: Layer[] = [];
  const { copy } = launch;
  if (copy?.seed != null)
    layers.push({ lower: copy.seed, upper: copy.files, work: join(copy.folder, 'work') });
  const copyAt = copy?.seed != null ? seenLayer(own, 0) : (copy?.files ?? '');
  const { kept, below } = keptFor(launch, own, isLayered);
  const seen = (name: string, lower: readonly string[]): string => {
    const upper = join(kept, name);
    mkdirSync(upper, { recursive: true, mode: 0o700 });
    if (!isLayered || lower.length === 0) return upper;
    layers.push({ lower, upper, work: join(kept, 'work', name) });
    return seenLayer(own, layers.length - 1);
  };
  const ofSetUp = (name: string) =>
    below === null ? [] : [join(below, name)].filter((one) => existsSync(one));
  const settings = join(own, 'settings');
  const written = writeSettings(facts, (path) => inTree(trees, settings, path), facts.git, findPath).filter(
    (path) => !isAtOrBelow(path, root),
  );
  const ownFolders = trees.map(({ path, name }) => {
    const lower = [...ofSetUp(name), join(settings, name)].filter((one) => existsSync(one));
    return { path, from: seen(name, lower) };
  });
  const shown: VisiblePath[] = isLayered
    ? []
    : written.map((path) => ({ path, from: inTree(trees, settings, path) ?? path, kind: 'file' as const }));
  const [first] = ownFolders;
  // HOME may be a link in a hidden folder.
  if (first !== undefined && env.HOME !== undefined && env.HOME !== home && isHidden(env.HOME, HOMES))
    ownFolders.push({ path: env.HOME, from: first.from });
  const caches = existingCaches(home, env, findPath).filter(({ realPath }) => !isAtOrBelow(realPath, root));
  for (const cache of caches) {
    const name = `caches/${cache.path.replaceAll('/', '-')}`;
    if (isLayered)
      ownFolders.push({ path: cache.path, from: seen(name, [...ofSetUp(name), cache.realPath]) });
    else if (cache.isReadable) shown.push({ path: cache.path, from: cache.realPath, kind: 'folder' });
    else if (!isHidden(cache.path, hidden)) ownFolders.push({ path: cache.path, from: seen(name, []) });
  }
  const programs = programsOf(launch, findPath);
  const visible = [...launch.visible, ...programs, ...programs.map(parentOf)];
  const ofHome = visibleInHome(
    { hidden, home, env, visible, agentVariables: launch.inherits?.additional ?? [] },
    findPath,
  );
  return {
    hidden,
    layers,
    ownFolders,
    copyAt,
    shown: [...shown, ...ofHome.filter(({ path }) => !isAtOrBelow(path, root))],
  };
}

/** Returns the absolute and the real paths of what a launch runs. */
export function programsOf({ program, scripts = [] }: BoxLaunch, findPath: FindPath): readonly string[] {
  return [program, ...scripts].flatMap((path) => [path, findPath(path)?.realPath ?? path]).filter(isAbsolute);
}

type Tree = { readonly path: string; readonly name: string };

/** Returns the home folder and the folders that XDG variables move out of it. */
function homesIn(home: string, env: Environment, findPath: FindPath): Tree[] {
  const trees: Tree[] = home === '/' ? [] : [{ path: home, name: 'home' }];
  for (const [variable] of XDG) {
    const set = env[variable];
    const real = set === undefined || !isAbsolute(set) ? undefined : findPath(set)?.realPath;
    if (real !== undefined && real !== '/' && !isHidden(`${real}/x`, [...trees.map(({ path }) => path)]))
      trees.push({ path: real, name: variable });
  }
  return trees;
}

function inTree(trees: readonly Tree[], folder: string, path: string): string | null {
  const tree = trees.find((one) => path.startsWith(`${one.path}/`));
  return tree === undefined ? null : join(folder, tree.name, path.slice(tree.path.length + 1));
}

/** Folder in a copy, removed when the copy is used for another task. */
export const HOMES_OF_COPY = 'homes';

/** Returns the folder where a launch's writes are kept, and the read-only folder below it. */
function keptFor({ role, copy }: BoxLaunch, own: string, isLayered: boolean) {
  const alone = { kept: join(own, 'homes'), below: null };
  if (copy === undefined) return alone;
  const homes = (name: string) => join(copy.folder, HOMES_OF_COPY, name);
  const below = existsSync(homes('set-up')) ? homes('set-up') : null;
  if (role === 'set-up') return { kept: homes('set-up'), below: null };
  if (role === 'agent') return { kept: homes('agent'), below };
  // Without layers, a set-up command's files are visible only in the same folder.
  return isLayered ? { ...alone, below } : { kept: below ?? alone.kept, below: null };
}

const GIT_MS = 10_000;

/** Returns your git settings without credentials, as text of a config file. */
export function gitSettings(root: string): string {
  const args = ['config', '--global', '--includes', '--list', '-z', '--show-scope'];
  const run = startSync(ownProgramPath('git'), args, { cwd: root, timeout: GIT_MS, encoding: 'latin1' });
  if (run.status !== 0) return '';
  return configText(settingsForAgents(parseSettings(Buffer.from(run.stdout, 'latin1'))));
}

const MAX_SETTINGS = 1024 * 1024;

/** Returns variables that the agent's settings mention: they hold its keys. */
export function namesInSettings(home: OpenedHome | null, env: Environment): string[] {
  const texts = (home?.settings ?? []).flatMap(({ from, kind }) =>
    kind === 'file' ? (plainText(from, MAX_SETTINGS) ?? []) : [],
  );
  const words = new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z0-9_]{3,}\b/g) ?? []));
  return Object.keys(env).filter((name) => words.has(name));
}

/** Folders in the home folder that many programs share. */
const SHARED = ['.config', '.cache', '.local', '.local/share', '.local/state'];

type ClosedBox = Pick<BoxOptions, 'home' | 'root' | 'stateHome' | 'variables'>;

/** Returns variables and home paths that a gate doesn't get; shared folders are listed by their contents. */
export function closedTo(
  { home, root, stateHome, variables }: ClosedBox,
  { env }: Pick<BoxLaunch, 'env'>,
): Opened {
  const findPath = findPathOnce();
  const passed = inherited(env, { which: 'ordinary', additional: variables });
  const given = [
    ...[root, stateHome, dirname(stateHome)],
    ...existingCaches(home, passed, findPath).map(({ path }) => path),
    ...TOOLCHAINS.map((name) => inHome(name, home, passed)),
  ];
  const isOpen = (path: string) =>
    SHARED.some((name) => inHome(name, home, passed) === path) ||
    given.some((one) => one.startsWith(`${path}/`));
  const below = (folder: string): string[] =>
    namesIn(folder)
      .map((name) => join(folder, name))
      .filter((path) => !given.includes(path))
      .flatMap((path) => (isOpen(path) ? below(path) : path));
  return {
    paths: home === '/' ? [] : below(home),
    variables: Object.keys(env).filter((name) => passed[name] === undefined && !name.startsWith('RALPH_')),
  };
}
