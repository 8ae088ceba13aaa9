import { describe, expect, it } from 'vitest';
import { reviewDiff } from './index.ts';

type Row = readonly [what: string, path: string, before: string, after: string, kinds: readonly string[]];

const check: (...row: Row) => void = (_what, path, before, after, kinds) => {
  const { findings } = reviewDiff({ files: [{ path, before, after }] });
  expect([...new Set(findings.map(({ kind }) => kind))]).toEqual(kinds);
};

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
            after: source('    if x < 0:\n        return None\n'),
          },
          { path: 'test_a.py', before: null, after: tests(name) },
        ],
      }).findings.map(({ kind }) => kind);
    expect(kinds('take')).toEqual([]);
    expect(kinds('other')).toEqual(['error_dropped']);
  });
});

const job = (step: string) => `jobs:\n  check:\n    steps:\n      - uses: actions/checkout@v4\n${step}`;
const UNIT = '      - name: Unit\n        run: npm test\n';
const unit = (line: string) => `      - name: Unit\n${line}        run: npm test\n`;

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

const ci = (...steps: readonly string[]) =>
  `jobs:\n  test:\n    steps:\n${steps.map((one) => `      - run: ${one}\n`).join('')}`;

describe('a failure that is lost', () => {
  it.each<Row>([
    [
      'in a script of tests',
      'test/run.sh',
      'set -e\n./app | grep -q 19\n',
      'set -e\n./app | grep -q 19 || true\n',
      ['failure_ignored'],
    ],
    ['in its last line', 'test/run.sh', './app || exit 1\n', './app || exit 0\n', ['failure_ignored']],
    ['of what tidies up', 'test/run.sh', './app\n', "trap 'kill $! || true' EXIT\n./app\n", []],
    ['of a step that is expected to fail', 'test/run.sh', './app\n', './app\n./app --wrong || code=$?\n', []],
    [
      'in a block',
      'tests/test_a.py',
      pytest(''),
      'def test_total():\n    with contextlib.suppress(AssertionError):\n        assert total([100], 2) == 105\n',
      ['check_conditional'],
    ],
    [
      'where it would be seen',
      'a.test.ts',
      vitest('it'),
      vitest('it').replace('expect', 'if (total([100], 2) === 105) expect'),
      ['check_conditional'],
    ],
    [
      'for another value',
      'a.test.ts',
      vitest('it'),
      vitest('it').replace('expect', 'if (total([], 2) === 0) expect'),
      [],
    ],
    [
      'in the end of a program',
      'test/t.c',
      'int main(void) {\n  return failed;\n}\n',
      'int main(void) {\n  return 0;\n}\n',
      ['outcome_rewritten'],
    ],
    [
      'in a program that never counted',
      'test/t.c',
      'int main(void) {\n  a();\n  return 0;\n}\n',
      'int main(void) {\n  b();\n  return 0;\n}\n',
      [],
    ],
    [
      'as assertions are compiled away',
      'Makefile',
      'CFLAGS = -Wall\n',
      'CFLAGS = -Wall -DNDEBUG\n',
      ['failure_ignored'],
    ],
    [
      'in a build of its own',
      'Makefile',
      'test:\n\tcc t.c\n',
      'test:\n\tcc t.c\nrelease:\n\tcc -DNDEBUG t.c\n',
      [],
    ],
    [
      'as warnings are none any more',
      'Makefile',
      'CFLAGS = -Wall -Werror\n',
      'CFLAGS = -Wall\n',
      ['strictness_removed'],
    ],
    [
      'below a line with braces',
      'test/test_helper.rb',
      'SimpleCov.start { minimum_coverage 90 }\n',
      'SimpleCov.start { minimum_coverage 30 }\n',
      ['threshold_lowered'],
    ],
    [
      'as a job called test runs none',
      '.github/workflows/ci.yml',
      ci('npm run lint', 'npm test'),
      ci('npm run lint'),
      ['check_removed'],
    ],
  ])('%s', check);
});

it.each<readonly [what: string, path: string, before: string, after: string]>([
  ['a failure is ignored', 'test/run.sh', './app | grep -q 19\n', './app | grep -q 19 || true\n'],
  [
    'a failure is caught',
    'a.test.ts',
    vitest('it'),
    vitest('it').replace('expect', 'try { expect').replace('105);', '105); } catch {}'),
  ],
  [
    'a value is compared with itself',
    'a.test.ts',
    vitest('it'),
    vitest('it').replace('105', 'total([100], 2)'),
  ],
  [
    'a value of Ruby is compared with itself',
    'test/a_test.rb',
    'class ATest < Minitest::Test\n  def test_a\n    assert_equal 19, vat(100, 19)\n  end\nend\n',
    'class ATest < Minitest::Test\n  def test_a\n    assert_equal vat(100, 19), vat(100, 19)\n  end\nend\n',
  ],
])('is evident even beside changed code: %s', (_what, path, before, after) => {
  const files = [
    { path, before, after },
    { path: 'src/a.js', before: 'export const a = 1;\n', after: 'export const a = 2;\n' },
  ];
  expect(reviewDiff({ files }).verdict).toBe('act');
});

it('an assertion of Ruby that is written anew and always holds is a sign', () => {
  const test = (more: string) =>
    `class ATest < Minitest::Test\n${more}  def test_a\n    assert_equal 19, vat(100)\n  end\nend\n`;
  const files = [
    { path: 'test/a_test.rb', before: test(''), after: test('  def assert_equal(*) = assert(true)\n') },
  ];
  expect(reviewDiff({ files }).findings.map(({ kind }) => kind)).toEqual(['outcome_rewritten']);
});
