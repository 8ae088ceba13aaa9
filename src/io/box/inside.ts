import { existsSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Opened } from '../../domain/box/box.ts';
import { TOOLCHAINS } from '../../ecosystems/index.ts';
import { isAtOrBelow, parentOf } from '../../lib/paths.ts';
import { namesIn, plainText } from '../files/plain-file.ts';
import { ownProgramPath } from '../programs/start/own-program.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import { startSync } from '../programs/start/start-program.ts';
import type { OpenedHome } from './agent-home.ts';
import type { BoxLaunch, BoxOptions } from './box-options.ts';
import { cachesThere, inHome, XDG } from './caches.ts';
import { configText, parseSettings, settingsForAgents } from './config-text.ts';
import { inherited } from './environment.ts';
import { findPathOnce } from './gather.ts';
import { isHidden, shownOfHome, writeSettings } from './home.ts';
import { type Layer, seenLayer } from './layers.ts';
import type { FindPath, Place, Shown } from './mounts.ts';
import { HOMES } from './outside.ts';

/** What stands in a box where your home folder and your caches are. */
export type Inside = {
  /** Folders of which only what is named here is seen. */
  readonly hidden: readonly string[];
  readonly layers: readonly Layer[];
  readonly ownFolders: readonly Place[];
  readonly shown: readonly Shown[];
  /** Where the copy is seen outside of the box; empty: there is none. */
  readonly copyAt: string;
};

type Facts = Pick<BoxOptions, 'root' | 'home'> & {
  /** As it is passed on. */
  readonly env: Environment;
  readonly git: string;
  readonly isLayered: boolean;
};

/**
 * Gives a launch a home folder of its own. What a set-up command leaves in its home lies below those of the gates and of the agent in
 * that copy; of the others none sees what another one wrote. The copy's go when it is brought to another task.
 */
export function insideOf(facts: Facts, launch: BoxLaunch, own: string, findPath: FindPath): Inside {
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
  const shown: Shown[] = isLayered
    ? []
    : written.map((path) => ({ path, from: inTree(trees, settings, path) ?? path, kind: 'file' as const }));
  const [first] = ownFolders;
  // A link to it in a place that is hidden.
  if (first !== undefined && env.HOME !== undefined && env.HOME !== home && isHidden(env.HOME, HOMES))
    ownFolders.push({ path: env.HOME, from: first.from });
  const caches = cachesThere(home, env, findPath).filter(({ real }) => !isAtOrBelow(real, root));
  for (const cache of caches) {
    const name = `caches/${cache.path.replaceAll('/', '-')}`;
    if (isLayered) ownFolders.push({ path: cache.path, from: seen(name, [...ofSetUp(name), cache.real]) });
    else if (cache.isReadable) shown.push({ path: cache.path, from: cache.real, kind: 'folder' });
    else if (!isHidden(cache.path, hidden)) ownFolders.push({ path: cache.path, from: seen(name, []) });
  }
  const program = findPath(launch.program)?.real ?? launch.program;
  const programs = [launch.program, program].filter(isAbsolute);
  const visible = [...launch.visible, ...programs, ...programs.map(parentOf)];
  const ofHome = shownOfHome({ hidden, home, env, visible, own: launch.inherits?.and ?? [] }, findPath);
  return {
    hidden,
    layers,
    ownFolders,
    copyAt,
    shown: [...shown, ...ofHome.filter(({ path }) => !isAtOrBelow(path, root))],
  };
}

/** A folder that is the box's own, by its name among those. */
type Tree = { readonly path: string; readonly name: string };

/** The home folder, and those that variables put outside of it. */
function homesIn(home: string, env: Environment, findPath: FindPath): Tree[] {
  const trees: Tree[] = home === '/' ? [] : [{ path: home, name: 'home' }];
  for (const [variable] of XDG) {
    const set = env[variable];
    const real = set === undefined || !isAbsolute(set) ? undefined : findPath(set)?.real;
    if (real !== undefined && real !== '/' && !isHidden(`${real}/x`, [...trees.map(({ path }) => path)]))
      trees.push({ path: real, name: variable });
  }
  return trees;
}

function inTree(trees: readonly Tree[], folder: string, path: string): string | null {
  const tree = trees.find((one) => path.startsWith(`${one.path}/`));
  return tree === undefined ? null : join(folder, tree.name, path.slice(tree.path.length + 1));
}

/** Of a copy, removed when that is brought to something else. */
export const HOMES_OF_COPY = 'homes';

/** Where a launch keeps what it writes, and what lies below that. */
function keptFor({ role, copy }: BoxLaunch, own: string, isLayered: boolean) {
  const alone = { kept: join(own, 'homes'), below: null };
  if (copy === undefined) return alone;
  const homes = (name: string) => join(copy.folder, HOMES_OF_COPY, name);
  const below = existsSync(homes('set-up')) ? homes('set-up') : null;
  if (role === 'set-up') return { kept: homes('set-up'), below: null };
  if (role === 'agent') return { kept: homes('agent'), below };
  // Without layers, nothing of set-up's could be seen in another folder.
  return isLayered ? { ...alone, below } : { kept: below ?? alone.kept, below: null };
}

const GIT_MS = 10_000;

/** Your own settings of git, without credentials. */
export function gitSettings(root: string): string {
  const args = ['config', '--global', '--includes', '--list', '-z', '--show-scope'];
  const run = startSync(ownProgramPath('git'), args, { cwd: root, timeout: GIT_MS, encoding: 'latin1' });
  if (run.status !== 0) return '';
  return configText(settingsForAgents(parseSettings(Buffer.from(run.stdout, 'latin1'))));
}

const MAX_SETTINGS = 1024 * 1024;

/** Variables that the settings of an agent name: they hold its keys. */
export function namesInSettings(home: OpenedHome | null, env: Environment): string[] {
  const texts = (home?.settings ?? []).flatMap(({ from, kind }) =>
    kind === 'file' ? (plainText(from, MAX_SETTINGS) ?? []) : [],
  );
  const words = new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z0-9_]{3,}\b/g) ?? []));
  return Object.keys(env).filter((name) => words.has(name));
}

/** Folders that hold those of many programs. */
const SHARED = ['.config', '.cache', '.local', '.local/share', '.local/state'];

/** What a gate doesn't get of your home folder and your environment; folders that it gets a part of are named by what is in them. */
export function closedTo(
  { home, root, stateHome, variables }: Pick<BoxOptions, 'home' | 'root' | 'stateHome' | 'variables'>,
  { env }: Pick<BoxLaunch, 'env'>,
): Opened {
  const findPath = findPathOnce();
  const passed = inherited(env, { which: 'ordinary', and: variables });
  const given = [
    ...[root, stateHome, dirname(stateHome)],
    ...cachesThere(home, passed, findPath).map(({ path }) => path),
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
