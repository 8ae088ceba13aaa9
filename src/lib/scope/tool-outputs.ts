import { isAtOrBelow, nameOf } from '../paths.ts';

/** Folders that package managers, interpreters and build tools fill, and that a project ignores. */
const FOLDERS: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', '.pnpm-store', '.npm', '.nyc_output'],
  ...['.next', '.nuxt', '.svelte-kit', '.angular', '.parcel-cache', '.turbo', '.vite', '.docusaurus'],
  ...['__pycache__', '.venv', '.tox', '.nox', '.eggs', '.pytest_cache', '.mypy_cache', '.ruff_cache'],
  ...['.hypothesis', '.ipynb_checkpoints', '.gradle', '.terraform', '.dart_tool', '.stack-work', '.bloop'],
  ...['.metals', '.zig-cache', '.ccls-cache', '.phpunit.cache', '.sass-cache'],
]);
/** Files that say of their folder that a tool makes it: an environment of Python, any cache, reports of coverage. */
const MARKERS: ReadonlySet<string> = new Set([
  ...['pyvenv.cfg', 'CACHEDIR.TAG', 'lcov.info', 'coverage-final.json', 'clover.xml', '.last-run.json'],
]);
/** Files that tools and desktops leave beside others. */
const FILE =
  /^(?:\.coverage(?:\..+)?|\.DS_Store|Thumbs\.db|\.eslintcache|\.phpunit\.result\.cache|.*\.tsbuildinfo|.*\.py[co]|(?:npm-debug|yarn-error)\.log.*)$/;

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

const PACKAGES =
  /^(?:node_modules|bower_components|\.?venv|env|virtualenv|__pypackages__|vendor|\.yarn|\.pnp\..*|\.bundle|\.gradle|\.m2|.*\.egg-info|deps|Pods|\.dart_tool|\.tox|\.nox|\.cargo)$/;
/** How the place is set up, and cargo's folder, which holds what it fetched beside what it built. */
const SET_UP = /^(?:target|\.env.*)$/;

/** Whether a package manager writes what an ignored file or folder of this path holds. */
export function holdsPackages(path: string): boolean {
  return PACKAGES.test(nameOf(path));
}

/** Whether an ignored file or folder is there for what is tracked, and not made of it. */
export function isInstalled(path: string): boolean {
  return holdsPackages(path) || SET_UP.test(nameOf(path));
}
