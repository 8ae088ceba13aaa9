/** Files by which a runner can be told to check nothing. */
type RunnerSettings = {
  /** The runner, by its name. */
  readonly programs: RegExp;
  /** Relative to the folder that it runs in. */
  readonly files: readonly string[];
  /** What of the file steers the checks. `null`: all of it. */
  readonly part: RegExp | null;
  /** A part by which nothing is checked, and why. */
  readonly vacuous: RegExp;
  readonly why: string;
};

/** Programs that end well whatever they are given. */
const IDLE = String.raw`(?:\/(?:usr\/)?bin\/)?(?:true|:|echo|printf|cat|ls)`;

const PYTEST_ADDOPTS = /^\s*addopts\s*=.*(?:\n[ \t]+\S.*)*/m;
const NOTHING_IS_RUN = /--(?:collect-only|co|setup-only|setup-plan|fixtures|markers|version|help)\b/;

export const RUNNER_SETTINGS: readonly RunnerSettings[] = [
  {
    programs: /^cargo$/,
    files: ['.cargo/config.toml', '.cargo/config'],
    part: null,
    vacuous: new RegExp(String.raw`^\s*runner\s*=\s*\[?\s*["']${IDLE}["' ]`, 'm'),
    why: 'has tests run by a program that always ends well',
  },
  {
    programs: /^mvnw?$/,
    files: ['.mvn/maven.config', '.mvn/jvm.config'],
    part: null,
    vacuous:
      /-D(?:skipTests|skipITs|maven\.test\.skip(?:\.exec)?|maven\.test\.failure\.ignore)(?!=false)|(?:^|\s)(?:-fn|--fail-never)(?:\s|$)/m,
    why: 'skips the tests, or lets them fail',
  },
  {
    programs: /^rspec$/,
    files: ['.rspec', '.rspec-local'],
    part: null,
    vacuous: /--dry-run\b|--failure-exit-code[ =]0\b/,
    why: 'runs no test, or lets them fail',
  },
  {
    programs: /^_?mocha$/,
    files: ['js', 'cjs', 'mjs', 'yaml', 'yml', 'jsonc', 'json'].map((ending) => `.mocharc.${ending}`),
    part: null,
    vacuous: /["']?dry-?[rR]un["']?\s*:\s*true/,
    why: 'runs no test',
  },
  {
    programs: /^(?:pytest|py\.test)$/,
    files: ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'],
    part: PYTEST_ADDOPTS,
    vacuous: NOTHING_IS_RUN,
    why: 'runs no test',
  },
  {
    programs: /^bazel(?:isk)?$/,
    files: ['.bazelrc', 'user.bazelrc'],
    part: /^\s*(?:test|build|common)\b.*(?:test|build|keep_going).*$/m,
    vacuous: /--(?:nobuild|noanalyze|test_filter|test_tag_filters|build_tests_only)\b/,
    why: 'leaves tests out',
  },
  {
    programs: /^ctest$/,
    files: ['CTestCustom.cmake', 'CTestConfig.cmake'],
    part: null,
    vacuous: /CTEST_CUSTOM_(?:TESTS_IGNORE|MAXIMUM_\w+)/,
    why: 'leaves tests out',
  },
  {
    programs: /^bun$/,
    files: ['bunfig.toml'],
    part: /^\[test\][^[]*/m,
    vacuous: /(?!)/,
    why: '',
  },
];
