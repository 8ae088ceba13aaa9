import { own } from '../lib/own.ts';
import { isAtOrBelow, nameOf } from '../lib/paths.ts';
import { OUTPUTS } from './languages/index.ts';

/** Folders that package managers, interpreters and build tools fill, and that a project ignores. */
const FOLDERS: ReadonlySet<string> = new Set([...OUTPUTS.folders, '.terraform', '.sass-cache']);
/** Files that say of their folder that a tool makes it: an environment of Python, any cache, reports of coverage. */
const MARKERS: ReadonlySet<string> = new Set([
  ...['pyvenv.cfg', 'CACHEDIR.TAG', 'lcov.info', 'coverage-final.json', 'clover.xml', '.last-run.json'],
]);
/** Files that tools and desktops leave beside others. */
const FILE = new RegExp(String.raw`^(?:\.DS_Store|Thumbs\.db|${OUTPUTS.files.join('|')})$`);
/** The topmost folder on the way to a path that a tool fills by its name, or the file; `null`: neither. */
export function toolOutputOf(path: string): string | null {
  const segments = path.split('/');
  const at = segments.findIndex((name) => FOLDERS.has(name) || name.endsWith('.egg-info'));
  if (at >= 0) return segments.slice(0, at + 1).join('/');
  return FILE.test(nameOf(path)) ? path : null;
}

/** What among these paths tools write, by the names or by what lies beside it: folders and files. */
export function toolOutputsIn(paths: readonly string[]): readonly string[] {
  const marked = paths.flatMap((path) => {
    const name = nameOf(path);
    return MARKERS.has(name) && path !== name ? [path.slice(0, -name.length - 1)] : [];
  });
  const named = paths.flatMap((path) => toolOutputOf(path) ?? []);
  const outputs = [...new Set([...named, ...marked])];
  return outputs.filter((one) => !outputs.some((other) => other !== one && isAtOrBelow(one, other)));
}

/** Folders of packages by their names: only one tool gives such a name. */
const PACKAGES =
  /^(?:node_modules|bower_components|\.venv|__pypackages__|\.yarn|\.pnp\..*|\.bundle|\.gradle|\.m2|.*\.egg-info|\.dart_tool|\.tox|\.nox|\.cargo)$/;
/** Names that anybody may give a folder, with the files beside it by which it is one of packages. */
const MARKED_BY: Readonly<Record<string, readonly string[]>> = {
  vendor: ['composer.json', 'Gemfile', 'go.mod', 'Cargo.toml'],
  deps: ['mix.exs', 'rebar.config'],
  Pods: ['Podfile'],
};
/** What lies in an environment of Python, whatever its name. */
const ENVIRONMENT = ['pyvenv.cfg', 'conda-meta'];
/** Folders that nothing but installers fill, by their names. */
const INSTALLED_INTO = /^(?:node_modules|\.venv|\.tox|\.nox)$/;
/** How the place is set up. */
const SET_UP = /^\.env/;

/**
 * Whether a package manager writes what an ignored file or folder of this path holds: by a name that is the tool's own, or by
 * what lies beside it or in it.
 *
 * @param isThere Whether there is something at a path that is relative to the same folder.
 */
export function holdsPackages(path: string, isThere: (path: string) => boolean): boolean {
  const name = nameOf(path);
  return (
    PACKAGES.test(name) ||
    (own(MARKED_BY, name) ?? []).some((marker) => isThere(siblingOf(path, marker))) ||
    hasEnvironment(path, isThere)
  );
}

/** Whether a folder of this path is an environment of Python or of node. */
export function isEnvironment(path: string, isThere: (path: string) => boolean): boolean {
  return INSTALLED_INTO.test(nameOf(path)) || hasEnvironment(path, isThere);
}

function hasEnvironment(path: string, isThere: (path: string) => boolean): boolean {
  return ENVIRONMENT.some((marker) => isThere(`${path}/${marker}`));
}

/** Whether an ignored file or folder is there for what is tracked, and not made of it. */
export function isInstalled(path: string, isThere: (path: string) => boolean): boolean {
  return SET_UP.test(nameOf(path)) || holdsPackages(path, isThere);
}

/** Whether cargo builds in an ignored folder. */
export function isCargoTarget(path: string, isThere: (path: string) => boolean): boolean {
  return (
    isThere(`${path}/.rustc_info.json`) ||
    (nameOf(path) === 'target' && isThere(siblingOf(path, 'Cargo.toml')))
  );
}

function siblingOf(path: string, name: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;
}

/** What compilers and bundlers call what they make of a file: its name, with another ending. */
const BUILT =
  /^(?:lib)?([^.$]+)[.$](?:.*\.)?(?:class|o|obj|lo|d|a|so|dylib|dll|js|mjs|cjs|jsx|d\.ts|map|beam|hi|rlib|rmeta)$/;

/** The name, without an ending, of the file of code that a file may be built from; `null`: it isn't called like something built. */
export function builtFrom(path: string): string | null {
  return BUILT.exec(nameOf(path))?.[1] ?? null;
}
