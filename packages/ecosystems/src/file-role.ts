import { nameOf } from 'ralph-kit/paths';
import { languageOf } from './code/language-of.ts';
import { LANGUAGES, LOCK_FILES, MANIFESTS } from './languages/index.ts';
import type { FileNames } from './protocol.ts';

export type FileRole =
  | 'test'
  /** Runs before or around tests: set-up, fixtures of a runner, helpers. */
  | 'test_support'
  | 'source'
  /** Expected output written by a tool: snapshots. */
  | 'golden'
  | 'config'
  | 'pipeline'
  | 'policy'
  | 'generated'
  | 'other';

/** Returns one pattern for a kind of file: the usual ones, then those of all languages. */
function everywhere(kind: Exclude<keyof FileNames, 'only'>, ...usual: readonly RegExp[]): RegExp {
  const own = LANGUAGES.flatMap(({ files }) => files?.[kind] ?? []);
  return new RegExp([...usual, ...own].map(({ source }) => source).join('|'));
}

const GENERATED =
  /(?:^|\/)(?:node_modules|dist|vendor|third_party|target)\/|\.min\.(?:js|css)$|\.(?:pb|generated)\.\w+$/;
const POLICY =
  /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|QWEN|COPILOT)(?:\.\w+)?\.md$|(?:^|\/)\.(?:claude|codex|gemini|qwen|factory|opencode|cursor|pi|ralph|aider|windsurf)\/|(?:^|\/)\.(?:cursorrules|windsurfrules|aider\.conf\.yml)$|(?:^|\/)opencode\.jsonc?$|(?:^|\/)ralph\.toml$|copilot-instructions\.md$/;
const GOLDEN =
  /\.(?:snap|golden|approved(?:\.\w+)?|verified\.\w+|ambr)$|(?:^|\/)__(?:image_)?snapshots__\/|(?:^|\/)(?:golden|goldens|snapshots|expected)\/[^/]+$|\.snap\.\w+$|(?:^|\/)testdata\/.*\.(?:out|want|expected)$|\.expected(?:\.\w+)?$/;
const PIPELINE = everywhere(
  'recipes',
  /(?:^|\/)\.github\/(?:workflows|actions)\/|(?:^|\/)\.gitlab-ci[\w.-]*\.ya?ml$|(?:^|\/)\.circleci\/|(?:^|\/)(?:Jenkinsfile|azure-pipelines\.ya?ml|\.travis\.yml|appveyor\.yml|bitbucket-pipelines\.yml|\.drone\.yml|buildspec\.yml|cloudbuild\.yaml|\.woodpecker\.ya?ml)$|(?:^|\/)\.buildkite\/|(?:^|\/)\.githooks\/|(?:^|\/)(?:git-)?hooks\/|(?:^|\/)(?:lefthook\.ya?ml|\.pre-commit-config\.yaml)$|(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$|(?:^|\/)(?:[Jj]ustfile|Taskfile\.ya?ml|Earthfile|Dockerfile[\w.]*)$|^\.ci\//,
);
const CONFIG = everywhere(
  'settings',
  /(?:^|\/)(?:codecov|sonar-project)\.(?:jsonc?|ya?ml|properties)$|(?:^|\/)\.dockerignore$|\.editorconfig$|(?:^|\/)\.?(?:codecov\.ya?ml|coveralls\.yml)$|baseline[\w.-]*\.(?:neon|xml|json|ya?ml)$/,
);
const SUPPORT = everywhere(
  'support',
  /(?:^|\/)(?:test|tests|spec|__tests__|e2e)\/(?:.*\/)?(?:setup|set-up|global-?setup|bootstrap|support|helpers?|utils?|fixtures?)[\w.-]*\.\w+$/,
);
/** Names that mark tests, whatever the file contains. */
const TEST_WORD = /[._-](?:test|tests|spec|e2e)\.\w+$|(?:^|\/)test_[\w-]+\.\w+$/;
const TEST_NAME = everywhere(
  'tests',
  TEST_WORD,
  /(?:^|\/)[A-Z]\w*(?:Tests?|Spec|Specs|IT|TestCase|TestSuite)\.\w+$|(?:^|\/)Test[A-Z]\w*\.(?:java|kt|cs|php|swift)$/,
);
const TEST_DATA = everywhere('data');
const ONLY = LANGUAGES.flatMap(({ files }) =>
  files?.only === undefined ? [] : [{ of: files.only, tests: files.tests }],
);

const ROLES: readonly (readonly [FileRole, RegExp])[] = [
  ['policy', POLICY],
  ['golden', GOLDEN],
  ['pipeline', PIPELINE],
  ['config', CONFIG],
  ['test_support', SUPPORT],
];

const FIXTURE = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data)\//;
const TEST_FOLDER = /(?:^|\/)(?:tests?|specs?|__tests__|e2e|testing|Tests)\//;
const DOCUMENT =
  /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|man)\/|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|NOTICE)\b/i;

/** Other texts beside tests are test data. */
const FOR_READERS =
  /(?:^|\/)(?:README|LICEN[CS]E|CHANGELOG|NOTICE|CONTRIBUTING|NOTES|TODO)\b[^/]*$|\.(?:adoc|rst)$/i;

/** Whether a file is read only by humans. */
export function isDocument(path: string): boolean {
  return DOCUMENT.test(path);
}

/** Whether a file is data for the product, such as translations, tables and assets; test data isn't. */
export function isProductData(path: string): boolean {
  return roleOf(path) === 'other' && !isDocument(path) && !TEST_FOLDER.test(path) && !FIXTURE.test(path);
}

export function isTestData(path: string): boolean {
  return (
    roleOf(path) === 'other' && (FIXTURE.test(path) || (TEST_FOLDER.test(path) && !FOR_READERS.test(path)))
  );
}

/** Whether a file fixes the versions of installed packages: a change to it can change production. */
export function isLock(path: string): boolean {
  const name = nameOf(path);
  return LOCK_FILES.has(name) || name === 'flake.lock';
}

export function isManifest(path: string): boolean {
  const name = nameOf(path);
  return name === 'flake.nix' || MANIFESTS.some((pattern) => pattern.test(name));
}

/** Whether the path is of a test, its support files, or anything in test folders. */
export function isTestFile(path: string): boolean {
  return TEST_WORD.test(path) || isCollected(path) || SUPPORT.test(path) || TEST_FOLDER.test(`${path}/`);
}

export function roleOf(path: string): FileRole {
  const isData = languageOf(path).name === 'data';
  // Documentation and examples are for readers.
  if (/(?:^|\/)(?:docs?|examples?|templates?)\/|\.example(?:\/|$)/.test(path) && isData) return 'other';
  // Settings that tests read as data don't configure the project.
  if (FIXTURE.test(path) && isData) return roleOf(nameOf(path)) === 'golden' ? 'golden' : 'other';
  if (GENERATED.test(path) || isLock(path)) return 'generated';
  const known = ROLES.find(([, pattern]) => pattern.test(path))?.[0];
  if (known !== undefined) return known;
  if (isCollected(path)) return 'test';
  if (isData) return 'other';
  return TEST_FOLDER.test(path) ? 'test_support' : 'source';
}

/** Whether a test runner collects a file of this name. */
export function isCollected(path: string): boolean {
  if (languageOf(path).name === 'data' && !TEST_DATA.test(path)) return false;
  const only = ONLY.find(({ of }) => of.test(path));
  return (only === undefined ? TEST_NAME : only.tests)?.test(path) === true;
}

/** Kind of file that honest work may change along with its task. */
export type PathKind = 'test' | 'documentation' | 'lock' | 'manifest' | 'other';

/** Folders for what tests read, write or replace. */
const OF_TESTS = /(?:^|\/)(?:testdata|fixtures?|__(?:fixtures|mocks|snapshots)__)\/|\.snap\/$/;

export function kindOf(path: string): PathKind {
  if (isLock(path)) return 'lock';
  if (isManifest(path)) return 'manifest';
  if (isTestFile(path) || OF_TESTS.test(`${path}/`)) return 'test';
  if (/(?:^|\/)(?:CHANGES|README|NEWS)(?:\.\w+)?$/i.test(path)) return 'documentation';
  // A plain text may be data as well as words: its name or folder says which.
  const named = path.replace(/\.txt$/i, '');
  const isForReaders = isDocument(named) || (named !== path && FOR_READERS.test(path));
  return isForReaders ? 'documentation' : 'other';
}

/**
 * Whether honest work on a task may also change this file: lock files, and the manifest if its lock file changed;
 * documentation and tests, unless the task expects nothing else.
 * @param expected Paths named in the task.
 */
export function incidentalTo(
  expected: readonly string[],
  changed: readonly string[],
): (path: string) => boolean {
  const lockChanged = changed.some((path) => kindOf(path) === 'lock');
  const expectsOnly = (kind: PathKind) => expected.every((path) => kindOf(path) === kind);
  const incidental: ReadonlySet<PathKind> = new Set([
    'lock',
    ...(lockChanged ? (['manifest'] as const) : []),
    ...(expectsOnly('test') ? [] : (['test'] as const)),
    ...(expectsOnly('documentation') ? [] : (['documentation'] as const)),
  ]);
  return (path) => incidental.has(kindOf(path));
}
