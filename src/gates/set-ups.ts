/** A command that installs what a lock file names. */
export type SetUp = { readonly file: string; readonly run: string };

/** Newer versions of yarn have other options, and say so in the lock file. */
const yarn = (text: string) =>
  /^__metadata:/m.test(text) ? 'yarn install --immutable' : 'yarn install --frozen-lockfile';

/** By the lock file at the top of the repository. */
const KNOWN = new Map<string, (text: string) => string>([
  ['package-lock.json', () => 'npm ci'],
  ['npm-shrinkwrap.json', () => 'npm ci'],
  ['pnpm-lock.yaml', () => 'pnpm install --frozen-lockfile'],
  ['yarn.lock', yarn],
  ['bun.lock', () => 'bun install --frozen-lockfile'],
  ['uv.lock', () => 'uv sync --frozen'],
  ['poetry.lock', () => 'poetry install --no-interaction'],
  ['Gemfile.lock', () => 'bundle install'],
  ['composer.lock', () => 'composer install --no-interaction'],
  ['Cargo.lock', () => 'cargo fetch --locked'],
  ['go.sum', () => 'go mod download'],
  ['mix.lock', () => 'mix deps.get'],
]);

/** Whether a file of this path, relative to the top, is a lock file that is known. */
export function isLockFile(path: string): boolean {
  return KNOWN.has(path);
}

/** Their tools fetch what is missing by themselves. */
const FETCHED: ReadonlySet<string> = new Set(['Cargo.lock', 'go.sum']);

/** What has to be run in a checkout after these files changed in it, as after a pull. */
export function installsFor(changed: readonly string[]): readonly SetUp[] {
  return changed.flatMap((file) => {
    const run = FETCHED.has(file) ? undefined : KNOWN.get(file)?.('');
    return run === undefined ? [] : [{ file, run }];
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
  const changed = locks.filter(({ path, text }) => KNOWN.has(path) && installed(path) !== text);
  const ups = changed.map(({ path, text }) => ({ file: path, run: commandFor(setting, path, text) }));
  return ups.filter(({ run }, at) => ups.findIndex((one) => one.run === run) === at);
}

function commandFor(setting: string, path: string, text: string): string {
  return setting === 'auto' ? (KNOWN.get(path)?.(text) ?? '') : setting;
}
