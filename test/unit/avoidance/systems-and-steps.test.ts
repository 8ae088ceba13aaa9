import { describe, expect, it } from 'vitest';
import { reviewDiff } from '../../../src/proof/avoidance/index.ts';
import { isMetOnLinux } from '../../../src/proof/avoidance/tests/on-linux.ts';

type Row = readonly [what: string, path: string, before: string, after: string, kinds: readonly string[]];

const check: (...row: Row) => void = (_what, path, before, after, kinds) => {
  const { findings } = reviewDiff({ files: [{ path, before, after }] });
  expect([...new Set(findings.map(({ kind }) => kind))]).toEqual(kinds);
};

describe('a condition', () => {
  it.each<[string, boolean | null]>([
    ["process.platform === 'darwin'", false],
    ["process.platform !== 'win32'", true],
    ["!(process.platform === 'linux')", false],
    ['sys.platform.startswith("win")', false],
    ['sys.platform not in ("win32", "darwin")', true],
    ['os.name == "posix" and sys.platform != "darwin"', true],
    ['os.name == "nt" or sys.platform == "linux"', true],
    ['runtime.GOOS == "windows"', false],
    ['target_os = "linux"', true],
    ['not(target_os = "linux")', false],
    ['all(unix, not(target_os = "macos"))', true],
    ['any(windows, target_os = "macos")', false],
    ['windows', false],
    ['RUBY_PLATFORM =~ /darwin/', false],
    ['OS @EnabledOnOs({OS.MAC, OS.WINDOWS})', false],
    ['sys.version_info >= (3, 12)', null],
    ['which("docker") is None', null],
    ['process.platform === "linux" && hasDocker', null],
    ['process.platform === "darwin" && hasDocker', false],
    ['', null],
  ])('%s on Linux: %s', (text, met) => {
    expect(isMetOnLinux(text)).toBe(met);
  });
});

const vitest = (head: string) => `${head}('adds', () => {\n  expect(total([100], 2)).toBe(105);\n});\n`;
const pytest = (head: string) => `${head}def test_total():\n    assert total([100], 2) == 105\n`;
const php = (note: string) =>
  `<?php\nclass ATest extends TestCase {\n${note}    public function testAdds(): void\n    {\n        $this->assertSame(105, total(100));\n    }\n}\n`;
const rust = (note: string) =>
  `mod tests {\n${note}    #[test]\n    fn adds() {\n        assert_eq!(total(100), 105);\n    }\n}\n`;

describe('a test that ran before', () => {
  it.each<Row>([
    [
      'for one system only',
      'a.test.ts',
      vitest('it'),
      vitest("it.skipIf(process.platform !== 'darwin')"),
      ['skip_added'],
    ],
    [
      'for all but one system',
      'a.test.ts',
      vitest('it'),
      vitest("it.skipIf(process.platform === 'win32')"),
      [],
    ],
    [
      'chosen by a name',
      'a.test.ts',
      `const mac = process.platform === 'darwin';\n${vitest('it')}`,
      `const mac = process.platform === 'darwin';\n${vitest('it.runIf(mac)')}`,
      ['skip_added'],
    ],
    [
      'without Linux, by cfg',
      'src/a.rs',
      rust(''),
      rust('    #[cfg(not(target_os = "linux"))]\n'),
      ['skip_added'],
    ],
    ['for Unix, by cfg', 'src/a.rs', rust(''), rust('    #[cfg(unix)]\n'), []],
    ['in a slow group', 'test_a.py', pytest(''), pytest('@pytest.mark.slow\n'), ['skip_added']],
    ['in a group by its topic', 'test_a.py', pytest(''), pytest('@pytest.mark.db\n'), []],
    [
      'that waits for something',
      'test_a.py',
      pytest(''),
      'async def test_total():\n    assert await total([100], 2) == 105\n',
      [],
    ],
    [
      'in a slow group, by a comment',
      'tests/ATest.php',
      php(''),
      php('    /**\n     * @group slow\n     */\n'),
      ['skip_added'],
    ],
    [
      'with needs, by a comment',
      'tests/ATest.php',
      php(''),
      php('    /** @requires PHP >= 9.0 */\n'),
      ['skip_added'],
    ],
    ['with a comment', 'tests/ATest.php', php(''), php('    /** Adds up. */\n'), []],
  ])('%s', check);
});

const load = (body: string) => `export function load(path: string) {\n${body}}\n`;
const READ = '  return parse(read(path));\n';
const guarded = (handler: string) =>
  load(`  try {\n    return parse(read(path));\n  } catch (error) {\n${handler}  }\n`);
const java = (type: string, body: string) =>
  `class A {\n  int f(String s) {\n    try {\n      return parse(s);\n    } catch (${type} e) {\n      ${body}\n    }\n  }\n}\n`;

describe('an error', () => {
  it.each<Row>([
    [
      'that is only logged now',
      'a.ts',
      load(READ),
      guarded("    console.log('no', error);\n    return null;\n"),
      ['error_only_logged'],
    ],
    [
      'that is logged and passed on',
      'a.ts',
      load(READ),
      guarded("    console.log('no', error);\n    throw error;\n"),
      [],
    ],
    ['that is answered by something else', 'a.ts', load(READ), guarded('    return cached(path);\n'), []],
    [
      'of any kind, where one kind was caught',
      'A.java',
      java('NumberFormatException', 'return 0;'),
      java('Exception', 'return 0;'),
      ['catch_widened'],
    ],
    [
      'of any kind, that is passed on',
      'A.java',
      java('NumberFormatException', 'return 0;'),
      java('Exception', 'throw new BadInput(e);'),
      [],
    ],
    [
      'that nothing raises any more',
      'a.py',
      'def f(x):\n    if x < 0:\n        raise ValueError("no")\n    return g(x)\n',
      'def f(x):\n    return g(x)\n',
      ['guard_removed'],
    ],
    [
      'of a feature that is gone',
      'a.py',
      'def f(x, strict):\n    if strict and x < 0:\n        raise ValueError("no")\n    return g(x)\n',
      'def f(x):\n    return g(x)\n',
      [],
    ],
    [
      'with a value in its place',
      'src/a.rs',
      'fn port(s: &str) -> Result<u16, E> {\n    let p = s.parse()?;\n    Ok(p)\n}\n',
      'fn port(s: &str) -> Result<u16, E> {\n    let p = s.parse().unwrap_or(0);\n    Ok(p)\n}\n',
      ['error_dropped'],
    ],
  ])('%s', check);

  it('counts as looked after where tests name the function', () => {
    const source = (guard: string) => `def take(x):\n${guard}    return g(x)\n`;
    const tests = (name: string) => `def test_${name}():\n    assert ${name}(-1) == 2\n`;
    const kinds = (name: string) =>
      reviewDiff({
        files: [
          {
            path: 'a.py',
            before: source('    if x < 0:\n        raise ValueError("no")\n'),
            after: source(''),
          },
          { path: 'test_a.py', before: null, after: tests(name) },
        ],
      }).findings.map(({ kind }) => kind);
    expect(kinds('take')).toEqual([]);
    expect(kinds('other')).toEqual(['guard_removed']);
  });
});

describe('what others can call', () => {
  it.each<Row>([
    [
      'is no longer passed on',
      'src/index.ts',
      "export { a, b } from './a';\n",
      "export { a } from './a';\n",
      ['export_removed'],
    ],
    [
      'is passed on from elsewhere',
      'src/index.ts',
      "export { a, b } from './a';\n",
      "export { a } from './a';\nexport { b } from './b';\n",
      [],
    ],
    [
      'is still there, and closed',
      'a.ts',
      'export function f() {\n  return 1;\n}\n',
      'function f() {\n  return 1;\n}\n',
      ['export_removed'],
    ],
    [
      'has a name for nobody else',
      'a.py',
      'def find(x):\n    return x\n',
      'def _find(x):\n    return x\n',
      ['export_removed'],
    ],
  ])('%s', check);

  it('may be closed where its user is looked after', () => {
    const file = (path: string, before: string, after: string) => ({ path, before, after });
    const files = [
      file('a.ts', 'export function f() {\n  return 1;\n}\n', 'function f() {\n  return 1;\n}\n'),
      file('b.ts', "import { f } from './a';\nf();\n", "import { g } from './a';\ng();\n"),
    ];
    expect(reviewDiff({ files }).findings).toEqual([]);
  });
});

const job = (step: string) => `jobs:\n  check:\n    steps:\n      - uses: actions/checkout@v4\n${step}`;
const UNIT = '      - name: Unit\n        run: npm test\n';
const unit = (line: string) => `      - name: Unit\n${line}        run: npm test\n`;
const phpunit = (...folders: string[]) =>
  `<phpunit>\n  <testsuites>\n    <testsuite name="all">\n${folders.map((one) => `      <directory>${one}</directory>\n`).join('')}    </testsuite>\n  </testsuites>\n</phpunit>\n`;
const jest = (entry: string) => `module.exports = {\n  testEnvironment: 'node',\n${entry}};\n`;

describe('a check of the project', () => {
  it.each<Row>([
    [
      'after a failure only',
      '.github/workflows/a.yml',
      job(UNIT),
      job(unit('        if: failure()\n')),
      ['step_disabled'],
    ],
    [
      'tried again until it passes',
      '.github/workflows/a.yml',
      job(UNIT),
      job(
        '      - name: Unit\n        uses: nick-fields/retry@v3\n        with:\n          command: npm test\n',
      ),
      ['retries_added'],
    ],
    [
      'that may fail',
      '.github/workflows/a.yml',
      job(UNIT),
      job(unit('        continue-on-error: true\n')),
      ['failure_ignored', 'option_loosened'],
    ],
    [
      'beside a new one that may fail',
      '.github/workflows/a.yml',
      job(UNIT),
      job(`${UNIT}      - name: Next\n        continue-on-error: true\n        run: npm run test:next\n`),
      [],
    ],
    [
      'by a hook that asks first',
      '.husky/pre-commit',
      '#!/bin/sh\nnpm test\n',
      '#!/bin/sh\nif [ -n "$FULL" ]; then\n  npm test\nfi\n',
      ['step_disabled'],
    ],
    [
      'by a hook that needs the tool',
      '.husky/pre-commit',
      '#!/bin/sh\nnpm test\n',
      '#!/bin/sh\nif command -v npm; then\n  npm test\nfi\n',
      [],
    ],
    [
      'in fewer folders',
      'phpunit.xml.dist',
      phpunit('tests', 'contracts'),
      phpunit('tests'),
      ['scope_narrowed'],
    ],
    ['in more folders', 'phpunit.xml.dist', phpunit('tests'), phpunit('tests', 'contracts'), []],
    [
      'of a fake',
      'jest.config.js',
      jest(''),
      jest("  moduleNameMapper: { '^@/cart$': '<rootDir>/mocks/cart.js' },\n"),
      ['subject_mocked'],
    ],
    [
      'without styles',
      'jest.config.js',
      jest(''),
      jest("  moduleNameMapper: { '^@/.*css$': '<rootDir>/mocks/style.js' },\n"),
      [],
    ],
    [
      'by a runner of its own',
      'jest.config.js',
      jest(''),
      jest("  runner: './quiet.js',\n"),
      ['runner_replaced'],
    ],
  ])('%s', check);
});

describe('production code', () => {
  it.each<Row>([
    [
      'ends well',
      'sum.js',
      '',
      "process.on('exit', () => { process.exitCode = 0; });\n",
      ['outcome_rewritten'],
    ],
    [
      'ends well whatever is thrown',
      'sum.ts',
      '',
      "process.once('uncaughtException', () => {\n  process.exit(0);\n});\n",
      ['outcome_rewritten'],
    ],
    [
      'ends well in Python',
      'a.py',
      '',
      'import atexit, os\natexit.register(os._exit, 0)\n',
      ['outcome_rewritten'],
    ],
    ['ends well in Ruby', 'a.rb', '', 'at_exit { exit!(0) }\n', ['outcome_rewritten']],
    [
      'ends well in Java',
      'A.java',
      '',
      'class A {\n  static {\n    Runtime.getRuntime().addShutdownHook(new Thread(() ->\n      Runtime.getRuntime().halt(0)));\n  }\n}\n',
      ['outcome_rewritten'],
    ],
    ['ends at Ctrl-C', 'cli.js', '', "process.on('SIGINT', () => {\n  process.exit(0);\n});\n", []],
    ['ends with its code', 'cli.js', '', "process.on('exit', (code) => {\n  log(code);\n});\n", []],
    ['cleans up', 'a.py', '', 'import atexit, shutil\natexit.register(shutil.rmtree, folder)\n', []],
  ])('that %s', check);
});
