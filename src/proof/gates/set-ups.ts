import { isLock, isManifest, LOCK_FILES } from '../../ecosystems/index.ts';
import { nameOf } from '../../lib/paths.ts';
import { shellQuote } from '../../lib/shell-quote.ts';

/** A command that installs what a lock file names. */
export type SetUp = { readonly file: string; readonly run: string };

/** The command that makes a lock file anew, at whatever path it is; `null`: none is known. */
export function lockCommandFor(path: string, text: string): string | null {
  const name = nameOf(path);
  const run = LOCK_FILES.get(name)?.anew?.(text);
  if (run === undefined) return null;
  return path === name ? run : `cd ${shellQuote(path.slice(0, -name.length - 1))} && ${run}`;
}

/** Whether a file of this path, relative to the top, is a lock file that is known. */
export function isLockFile(path: string): boolean {
  return LOCK_FILES.get(path)?.install !== undefined;
}

/** Manifests and lock files beside those that honest work brings along by itself. */
const MORE_MANIFESTS =
  /^(?:setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)|pom\.xml|environment\.ya?ml|[\w.-]+-lock\.\w+|[\w.-]+\.lock)$/;

/**
 * The files among changed ones that say what is to be installed, where ralph installs nothing of it: no lock file at the top belongs to
 * them, or set-up is off.
 *
 * @param setting `[gates] setup`
 * @param hasFile Whether there is a file of this path, relative to the top.
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

/** What has to be run in a checkout after these files changed in it, as after a pull. */
export function installsFor(changed: readonly string[]): readonly SetUp[] {
  return changed.flatMap((file) => {
    const { install, fetches } = LOCK_FILES.get(file) ?? {};
    return install === undefined || fetches === true ? [] : [{ file, run: install('') }];
  });
}

/**
 * What has to be run so that a copy has installed what its lock files name.
 *
 * @param setting `[gates] setup`: `auto`, a command, or `off`.
 * @param locks Lock files of the copy with their texts.
 * @param installed The text of a lock file as it was when what lies there was installed; `null`: nothing is installed by it.
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
