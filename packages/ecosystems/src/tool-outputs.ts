import { own } from 'ralph-kit/own';
import { isAtOrBelow, nameOf } from 'ralph-kit/paths';
import { OUTPUTS } from './languages/index.ts';

/** Ignored folders that package managers, interpreters and build tools fill. */
const FOLDERS: ReadonlySet<string> = new Set([...OUTPUTS.folders, '.terraform', '.sass-cache']);
/** Files that mark their folder as made by a tool: a Python environment, a cache, coverage reports. */
const MARKERS: ReadonlySet<string> = new Set([
  ...['pyvenv.cfg', 'CACHEDIR.TAG', 'lcov.info', 'coverage-final.json', 'clover.xml', '.last-run.json'],
]);
/** Files that tools and desktops leave anywhere. */
const FILE = new RegExp(String.raw`^(?:\.DS_Store|Thumbs\.db|${OUTPUTS.files.join('|')})$`);
/** Returns the topmost folder on the path that a tool's name marks, or the file; `null`: neither. */
export function toolOutputOf(path: string): string | null {
  const segments = path.split('/');
  const at = segments.findIndex((name) => FOLDERS.has(name) || name.endsWith('.egg-info'));
  if (at >= 0) return segments.slice(0, at + 1).join('/');
  return FILE.test(nameOf(path)) ? path : null;
}

/** Returns the folders and files that tools write, by their names or neighbours. */
export function toolOutputsIn(paths: readonly string[]): readonly string[] {
  const marked = paths.flatMap((path) => {
    const name = nameOf(path);
    return MARKERS.has(name) && path !== name ? [path.slice(0, -name.length - 1)] : [];
  });
  const named = paths.flatMap((path) => toolOutputOf(path) ?? []);
  const outputs = [...new Set([...named, ...marked])];
  return outputs.filter((one) => !outputs.some((other) => other !== one && isAtOrBelow(one, other)));
}

/** Package folders with names that only one tool uses. */
const PACKAGES =
  /^(?:node_modules|bower_components|\.venv|__pypackages__|\.yarn|\.pnp\..*|\.bundle|\.gradle|\.m2|.*\.egg-info|\.dart_tool|\.tox|\.nox|\.cargo)$/;
/** Ordinary folder names, with the neighbouring files that mark them as package folders. */
const MARKED_BY: Readonly<Record<string, readonly string[]>> = {
  vendor: ['composer.json', 'Gemfile', 'go.mod', 'Cargo.toml'],
  deps: ['mix.exs', 'rebar.config'],
  Pods: ['Podfile'],
};
/** Files of a Python environment, whatever its name. */
const ENVIRONMENT = ['pyvenv.cfg', 'conda-meta'];
/** Folders that only installers fill. */
const INSTALLED_INTO = /^(?:node_modules|\.venv|\.tox|\.nox)$/;
/** Files such as `.env`, with settings for programs. */
const SET_UP = /^\.env/;

/**
 * Whether a package manager writes the ignored file or folder, by its name, neighbours or content.
 * @param isThere Whether a path relative to the same folder exists.
 */
export function holdsPackages(path: string, isThere: (path: string) => boolean): boolean {
  const name = nameOf(path);
  return (
    PACKAGES.test(name) ||
    (own(MARKED_BY, name) ?? []).some((marker) => isThere(siblingOf(path, marker))) ||
    hasEnvironment(path, isThere)
  );
}

/** Whether the folder is an environment of Python or Node. */
export function isEnvironment(path: string, isThere: (path: string) => boolean): boolean {
  return INSTALLED_INTO.test(nameOf(path)) || hasEnvironment(path, isThere);
}

function hasEnvironment(path: string, isThere: (path: string) => boolean): boolean {
  return ENVIRONMENT.some((marker) => isThere(`${path}/${marker}`));
}

/** Whether an ignored path is a dependency of tracked files, and not built from them. */
export function isInstalled(path: string, isThere: (path: string) => boolean): boolean {
  return SET_UP.test(nameOf(path)) || holdsPackages(path, isThere);
}

export function isCargoTarget(path: string, isThere: (path: string) => boolean): boolean {
  return (
    isThere(`${path}/.rustc_info.json`) ||
    (nameOf(path) === 'target' && isThere(siblingOf(path, 'Cargo.toml')))
  );
}

function siblingOf(path: string, name: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;
}

/** Compilers and bundlers name an output as its source with another ending. */
const BUILT =
  /^(?:lib)?([^.$]+)[.$](?:.*\.)?(?:class|o|obj|lo|d|a|so|dylib|dll|js|mjs|cjs|jsx|d\.ts|map|beam|hi|rlib|rmeta)$/;

/** Returns the name, without ending, of the possible source of a built file; `null`: the name isn't of a built file. */
export function builtFrom(path: string): string | null {
  return BUILT.exec(nameOf(path))?.[1] ?? null;
}
