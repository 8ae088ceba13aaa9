import { isAtOrBelow, nameOf } from '../paths.ts';

/** Folders that package managers, interpreters and build tools fill, and that a project ignores. */
const NAMES: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', '.pnpm-store', '.npm', '.nyc_output'],
  ...['.next', '.nuxt', '.svelte-kit', '.angular', '.parcel-cache', '.turbo', '.vite', '.docusaurus'],
  ...['__pycache__', '.venv', '.tox', '.nox', '.eggs', '.pytest_cache', '.mypy_cache', '.ruff_cache'],
  ...['.hypothesis', '.ipynb_checkpoints', '.gradle', '.terraform', '.dart_tool', '.stack-work', '.bloop'],
  ...['.metals', '.zig-cache', '.ccls-cache', '.phpunit.cache', '.sass-cache'],
]);
/** Files that say of their folder that a tool makes it: an environment of Python, and any cache. */
const MARKERS: ReadonlySet<string> = new Set(['pyvenv.cfg', 'CACHEDIR.TAG']);

/** The topmost folder on the way to a path that a tool fills by its name; `null`: there is none. */
export function toolFolderOf(path: string): string | null {
  const segments = path.split('/');
  const at = segments.findIndex((name) => NAMES.has(name) || name.endsWith('.egg-info'));
  return at < 0 ? null : segments.slice(0, at + 1).join('/');
}

/** The folders among these paths that tools fill, by their names or by what lies in them. */
export function toolFoldersIn(paths: readonly string[]): readonly string[] {
  const marked = paths.flatMap((path) => {
    const name = nameOf(path);
    return MARKERS.has(name) && path !== name ? [path.slice(0, -name.length - 1)] : [];
  });
  const named = paths.flatMap((path) => toolFolderOf(path) ?? []);
  const folders = [...new Set([...named, ...marked])];
  return folders.filter((one) => !folders.some((other) => other !== one && isAtOrBelow(one, other)));
}
