import { nameOf } from '../../lib/paths.ts';
import { kindOf } from '../../lib/scope/path-kind.ts';
import { shellQuote } from '../../lib/shell-quote.ts';

/** A command that installs what a lock file names. */
export type SetUp = { readonly file: string; readonly run: string };

/** Newer versions of yarn have other options, and say so in the lock file. */
const isNewerYarn = (text: string) => /^__metadata:/m.test(text);
const yarn = (text: string) =>
  isNewerYarn(text) ? 'yarn install --immutable' : 'yarn install --frozen-lockfile';

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

const NPM_LOCK = 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund';

/**
 * What makes a lock file anew from its manifest, and keeps the versions that are in it. Not `composer` and `pipenv`: what they have for it
 * leaves out what is new, or takes other versions of all the rest.
 */
const LOCKED = new Map<string, (text: string) => string>([
  ['package-lock.json', () => NPM_LOCK],
  ['npm-shrinkwrap.json', () => NPM_LOCK],
  ['pnpm-lock.yaml', () => 'pnpm install --lockfile-only --no-frozen-lockfile --ignore-scripts'],
  [
    'yarn.lock',
    (text) =>
      isNewerYarn(text)
        ? 'YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install --mode=update-lockfile'
        : 'yarn install --ignore-scripts --non-interactive',
  ],
  ['bun.lock', () => 'bun install --lockfile-only --ignore-scripts'],
  ['uv.lock', () => 'uv lock'],
  // Since version 2 it keeps them by default, and doesn't know the option.
  [
    'poetry.lock',
    (text) => `poetry lock --no-interaction${/^# .* by Poetry 1\./.test(text) ? ' --no-update' : ''}`,
  ],
  ['Gemfile.lock', () => 'bundle lock'],
  ['Cargo.lock', () => 'cargo update --workspace'],
  ['go.sum', () => 'go mod tidy'],
  ['mix.lock', () => 'mix deps.get'],
]);

/** The command that makes a lock file anew, at whatever path it is; `null`: none is known. */
export function lockCommandFor(path: string, text: string): string | null {
  const name = nameOf(path);
  const run = LOCKED.get(name)?.(text);
  if (run === undefined) return null;
  return path === name ? run : `cd ${shellQuote(path.slice(0, -name.length - 1))} && ${run}`;
}

/** Whether a file of this path, relative to the top, is a lock file that is known. */
export function isLockFile(path: string): boolean {
  return KNOWN.has(path);
}

/** Manifests of which a lock file at the top says what is installed. */
const LOCKED_BY = new Map([
  ['package.json', ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock']],
  ['pyproject.toml', ['uv.lock', 'poetry.lock']],
  ['Gemfile', ['Gemfile.lock']],
  ['composer.json', ['composer.lock']],
  ['Cargo.toml', ['Cargo.lock']],
  ['go.mod', ['go.sum']],
  ['mix.exs', ['mix.lock']],
]);
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
    setting !== 'off' && (isLockFile(path) || LOCKED_BY.get(nameOf(path))?.some(hasFile) === true);
  return changed.filter(
    (path) =>
      (['manifest', 'lock'].includes(kindOf(path)) || MORE_MANIFESTS.test(nameOf(path))) && !isSetUp(path),
  );
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
