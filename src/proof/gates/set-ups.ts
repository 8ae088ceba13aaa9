import { isLock, isManifest, LOCK_FILES } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';
import { shellQuote } from 'ralph-kit/shell-quote';

export type SetUp = { readonly file: string; readonly run: string };

/** Returns the command that regenerates a lock file at any path, or `null` if it isn't known. */
export function lockCommandFor(path: string, text: string): string | null {
  const name = nameOf(path);
  const run = LOCK_FILES.get(name)?.anew?.(text);
  if (run === undefined) return null;
  return path === name ? run : `cd ${shellQuote(path.slice(0, -name.length - 1))} && ${run}`;
}

/** Returns whether a path, relative to the root, is a known lock file. */
export function isLockFile(path: string): boolean {
  return LOCK_FILES.get(path)?.install !== undefined;
}

/** More manifests and lock files, besides those that work usually changes along with others. */
const MORE_MANIFESTS =
  /^(?:setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)|pom\.xml|environment\.ya?ml|[\w.-]+-lock\.\w+|[\w.-]+\.lock)$/;

/**
 * Returns the changed manifests whose packages ralph doesn't install, as no lock file at the root belongs to them or set-up is off.
 * @param setting `[gates] setup`
 * @param hasFile Returns whether a file exists at a path relative to the root.
 */
export function manifestsToInstall(
  setting: string,
  changed: readonly string[],
  hasFile: (path: string) => boolean,
): readonly string[] {
  const isSetUp = (path: string) =>
    setting !== 'off' &&
    (isLockFile(path) ||
      [...LOCK_FILES.values()].some(
        ({ of, file, install }) => of === nameOf(path) && install !== undefined && hasFile(file),
      ));
  return changed.filter(
    (path) => (isManifest(path) || isLock(path) || MORE_MANIFESTS.test(nameOf(path))) && !isSetUp(path),
  );
}

export function installsFor(changed: readonly string[]): readonly SetUp[] {
  return changed.flatMap((file) => {
    const { install, fetches } = LOCK_FILES.get(file) ?? {};
    return install === undefined || fetches === true ? [] : [{ file, run: install('') }];
  });
}

/**
 * Returns the commands after which a copy has installed the packages in its lock files.
 * @param setting `[gates] setup`: `auto`, a command, or `off`.
 * @param locks Lock files of the copy with their texts.
 * @param installed Returns a lock file's text at the time of the last installation; `null` if there was none.
 */
export function setUpsFor(
  setting: string,
  locks: readonly { readonly path: string; readonly text: string }[],
  installed: (path: string) => string | null,
): readonly SetUp[] {
  if (setting === 'off') return [];
  const changed = locks.filter(({ path, text }) => isLockFile(path) && installed(path) !== text);
  const ups = changed.map(({ path, text }) => ({ file: path, run: commandFor(setting, path, text) }));
  return ups.filter(({ run }, at) => ups.findIndex((one) => one.run === run) === at);
}

function commandFor(setting: string, path: string, text: string): string {
  return setting === 'auto' ? (LOCK_FILES.get(path)?.install?.(text) ?? '') : setting;
}
