import { languageOf } from './languages.ts';

/** What a file is to the project's checks. */
export type FileRole =
  | 'test'
  /** Runs before or around the tests: set-up, conftest, helpers. */
  | 'test_support'
  | 'source'
  /** Expected output that a tool writes: snapshots. */
  | 'golden'
  /** Settings of tests, linters, types, builds. */
  | 'config'
  /** Steps of CI, hooks, build recipes. */
  | 'pipeline'
  /** Rules and settings for agents. */
  | 'policy'
  | 'generated'
  | 'other';

const LOCK =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock)$/;

const ROLES: readonly (readonly [FileRole, RegExp])[] = [
  [
    'generated',
    new RegExp(
      String.raw`(?:^|\/)(?:node_modules|dist|vendor|third_party|target)\/|${LOCK.source}|\.min\.(?:js|css)$|\.(?:pb|generated)\.\w+$`,
    ),
  ],
  [
    'policy',
    /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|QWEN|COPILOT)(?:\.\w+)?\.md$|(?:^|\/)\.(?:claude|codex|gemini|qwen|factory|opencode|cursor|pi|ralph|aider|windsurf)\/|(?:^|\/)\.(?:cursorrules|windsurfrules|aider\.conf\.yml)$|(?:^|\/)opencode\.jsonc?$|(?:^|\/)ralph\.toml$|copilot-instructions\.md$/,
  ],
  [
    'golden',
    /\.(?:snap|golden|approved(?:\.\w+)?|verified\.\w+|ambr)$|(?:^|\/)__(?:image_)?snapshots__\/|(?:^|\/)(?:golden|goldens|snapshots|expected)\/[^/]+$|\.snap\.\w+$|(?:^|\/)testdata\/.*\.(?:out|want|expected)$|\.expected(?:\.\w+)?$/,
  ],
  [
    'pipeline',
    /(?:^|\/)\.github\/(?:workflows|actions)\/|(?:^|\/)\.gitlab-ci[\w.-]*\.ya?ml$|(?:^|\/)\.circleci\/|(?:^|\/)(?:Jenkinsfile|azure-pipelines\.ya?ml|\.travis\.yml|appveyor\.yml|bitbucket-pipelines\.yml|\.drone\.yml|buildspec\.yml|cloudbuild\.yaml|\.woodpecker\.ya?ml)$|(?:^|\/)\.buildkite\/|(?:^|\/)\.(?:husky|githooks)\/|(?:^|\/)(?:git-)?hooks\/|(?:^|\/)(?:lefthook\.ya?ml|\.pre-commit-config\.yaml|\.lintstagedrc[\w.]*|lint-staged\.config\.\w+)$|(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$|(?:^|\/)(?:[Jj]ustfile|Taskfile\.ya?ml|noxfile\.py|tasks\.py|Rakefile|Earthfile|Dockerfile[\w.]*)$|^\.ci\//,
  ],
  [
    'config',
    /(?:^|\/)(?:package|composer|deno|project|nx|turbo|biome|jsconfig|pyrightconfig|\.mocharc|\.nycrc|\.c8rc|\.stylelintrc|\.jshintrc|codecov|sonar-project)\.(?:jsonc?|ya?ml|properties)$|(?:^|\/)tsconfig[\w.-]*\.json$|(?:^|\/)\.(?:eslintrc|prettierrc|stylelintrc|mocharc|nycrc|c8rc|taprc|babelrc|oxlintrc|jshintrc|swcrc)(?:\.\w+)?$|(?:^|\/)\.(?:eslint|prettier|stylelint|pylint|flake8|nyc|coverage|docker)ignore$|(?:^|\/)(?:jest|vitest|vite|karma|playwright|cypress|wdio|ava|nyc|c8|eslint|stylelint|babel|webpack|rollup|stryker|knip|commitlint)\.(?:config|conf|workspace)(?:\.[\w-]+)*\.\w+$|(?:^|\/)vitest\.workspace\.\w+$|(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.(?:ini|toml)|\.coveragerc|mypy\.ini|\.?ruff\.toml|\.?pylintrc|\.flake8|\.bandit|setup\.py|pyrightconfig\.json)$|(?:^|\/)(?:Cargo|clippy|\.?rustfmt|\.?clippy|nextest|tarpaulin|deny|rust-toolchain)\.toml$|(?:^|\/)\.(?:cargo|config)\/.*\.toml$|(?:^|\/)\.?golangci\.(?:ya?ml|toml|json)$|(?:^|\/)pom\.xml$|\.gradle(?:\.kts)?$|(?:^|\/)gradle\.properties$|(?:^|\/)\.mvn\/\w+\.config$|(?:^|\/)(?:\.npmrc|\.pnpmrc|\.bazelrc|bunfig\.toml|\.pytest\.ini|CTestCustom\.cmake)$|(?:^|\/)(?:detekt|checkstyle|pmd|spotbugs|findbugs|ktlint)[\w.-]*\.(?:ya?ml|xml)$|\.(?:csproj|vbproj|fsproj|props|targets|runsettings|ruleset|editorconfig|globalconfig)$|(?:^|\/)\.editorconfig$|(?:^|\/)\.rubocop(?:_todo)?\.yml$|(?:^|\/)\.(?:rspec|simplecov|reek\.yml)$|(?:^|\/)(?:phpunit[\w.]*\.xml(?:\.dist)?|phpstan[\w.-]*\.neon(?:\.dist)?|psalm(?:-baseline)?\.xml|infection\.json5?|\.php-cs-fixer[\w.]*|phpcs\.xml)|(?:^|\/)\.swiftlint\.yml$|\.xctestplan$|(?:^|\/)(?:dart_test|analysis_options|build)\.yaml$|(?:^|\/)(?:mix|\.credo|coveralls)\.(?:exs|json)$|(?:^|\/)build\.sbt$|(?:^|\/)\.?scalafix\.conf$|(?:^|\/)CMakeLists\.txt$|(?:^|\/)\.clang-tidy$|(?:^|\/)\.?codecov\.ya?ml$|(?:^|\/)\.?coveralls\.yml$|baseline[\w.-]*\.(?:neon|xml|json|ya?ml)$/,
  ],
  [
    'test_support',
    /(?:^|\/)conftest\.py$|(?:^|\/)(?:test|tests|spec|__tests__|e2e)\/(?:.*\/)?(?:setup|set-up|global-?setup|bootstrap|support|helpers?|utils?|fixtures?)[\w.-]*\.\w+$|(?:^|\/)(?:jest|vitest|test|mocha|jasmine|playwright)[.-](?:global-?)?setup[\w.-]*\.\w+$|(?:^|\/)(?:set-?up|jest\.setup)-?[tT]ests?\.\w+$|(?:^|\/)(?:spec|rails|test)_helper\.\w+$|(?:^|\/)test_helper\.exs$|(?:^|\/)(?:site|user)customize\.py$/,
  ],
];

const TEST_NAME =
  /(?:\.|_|-)(?:test|tests|spec|cy|e2e|unittest)\.\w+$|(?:^|\/)tests?\.(?:py|rs|js|ts)$|(?:^|\/)test_[\w-]+\.\w+$|(?:^|\/)[A-Z]\w*(?:Tests?|Spec|Specs|IT|TestCase|TestSuite)\.\w+$|(?:^|\/)Test[A-Z]\w*\.(?:java|kt|cs|php|swift)$|\.bats$|_tests?\.exs?$|\.(?:phpt|t)$/;
const FIXTURE = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data)\//;
const TEST_FOLDER = /(?:^|\/)(?:tests?|specs?|__tests__|e2e|testing|Tests)\//;

const DOCUMENT =
  /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|man)\/|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|NOTICE)\b/i;

/** Beside tests, texts are what they read or expect, but for these. */
const FOR_READERS =
  /(?:^|\/)(?:README|LICEN[CS]E|CHANGELOG|NOTICE|CONTRIBUTING|NOTES|TODO)\b[^/]*$|\.(?:adoc|rst)$/i;

/** Whether people read a file, and no program. */
export function isDocument(path: string): boolean {
  return DOCUMENT.test(path);
}

/** Whether a file is data that the product reads: translations, tables, assets, and none of tests. */
export function isProductData(path: string): boolean {
  return roleOf(path) === 'other' && !isDocument(path) && !TEST_FOLDER.test(path) && !FIXTURE.test(path);
}

/** Whether a file is data of tests: what they read, or expect. */
export function isTestData(path: string): boolean {
  return (
    roleOf(path) === 'other' && (FIXTURE.test(path) || (TEST_FOLDER.test(path) && !FOR_READERS.test(path)))
  );
}

/** Whether a file says which versions of packages are installed: with it, production does something else. */
export function isLock(path: string): boolean {
  return LOCK.test(path);
}

export function roleOf(path: string): FileRole {
  // Documentation and examples are read by people.
  if (
    /(?:^|\/)(?:docs?|examples?|templates?)\/|\.example(?:\/|$)/.test(path) &&
    languageOf(path).name === 'data'
  )
    return 'other';
  // Settings that tests read as data are no settings of the project.
  if (FIXTURE.test(path) && languageOf(path).name === 'data')
    return roleOf(path.slice(path.lastIndexOf('/') + 1)) === 'golden' ? 'golden' : 'other';
  const known = ROLES.find(([, pattern]) => pattern.test(path))?.[0];
  if (known !== undefined) return known;
  const code = languageOf(path).name !== 'data';
  if (isCollected(path)) return 'test';
  if (code && TEST_FOLDER.test(path)) return 'test_support';
  return code ? 'source' : 'other';
}

/** Whether a test runner finds tests in a file of this name. */
export function isCollected(path: string): boolean {
  if (languageOf(path).name === 'data' && !/\.(?:bats|t|phpt)$/.test(path)) return false;
  if (/\.go$/.test(path)) return /_test\.go$/.test(path);
  if (TEST_NAME.test(path)) return true;
  // Rust takes every file of this folder, Elixir and PHP name theirs as above.
  return /(?:^|\/)tests\/[^/]+\.rs$/.test(path) || /(?:^|\/)__tests__\/.*\.[jt]sx?$/.test(path);
}
