import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readsOf, recordedRunners, recordedText } from '../../../test/helpers/recorded-runners.ts';
import { languageOf, PROJECTS, RUNNERS, readInTurn, siblingOf, sumOf } from './index.ts';
import { LANGUAGES, TEST_CODE } from './languages/index.ts';
import type { LanguageName } from './protocol.ts';

const TOP = join(import.meta.dirname, '../../..');
const RECORDED = recordedRunners();

/** Runners that weren't recorded; test/unit/results has output of each. */
const UNRECORDED = ['nextest'];

/** Texts about results that aren't results: the documents, and the readers themselves. */
const TEXTS = ['docs', 'packages/ecosystems'].flatMap((folder) =>
  readdirSync(join(TOP, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:md|ts)$/.test(path))
    .map((path) => ({ path: join(folder, path), lines: textOf(join(TOP, folder, path)).split('\n') })),
);

const countsIn = (text: string) =>
  sumOf(readInTurn(RUNNERS, text.split('\n'), true).flatMap(({ tests }) => tests ?? []));

function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}

describe.each(RUNNERS)('the runner $name', ({ name, read, endsWithZero, starts, isDistinct }) => {
  const own = RECORDED.filter((one) => one.name === name);

  it('has a name that no other has, in lower case', () => {
    expect(RUNNERS.filter((one) => one.name === name)).toHaveLength(1);
    expect(name).toMatch(/^[a-z][a-z\d-]*$/);
    expect(isDistinct === true && name.includes('-')).toBe(false);
  });

  it('was recorded', () => {
    expect(own.length > 0).toBe(!UNRECORDED.includes(name));
  });

  it('reads no result in prose', () => {
    expect(TEXTS.filter(({ lines }) => read(lines, true) !== null).map(({ path }) => path)).toEqual([]);
  });

  it('reads any part of any output', () => {
    for (const { folder } of RECORDED) {
      const lines = recordedText(folder, 'a').split('\n');
      expect(() => [lines.slice(3), lines.slice(0, -3)].map((part) => read(part, false))).not.toThrow();
    }
  });

  it('ends with 0 beside failing tests only if its file says so', () => {
    const zero = own.some(({ columns, reads }) =>
      Object.entries(reads).some(
        ([column, one]) => (one?.tests?.[1] ?? 0) > 0 && columns[column]?.exit === 0,
      ),
    );
    expect(zero).toBe(endsWithZero === true);
  });

  it('is found in the command that was recorded', () => {
    for (const { run } of own) if (run !== undefined) expect(starts?.test(run), run).toBe(true);
  });
});

describe.each(RECORDED)('$folder $version', ({ folder, name, columns, reads }) => {
  it.each(Object.keys(columns))('%s', (column) => {
    const expected = reads[column] ?? null;
    expect(readsOf(recordedText(folder, column), expected)).toEqual(
      expected === null ? null : { runners: [name], reads: expected },
    );
  });

  it('ends as it does where a test fails, and with 0 where all pass', () => {
    expect(Object.keys(columns)).toEqual(Object.keys(reads));
    expect(columns.f?.exit ?? 0).toBe(0);
  });

  it.skipIf(reads.a?.tests === undefined)('beside the output of others', () => {
    for (const other of ['vitest', 'node-test', 'tape'].filter((one) => one !== folder)) {
      const [mine, others] = [recordedText(folder, 'a'), recordedText(other, 'a')];
      const sum = sumOf([mine, others].flatMap((text) => countsIn(text) ?? []));
      expect(countsIn(`${mine}\n${others}`), other).toEqual(sum);
      expect(countsIn(`${others}\n${mine}`), other).toEqual(sum);
    }
  });
});

/** A test of each runner that a canary can be laid beside, and lines that the canary must have. */
const NEIGHBOURS: Readonly<Record<string, readonly [path: string, text: string, lines: readonly string[]]>> =
  {
    vitest: ['src/a.test.ts', "import { expect, it } from 'vitest';\n", ["it('x7k2', async () => {"]],
    jest: ['__tests__/a.test.js', 'test("a", () => {});\n', ["test('x7k2', async () => {"]],
    mocha: ['test/a.js', 'it("a", () => {});\n', []],
    node: ['test/a.test.mjs', "import { test } from 'node:test';\n", ["test('x7k2', async () => {"]],
    ava: [
      'test/a.test.mjs',
      "import check from 'ava';\ncheck('a', (t) => {\n  t.deepEqual([1], [1]);\n});\n",
      ["import check from 'ava';", "check('x7k2', (t) => {", '  t.deepEqual([1], [2]);'],
    ],
    tape: [
      'test/a.js',
      "const test = require('tape');\n",
      ["test('x7k2', (t) => {", '  t.is(1, 2);', '  t.end();'],
    ],
    jasmine: [
      'spec/a_spec.mjs',
      "it('a', () => {\n  expect([1]).toEqual([1]);\n});\n",
      ["it('x7k2', () => {", '  expect(1).toEqual(2);'],
    ],
    qunit: [
      'test/a.js',
      "QUnit.test('a', (assert) => {\n  assert.equal(1, 1);\n});\n",
      ["QUnit.test('x7k2', (assert) => {", '  assert.equal(1, 2);'],
    ],
    'node-tap': [
      'test/a.test.js',
      "const t = require('tap');\nt.equal(1, 1);\n",
      ["t.test('x7k2', (t) => {", '  t.equal(1, 2);', '  t.end();'],
    ],
    deno: [
      'a_test.ts',
      "import { assertEquals } from 'jsr:@std/assert';\n",
      ["Deno.test('x7k2', () => {", '  assertEquals(1, 2);'],
    ],
    bun: [
      'a.test.ts',
      "import { expect, it } from 'bun:test';\n",
      ["import { expect, it } from 'bun:test';", "it('x7k2', async () => {", '  expect(1).toBe(2);'],
    ],
    playwright: [
      'tests/a.spec.ts',
      "import { expect, test } from '@playwright/test';\n",
      ["test('x7k2', async () => {", '  expect(1).toBe(2);'],
    ],
    pytest: ['tests/test_a.py', 'def test_a():\n    pass\n', ['def test_x7k2():']],
    unittest: ['tests/test_a.py', 'import unittest\n', []],
    go: ['a_test.go', 'package a\n', ['package a', 'func TestX7k2(t *testing.T) {']],
    cargo: ['tests/a.rs', '', ['fn x7k2() {']],
    nextest: ['tests/a.rs', '', ['fn x7k2() {']],
    rspec: ['spec/a_spec.rb', '', ["RSpec.describe 'x7k2' do"]],
    junit: [
      'src/test/java/a/ATest.java',
      'package a;\nimport org.junit.Test;\n',
      ['  public void testx7k2() {'],
    ],
  };

const WITH_CANARY = RUNNERS.flatMap(({ name, canary }) => (canary === undefined ? [] : [{ name, canary }]));

it('a neighbour is here for each runner that a canary is written for', () => {
  expect(WITH_CANARY.map(({ name }) => name).toSorted()).toEqual(Object.keys(NEIGHBOURS).toSorted());
});

describe.each(WITH_CANARY)('the canary of $name', ({ name: runner, canary }) => {
  const [path, text, lines] = NEIGHBOURS[runner] ?? ['', '', []];
  const paths = new Set([path, 'Cargo.toml']);
  const own = canary.path?.(path, 'x7k2', paths);
  const place = own === undefined ? siblingOf(path, 'x7k2') : own;
  const written = (word: string) =>
    canary.text({ runner, path, text, loads: [], paths, word, name: `A${word}Test.java` });

  it('is laid beside a test, and is one by its name', () => {
    expect([path, place ?? ''].map((one) => canary.rank(one, paths))).not.toContain(0);
    expect(place).toMatch(/x7k2/i);
    for (const other of ['README.md', 'a.json', 'a.css']) expect(canary.rank(other, paths)).toBe(0);
  });

  it('is written in the form of its neighbour, and named by nothing but its word', () => {
    expect(written('x7k2')?.text.split('\n')).toEqual(expect.arrayContaining([...lines]));
    expect(written('x7k2')?.text).not.toMatch(/canary|ralph/i);
    expect(written('q3z9')?.text).toBe(
      written('x7k2')?.text.replaceAll('x7k2', 'q3z9').replaceAll('X7k2', 'Q3z9'),
    );
  });
});

type Files = Readonly<Record<string, string>>;

const GO = 'module x\n';
const TESTED = 'project(a C)\nenable_testing()\nadd_test(NAME a COMMAND a)\n';
const WITH_UV = '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n';

/** Files by which each project is found, and the commands of its gates; `null`: they aren't such a project. */
const FOUND: Readonly<Record<string, readonly (readonly [files: Files, runs: readonly string[] | null])[]>> =
  {
    node: [
      [{ 'package.json': '{"scripts":{"test":"jest","lint":"eslint ."}}' }, ['npm run lint', 'npm test']],
      [{ 'package.json': '{' }, null],
    ],
    deno: [[{ 'deno.json': '{}' }, ['deno test']]],
    python: [
      [{ 'pytest.ini': '' }, ['pytest -q']],
      [
        { 'pyproject.toml': WITH_UV, 'uv.lock': '' },
        ['uv run ruff check .', 'uv run mypy .', 'uv run pytest -q'],
      ],
    ],
    go: [
      [{ 'go.mod': GO }, ['go test -v ./...']],
      [{ 'go.mod': GO, '.golangci.yml': '' }, ['golangci-lint run', 'go test -v ./...']],
      [{ 'go.work': 'go 1.22\n\nuse (\n\t./a\n\t./b\n)\n' }, ['go test -v ./a/... ./b/...']],
    ],
    rust: [
      [
        { 'Cargo.toml': '' },
        ['cargo clippy --all-targets -- -D warnings', 'cargo fmt --all --check', 'cargo test'],
      ],
    ],
    gradle: [
      [{ 'build.gradle.kts': '' }, ['gradle test']],
      [{ 'settings.gradle': '', gradlew: '' }, ['./gradlew test']],
    ],
    maven: [
      [{ 'pom.xml': '' }, ['mvn -q test']],
      [{ 'pom.xml': '', mvnw: '' }, ['./mvnw -q test']],
    ],
    elixir: [[{ 'mix.exs': '' }, ['mix test']]],
    php: [
      [
        { 'composer.json': '{"scripts":{"test":"phpunit","lint":["phpcs"]}}' },
        ['composer run lint', 'composer run test'],
      ],
      [
        { 'composer.json': '{}', 'phpunit.xml.dist': '', 'phpstan.neon': '' },
        ['vendor/bin/phpstan analyse', 'vendor/bin/phpunit'],
      ],
    ],
    dotnet: [[{ 'App.sln': '' }, ['dotnet test']]],
    ruby: [
      [{ Rakefile: 'Rake::TestTask.new do |t|\nend\n' }, ['rake test']],
      [{ Rakefile: 'task :spec do\nend\n', Gemfile: '' }, ['bundle exec rake spec']],
      [
        { Gemfile: '', 'spec/a_spec.rb': '', '.rubocop.yml': '' },
        ['bundle exec rubocop', 'bundle exec rspec'],
      ],
      [
        { Gemfile: 'gem "minitest"\n', 'test/a_test.rb': '' },
        [
          `bundle exec ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].sort.each { |file| require "./" + file }'`,
        ],
      ],
    ],
    swift: [[{ 'Package.swift': '' }, ['swift test']]],
    dart: [
      [{ 'pubspec.yaml': 'name: a\n' }, ['dart test']],
      [{ 'pubspec.yaml': 'dependencies:\n  flutter:\n' }, ['flutter test']],
    ],
    scala: [[{ 'build.sbt': '' }, ['sbt test']]],
    zig: [[{ 'build.zig': '' }, ['zig build test']]],
    haskell: [[{ 'stack.yaml': '' }, ['stack test']]],
    cmake: [
      [
        { 'CMakeLists.txt': TESTED },
        ['cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure'],
      ],
      [{ 'CMakeLists.txt': 'project(a C)\n' }, null],
    ],
    bazel: [[{ 'BUILD.bazel': '' }, null]],
  };

/** A file of settings by which the program checks nothing, for each of the projects' `settings`. */
const CHECKS_NOTHING: readonly (readonly [program: string, file: string, text: string])[] = [
  ['mocha', '.mocharc.json', '{"dry-run": true}'],
  ['pytest', 'pytest.ini', '[pytest]\naddopts = --collect-only\n'],
  ['behave', 'behave.ini', '[behave]\ndry_run = true\n'],
  ['cargo', '.cargo/config.toml', '[target.x]\nrunner = "true"\n'],
  ['mvn', '.mvn/maven.config', '-DskipTests\n'],
  ['ctest', 'CTestCustom.cmake', 'set(CTEST_CUSTOM_TESTS_IGNORE adds)\n'],
  ['bazel', '.bazelrc', 'test --test_tag_filters=-slow\n'],
  ['rspec', '.rspec', '--dry-run\n'],
];
/** Programs whose settings are compared, although none of these settings alone makes them check nothing. */
const ONLY_COMPARED = ['bun'];

describe.each(PROJECTS)('the project $name', ({ name, detect, settings = [] }) => {
  const seen = (files: Files) => ({
    paths: new Set(Object.keys(files)),
    read: (path: string) => files[path] ?? null,
  });

  it.each(FOUND[name] ?? [[{ missing: 'an example' }, ['one']]])('%j: %j', (files, runs) => {
    const found = detect(seen(files));
    expect(found?.gates.map(({ run }) => run) ?? null).toEqual(runs);
    for (const { name: gate, tool } of found?.gates ?? []) expect([gate, tool]).not.toContain('');
  });

  it('is found by none of the files of others', () => {
    const others = Object.entries(FOUND).flatMap(([other, rows]) => (other === name ? [] : rows));
    expect(
      [[{}], [{ 'README.md': '' }], ...others].filter(([files]) => detect(seen(files)) !== null),
    ).toEqual([]);
  });

  it('knows when its settings check nothing', () => {
    for (const { programs, files, part, vacuous, why } of settings) {
      const [, file = '', text = ''] = CHECKS_NOTHING.find(([program]) => programs.test(program)) ?? [];
      if (ONLY_COMPARED.some((program) => programs.test(program))) continue;
      expect(why).not.toBe('');
      expect(files).toContain(file);
      const checked = part === null ? text : (part.exec(text)?.[0] ?? '');
      expect([checked, ''].map((one) => vacuous.test(one))).toEqual([true, false]);
    }
  });
});

/** A test called `adds` in each language, and the same test skipped, in a file of this path. */
const TESTS: Readonly<Record<LanguageName, readonly [path: string, test: string, skipped: string] | null>> = {
  js: ['a.test.ts', "it('adds', () => {});", "it.skip('adds', () => {});"],
  python: ['test_a.py', 'def test_adds():\n    pass', '@pytest.mark.skip\ndef test_adds():\n    pass'],
  go: ['a_test.go', 'func TestAdds(t *testing.T) {\n}', 'func TestAdds(t *testing.T) {\n\tt.Skip()\n}'],
  rust: ['tests/a.rs', '#[test]\nfn adds() {}', '#[test]\n#[ignore]\nfn adds() {}'],
  java: ['ATest.java', '@Test\nvoid adds() {}', '@Disabled\n@Test\nvoid adds() {}'],
  kotlin: ['ATest.kt', '@Test\nfun adds() {}', '@Disabled\n@Test\nfun adds() {}'],
  csharp: ['ATests.cs', '[Fact]\npublic void Adds() {}', '[Fact(Skip = "later")]\npublic void Adds() {}'],
  ruby: ['a_spec.rb', "it 'adds' do\nend", "xit 'adds' do\nend"],
  php: [
    'ATest.php',
    'public function testAdds() {}',
    'public function testAdds() { $this->markTestSkipped(); }',
  ],
  swift: ['ATests.swift', 'func testAdds() {\n}', 'func testAdds() throws {\n  throw XCTSkip("later")\n}'],
  cpp: ['a_test.cpp', 'TEST_CASE("adds") {\n}', 'TEST_CASE("adds") {\n  SKIP();\n}'],
  elixir: ['a_test.exs', 'test "adds" do\nend', '@tag :skip\ntest "adds" do\nend'],
  dart: ['a_test.dart', "test('adds', () {});", "test('adds', () {}, skip: true);"],
  scala: ['ASpec.scala', 'test("adds") {\n}', 'ignore("adds") {\n}'],
  shell: ['a.bats', '@test "adds" {\n}', '@test "adds" {\n  skip\n}'],
  perl: ['t/a.t', "subtest 'adds' => sub {\n};", "subtest 'adds' => sub {\n  plan skip_all => 'later';\n};"],
  lua: ['a_spec.lua', 'it("adds", function()\nend)', 'pending("adds", function()\nend)'],
  r: ['test-a.R', 'test_that("adds", {\n})', 'test_that("adds", {\n  skip("later")\n})'],
  julia: ['test/a.jl', '@testset "adds" begin\nend', '@testset "adds" begin\n    @test_skip true\nend'],
  zig: ['a.zig', 'test "adds" {\n}', 'test "adds" {\n    return error.SkipZigTest;\n}'],
  haskell: ['ASpec.hs', '  it "adds" $\n    x', '  xit "adds" $\n    x'],
  data: null,
};

describe.each(Object.entries(TESTS))('the language %s', (name, example) => {
  const code = TEST_CODE[name as LanguageName];
  const all = (patterns: readonly RegExp[], text: string) =>
    patterns.flatMap((pattern) => [
      ...text.matchAll(new RegExp(pattern.source, `g${pattern.flags.replace('g', '')}`)),
    ]);
  const [path, test, skipped] = example ?? ['a.json', '', ''];

  it('is known by the names of its files', () => {
    expect(languageOf(path).name).toBe(name);
    expect(code === undefined).toBe(example === null);
  });

  it.skipIf(example === null)('names its tests', () => {
    const names = all(code?.headers ?? [], test).map((found) =>
      found.slice(1).find((one) => one !== undefined),
    );
    expect(
      names.some((one) => one !== undefined && /^(?:test_?)?adds$/i.test(one)),
      names.join(),
    ).toBe(true);
  });

  it.skipIf(example === null)('knows a skipped test from one that runs', () => {
    const idioms = (code?.idioms ?? []).map(({ pattern }) => pattern);
    expect([test, skipped].map((text) => all(idioms, text).length > 0)).toEqual([false, true]);
  });
});

it('each language has a file of its own, whose patterns of names are for paths', () => {
  for (const { files = {} } of LANGUAGES)
    for (const pattern of Object.values(files))
      expect(pattern.test('README.md'), String(pattern)).toBe(false);
});
