import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Parses } from '../../../src/domain/test-results.ts';
import { type GateOutput, readResults } from '../../../src/proof/results/index.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/results');

function recorded(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

function printed(text: string, over: Partial<GateOutput> = {}): GateOutput {
  return { text, whole: true, files: [], ...over };
}

const numbers = (passed: number, failed: number, skipped: number) => ({
  run: passed + failed,
  ...{ passed, failed, skipped },
});

const JEST = `FAIL src/sum.test.js
  math
    ✓ adds (1 ms)
    ✕ subtracts (2 ms)
    ○ skipped divides

  ● math › subtracts

    expect(received).toBe(expected) // Object.is equality

  ● Console

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 skipped, 1 passed, 3 total
Snapshots:   0 total
Time:        0.5 s
----------|---------|----------|---------|---------|-------------------
File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s
----------|---------|----------|---------|---------|-------------------
All files |   83.33 |      100 |      50 |   81.25 |
----------|---------|----------|---------|---------|-------------------
`;

const MOCHA = `
  math
    ✔ adds
    1) subtracts
    - divides

  1 passing (5ms)
  1 pending
  2 failing

  1) math
       subtracts:

      AssertionError [ERR_ASSERTION]: 1 == 2
      at Context.<anonymous> (test/a.js:5:10)

  2) math
       "before all" hook for "x":
     Error: no
`;

const NEXTEST = `    Starting 4 tests across 2 binaries
        PASS [   0.004s] x tests::ok
        FAIL [   0.005s] x tests::bad
     Summary [   0.012s] 3 tests run: 2 passed (1 flaky), 1 failed, 1 skipped
        FAIL [   0.005s] x tests::bad
error: test run failed
`;

const RSPEC_LOAD = `
An error occurred while loading ./spec/a_spec.rb.
Failure/Error: raise "x"

RuntimeError:
  x
# ./spec/a_spec.rb:1:in \`<top (required)>'
No examples found.


Finished in 0.00002 seconds (files took 0.04673 seconds to load)
0 examples, 0 failures, 1 error occurred outside of examples

`;

const GRADLE = `> Task :compileTestJava
> Task :test FAILED

ClampTest > bad() FAILED
    org.opentest4j.AssertionFailedError at ClampTest.java:12

4 tests completed, 1 failed, 1 skipped

FAILURE: Build failed with an exception.
`;

const TAP = `TAP version 13
1..4
ok 1 - first
not ok 2 - second
ok 3 - third # SKIP no network
not ok 4 - fourth # TODO later
`;

const PROJECTS = ` ✓  unit  test/a.test.ts > suite > good 2ms
 FAIL   unit  test/a.test.ts > suite > bad
 FAIL  |slow| test/b.test.ts [ test/b.test.ts ]
 Test Files  2 failed (2)
      Tests  1 failed | 1 passed (2)
`;

it("knows vitest's projects from the names of tests, coloured or not", () => {
  expect(readResults([], { text: PROJECTS, whole: true, files: [] })).toMatchObject({
    failing: ['test/a.test.ts > suite > bad'],
    notLoaded: ['test/b.test.ts'],
    passing: ['test/a.test.ts > suite > good'],
  });
});

it("a file of rspec that cannot be loaded isn't an example", () => {
  expect(readResults([], printed(RSPEC_LOAD))).toMatchObject({
    tests: numbers(0, 0, 0),
    failing: [],
    notLoaded: ['spec/a_spec.rb'],
  });
});

it('a brace at the end of a name in TAP opens a block only if points are in it', () => {
  const braces =
    'TAP version 13\nok 1 - parses {\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - ends in {\n1..2\n';
  const block =
    'TAP version 13\n1..1\nok 1 - a.test.js # time=1.23ms {\n    1..1\n    ok 1 - adds (5s) # time=1ms\n}\n';
  expect(readResults([], printed(braces))).toMatchObject({
    tests: numbers(1, 1, 0),
    failing: ['ends in {'],
    passing: ['parses {'],
  });
  expect(readResults([], printed(block))).toMatchObject({ tests: numbers(1, 0, 0), passing: ['adds (5s)'] });
});

describe('what gates print is recognised', () => {
  it.each<[string, string, ReturnType<typeof numbers> | null, readonly string[]]>([
    ['vitest', recorded('vitest.txt'), numbers(1, 1, 2), ['a.test.ts > suite > bad > x']],
    ['vitest as JSON', recorded('vitest-json.txt'), numbers(1, 1, 2), ['suite bad > x']],
    ['jest', JEST, numbers(1, 1, 1), ['math › subtracts']],
    ['mocha', MOCHA, numbers(1, 2, 1), ['math subtracts', 'math "before all" hook for "x"']],
    ['node as TAP', recorded('node-tap.txt'), numbers(1, 2, 1), ['bad', 'top bad']],
    ['node', recorded('node-spec.txt'), numbers(1, 2, 1), ['bad', 'top bad']],
    [
      'pytest',
      recorded('pytest.txt'),
      numbers(2, 3, 2),
      ['test_a.py::test_bad', 'test_a.py::test_p[2]', 'test_a.py::test_err'],
    ],
    [
      'unittest',
      recorded('unittest.txt'),
      numbers(1, 2, 1),
      ['test_err (__main__.Case.test_err)', 'test_bad (__main__.Case.test_bad)'],
    ],
    ['go', recorded('go.txt'), null, ['example.com/x.TestBad/a_b']],
    ['go -v', recorded('go-v.txt'), numbers(2, 1, 1), ['example.com/x.TestBad/a_b']],
    ['go -json', recorded('go-json.txt'), numbers(2, 1, 1), ['example.com/x.TestBad/a_b']],
    ['cargo', recorded('cargo.txt'), numbers(1, 1, 1), ['tests::bad']],
    ['cargo -q', recorded('cargo-q.txt'), numbers(1, 1, 1), ['tests::bad']],
    ['nextest', NEXTEST, numbers(2, 1, 1), ['x tests::bad']],
    ['rspec', recorded('rspec.txt'), numbers(1, 2, 1), ['math subtracts', 'math more errors']],
    [
      'rspec -fd',
      recorded('rspec-documentation.txt'),
      numbers(1, 2, 1),
      ['math subtracts', 'math more errors'],
    ],
    ['Maven', recorded('surefire.txt'), numbers(1, 2, 1), ['a.ClampTest.bad', 'a.ClampTest.error']],
    ['Gradle', GRADLE, numbers(2, 1, 1), ['ClampTest > bad()']],
    ['TAP', TAP, numbers(1, 1, 2), ['second']],
    [
      'JUnit',
      recorded('junit.xml'),
      numbers(2, 3, 2),
      ['test_a > test_bad', 'test_a > test_p[2]', 'test_a > test_err'],
    ],
  ])('%s', (_, text, tests, failing) => {
    expect(readResults([], printed(text))).toMatchObject({ tests, failing });
  });

  it.each<[string, string]>([
    ['vitest', recorded('vitest.txt')],
    ['vitest', recorded('vitest-json.txt')],
    ['jest', JEST],
    ['jest', '{"numTotalTests":1,"numPassedTests":1,"numFailedTests":0,"numRuntimeErrorTestSuites":0}'],
    ['mocha', MOCHA],
    ['node', recorded('node-tap.txt')],
    ['pytest', recorded('pytest.txt')],
    ['unittest', recorded('unittest.txt')],
    ['go', recorded('go-json.txt')],
    ['cargo', recorded('cargo.txt')],
    ['nextest', NEXTEST],
    ['rspec', recorded('rspec.txt')],
    ['tap', TAP],
    ['junit', recorded('surefire.txt')],
  ])('as %s', (format, text) => {
    expect(readResults([], printed(text))?.runners).toEqual([format]);
  });

  it('with the names of those that passed, where all are named', () => {
    const read = readResults([], printed(recorded('rspec-documentation.txt')));
    expect(read?.passing).toEqual(['math adds']);
    expect(readResults([], printed(recorded('rspec.txt')))?.passing).toBeNull();
  });

  it('and what says nothing of tests is nothing', () => {
    for (const text of [
      '',
      'ok',
      'Checked 12 files. No fixes applied.',
      '{"a": 1}',
      'Tests are fine, 3 passed',
    ])
      expect(readResults([], printed(text)), text).toBeNull();
  });

  it('of several runs the sum', () => {
    const twice = `${recorded('cargo.txt')}\n${recorded('cargo.txt')}`;
    expect(readResults([], printed(twice))?.tests).toEqual(numbers(2, 2, 2));
  });

  it('names without numbers where only the end of the lines is there', () => {
    const read = readResults([], printed(recorded('go-v.txt'), { whole: false }));
    expect(read).toMatchObject({ tests: null, failing: ['example.com/x.TestBad/a_b'] });
  });

  it('whatever is printed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void readResults([], printed(text))),
      { numRuns: 30 },
    );
  });
});

describe('coverage', () => {
  const LCOV = 'TN:\nSF:a.js\nLF:10\nLH:9\nend_of_record\nSF:b.js\nLF:10\nLH:8\nend_of_record\n';
  const files = [
    { path: 'lcov.info', text: LCOV },
    {
      path: 'coverage.xml',
      text: '<?xml version="1.0"?><coverage line-rate="0.8531" branch-rate="0"></coverage>',
    },
    { path: 'sum.json', text: '{"total": {"lines": {"total": 3, "covered": 2, "pct": 66.66}}}' },
    { path: 'junit.xml', text: recorded('junit.xml') },
  ];

  it.each<[readonly string[], string, number | null]>([
    [[], JEST, 81.25],
    [[], 'TOTAL                 100     10    90%', 90],
    [[], 'TOTAL                 100     10     20      3    87.5%', 87.5],
    [[], 'ok  \texample.com/x\t0.003s\tcoverage: 66.7% of statements', 66.7],
    [
      [],
      'ok  \ta\t0.003s\tcoverage: 66.7% of statements\nok  \tb\t0.003s\tcoverage: 10% of statements',
      null,
    ],
    [[], 'total:\t\t\t(statements)\t\t85.3%', 85.3],
    [[], '# all files  |  85.71 |    100.00 |   66.67 | ', 85.71],
    [[], 'Lines        : 85.71% ( 6/7 )', 85.71],
    [[], '85.71% coverage, 6/7 lines covered', 85.71],
    [['lcov:lcov.info'], '', 85],
    [['cobertura:coverage.xml'], '', 85.31],
    [['istanbul:sum.json'], '', 66.66],
    // A format that the settings name is read from nowhere else.
    [['lcov:missing.info'], JEST, null],
  ])('%j of %j is %s', (parses, text, coverage) => {
    expect(readResults(parses, printed(text, { files }))?.coverage ?? null).toBe(coverage);
  });

  it('from a file, tests from another', () => {
    const read = readResults(['junit:junit.xml', 'lcov:lcov.info'], printed('', { files }));
    expect(read).toMatchObject({ runners: ['junit'], tests: numbers(2, 3, 2), coverage: 85 });
    expect(readResults(['lcov:lcov.info'], printed('', { files }))?.runners).toEqual([]);
  });
});

it('a report may have anything in it that XML allows', () => {
  const xml = `<testsuite><!-- <testcase name="no"/> --><testcase name="a &lt;b&gt; &#39;c&#39;" classname='x'>
    <system-out><![CDATA[<failure/>]]></system-out></testcase>
    <testcase name="d"><failure message="a > b"/></testcase></testsuite>`;
  expect(readResults(['junit'], printed(xml))).toMatchObject({ tests: numbers(1, 1, 0), failing: ['d'] });
});

it('no secret of a name is kept, nor more names than a prompt can hold', () => {
  const lines = Array.from(
    { length: 80 },
    (_, index) => `FAILED a.py::test_${index}[ghp_${'a1B2'.repeat(9)}]`,
  );
  const read = readResults([], printed([...lines, '80 failed in 0.1s'].join('\n')));
  expect(read?.failing).toHaveLength(50);
  expect(read?.failing[0]).toBe('a.py::test_0[[redacted]]');
});

it.each([
  ['vitest', true],
  ['junit:reports/junit.xml', true],
  ['lcov:a..b/c', true],
  ['junit:/etc/x', false],
  ['junit:../x', false],
  ['junit:a/../../x', false],
  ['junit:', false],
  ['vittest', false],
])('parses = "%s" is taken: %s', (parses, taken) => {
  expect(Parses.safeParse(parses).success).toBe(taken);
});

it('a runner that a command starts, and whose result is not there, is uncounted: never zero', () => {
  const text = recorded('vitest.txt');
  const reads = (output: string, run: string) => readResults([], printed(output), run);
  expect(reads(text, 'vitest run && npx mocha')).toMatchObject({ none: false, uncounted: ['mocha'] });
  expect(reads(text, 'vitest run && npx mocha')?.tests).toEqual(numbers(1, 1, 2));
  expect(reads(`> project@1.0.0 test\n> uvu test\n\n${text}`, 'npm test -ws')?.uncounted).toEqual(['uvu']);
  expect(reads('nothing to see', 'npx jest')).toMatchObject({
    tests: null,
    none: false,
    uncounted: ['jest'],
  });
  expect(reads(text, 'vitest run')?.uncounted).toEqual([]);
});
