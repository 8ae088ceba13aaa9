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
