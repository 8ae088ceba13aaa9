import { describe, expect, it } from 'vitest';
import type { GateSource } from '../../../src/domain/gate.ts';
import { isRedByCanary, makeCanary, neighbours, runnerOf } from '../../../src/proof/shown/index.ts';
import { results } from '../../helpers/results.ts';

const source = (name: string, content = ''): GateSource => ({
  ...{ name, path: name, content },
  ...{ version: null, hollow: null, direct: false },
});

describe('the runner of a gate', () => {
  it.each<[string, readonly GateSource[], string | null, string | null]>([
    ['npm test', [source('scripts.test', 'vitest run --coverage'), source('vitest')], null, 'vitest'],
    ['npm test', [source('scripts.test', 'jest'), source('jest')], null, 'jest'],
    ['npm test', [source('scripts.test', 'NODE_ENV=test mocha --exit')], null, 'mocha'],
    ['node --test', [], null, 'node'],
    ['node --experimental-vm-modules node_modules/jest/bin/jest.js', [], null, 'jest'],
    ['node_modules/.bin/mocha', [], null, 'mocha'],
    ['npm test', [source('scripts.test', 'tsx --test "src/**/*.test.ts"')], null, 'node'],
    ['node --import tsx --test-reporter=spec --test', [], null, 'node'],
    ['uv run pytest -q', [], null, 'pytest'],
    ['python3 -m pytest', [], null, 'pytest'],
    ['python -m unittest discover', [], null, 'unittest'],
    ['go test ./...', [], null, 'go'],
    ['cargo test --workspace', [], null, 'cargo'],
    ['cargo +nightly nextest run', [], null, 'nextest'],
    ['bundle exec rspec', [], null, 'rspec'],
    ['./mvnw -q -B verify', [], null, 'junit'],
    ['./gradlew :app:test', [], null, 'junit'],
    // What is printed is surer than names, of which there may be several.
    ['npm test', [source('scripts.test', 'eslint . && jest-like')], 'mocha', 'mocha'],
    ['make check', [], 'nextest', 'nextest'],
    ['pytest --junitxml=out.xml', [], 'junit', 'pytest'],
    ['make check', [], 'junit', 'junit'],
    ['npm run lint', [source('scripts.lint', 'eslint src/jest src/vitest.ts')], null, null],
    ['tsc --noEmit', [], null, null],
    ['cat test.go', [], null, null],
    ['prove', [], 'tap', null],
    ['node build.js && npm run test-types', [], null, null],
  ])('%s %j as %s: %s', (run, sources, format, runner) => {
    expect(runnerOf(format === null ? [] : [format], { run, sources })).toBe(runner);
  });
});

describe('neighbours', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'vitest',
      [
        'src/a.ts',
        'src/a.test.ts',
        'test/setup.ts',
        'test/b.spec.ts',
        'test/fixtures/c.test.ts',
        'test/d.test-d.ts',
        'e2e/f.test.ts',
      ],
      [],
      ['src/a.test.ts', 'test/b.spec.ts', 'e2e/f.test.ts'],
    ],
    [
      'vitest',
      ['src/a.test.ts', 'test/b.spec.ts'],
      ['test/b.spec.ts', 'src/gone.test.ts'],
      ['test/b.spec.ts', 'src/a.test.ts'],
    ],
    ['jest', ['__tests__/a.js', '__mocks__/b.test.js', 'jest.setup.js', 'index.js'], [], ['__tests__/a.js']],
    ['mocha', ['test/app.js', 'test/helpers.js', 'test/support/x.js', 'lib/app.js'], [], ['test/app.js']],
    ['node', ['test/a.js', 'test/b.test.js', 'test/c.json'], [], ['test/b.test.js', 'test/a.js']],
    [
      'pytest',
      ['tests/conftest.py', 'tests/test_a.py', 'tests/helpers.py', 'a_test.py'],
      [],
      ['a_test.py', 'tests/test_a.py'],
    ],
    [
      'unittest',
      ['tests/__init__.py', 'tests/test_a.py', 'app/tests.py'],
      [],
      ['app/tests.py', 'tests/test_a.py'],
    ],
    ['go', ['a.go', 'a_test.go', 'vendor/x/x_test.go'], [], ['a_test.go']],
    [
      'cargo',
      ['Cargo.toml', 'src/lib.rs', 'tests/a.rs', 'tests/common/mod.rs'],
      [],
      ['tests/a.rs', 'src/lib.rs'],
    ],
    ['cargo', ['Cargo.toml', 'x/Cargo.toml', 'x/src/lib.rs', 'y.rs'], [], ['x/src/lib.rs']],
    ['rspec', ['spec/spec_helper.rb', 'spec/a_spec.rb'], [], ['spec/a_spec.rb']],
    [
      'junit',
      ['src/test/java/a/ATest.java', 'src/main/java/a/A.java', 'src/test/java/a/Helper.java'],
      [],
      ['src/test/java/a/ATest.java'],
    ],
  ])('of %s among %j', (runner, paths, preferred, expected) => {
    expect(neighbours(runner, paths, preferred)).toEqual(expected);
  });
});

const make = (
  runner: string,
  path: string,
  text = '',
  more: readonly string[] = [],
  loads: readonly string[] = [],
) => makeCanary({ runner, neighbour: { path, text }, loads, paths: [path, ...loads, ...more], word: 'x7k2' });

describe('the name of a canary keeps what the runner goes by', () => {
  it.each<[string, string, string]>([
    ['vitest', 'src/clamp.test.ts', 'src/clamp-x7k2.test.ts'],
    ['vitest', 'src/clamp.unit.spec.tsx', 'src/clamp-x7k2.unit.spec.tsx'],
    ['jest', '__tests__/clamp.js', '__tests__/clamp-x7k2.js'],
    ['jest', 'clamp_test.js', 'clamp_x7k2_test.js'],
    ['node', 'test/test-clamp.mjs', 'test/test-clamp-x7k2.mjs'],
    ['node', 'test.js', 'test-x7k2.js'],
    ['mocha', 'test/clampTest.js', 'test/clamp-x7k2Test.js'],
    ['mocha', 'test/contest.js', 'test/contest-x7k2.js'],
    ['pytest', 'tests/test_clamp.py', 'tests/test_clamp_x7k2.py'],
    ['pytest', 'clamp_test.py', 'clamp_x7k2_test.py'],
    ['pytest', 'app/tests.py', 'app/test_x7k2.py'],
    ['rspec', 'spec/clamp_spec.rb', 'spec/clamp_x7k2_spec.rb'],
  ])('%s: %s', (runner, neighbour, path) => {
    expect(make(runner, neighbour)?.path).toBe(path);
  });

  it('of packages, crates and classes', () => {
    expect(make('go', 'a/clamp_linux_test.go', 'package a\n')?.path).toBe('a/clamp_linux_x7k2_test.go');
    expect(make('cargo', 'tests/a.rs', '', ['Cargo.toml'])?.path).toBe('tests/a_x7k2.rs');
    expect(make('cargo', 'x/src/lib.rs', '', ['x/Cargo.toml'])?.path).toBe('x/tests/x7k2.rs');
    const junit = 'package a;\nimport org.junit.Test;\n';
    expect(make('junit', 'src/test/java/a/ClampTest.java', junit)?.path).toBe(
      'src/test/java/a/ClampX7k2Test.java',
    );
    expect(make('junit', 'src/test/java/a/TestClamp.java', junit)?.path).toBe(
      'src/test/java/a/TestClampX7k2.java',
    );
  });

  it("and isn't one that is there, nor one where nothing can be written", () => {
    expect(make('vitest', 'a.test.ts', '', ['a-x7k2.test.ts'])).toBeNull();
    expect(make('junit', 'src/test/java/a/ATest.java', 'import org.testng.annotations.Test;\n')).toBeNull();
    expect(make('go', 'a_test.go', '// nothing\n')).toBeNull();
    expect(make('cargo', 'tests/a.rs')).toBeNull();
  });
});

describe('the text of a canary', () => {
  it('imports as the neighbour does', () => {
    const text =
      "import { strict as ok } from 'assert';\nimport { describe, it as check } from 'node:test';\nimport { a } from '../src/a.js';\n";
    const canary = make('node', 'test/a.test.ts', text);
    expect(canary?.text).toMatchInlineSnapshot(`
      "// @ts-nocheck
      /* eslint-disable */
      import { strict as ok } from 'assert';
      import { describe, it as check } from 'node:test';
      for (const file of ['../src/a.js']) {
        try {
          await import(/* @vite-ignore */ file);
        } catch {}
      }
      check('x7k2', async () => {
        setTimeout(() => process.exit(), 5000).unref();
        const forms = [
          async () => ok(false),
          async () => ok.ok(false),
          async () => ok.equal(1, 2),
          async () => ok.strictEqual(1, 2),
          async () => ok.deepEqual([1], [2]),
          async () => ok.deepStrictEqual([1], [2]),
          async () => ok.notEqual(1, 1),
          async () => ok.notStrictEqual(1, 1),
          async () => ok.notDeepEqual([1], [1]),
          async () => ok.notDeepStrictEqual([1], [1]),
          async () => ok.throws(() => {}),
          async () => ok.doesNotThrow(() => { throw new Error(); }),
          async () => ok.rejects(async () => {}),
          async () => ok.doesNotReject(async () => { throw new Error(); }),
          async () => ok.match('a', /b/),
          async () => ok.fail('a'),
          async () => ok.ifError(new Error()),
          async () => ok.isTrue(false),
          async () => ok.isFalse(true),
          async () => ok.isOk(false),
          async () => ok.isNull(1),
          async () => ok.isUndefined(1),
          async () => ok.lengthOf([1], 2),
          async () => ok.include([1], 2),
        ];
        for (const form of forms) {
          let alive = false;
          try {
            await form();
          } catch {
            alive = true;
          }
          if (!alive) return;
        }
        ok.equal(1, 2);
      });
      export {};
      "
    `);
  });

  it('is CommonJS beside CommonJS, and has what the neighbour asserts with', () => {
    const text = "const { expect } = require('chai')\nconst a = require('../lib/a')\n\nit('b', () => {})\n";
    const canary = make('mocha', 'test/a.js', text)?.text ?? '';
    expect(canary).toContain(
      "const { expect } = require('chai');\n(typeof it === 'function' ? it : test)('x7k2'",
    );
    expect(canary).toContain('expect(1).to.equal(2)');
    expect(canary).not.toMatch(/^import|^export/m);
  });

  it('keeps the environment, the build constraint and the package', () => {
    // The word is in two parts, as vitest would otherwise read it as a setting of this file.
    const jsdom = `@jest-${'environment'} jsdom`;
    const neighbour = `/**\n * ${jsdom}\n */\ntest('a', () => {});\n`;
    expect(make('jest', 'a.test.js', neighbour)?.text.split('\n')[0]).toBe(`/** ${jsdom} */`);
    const go = make('go', 'a_test.go', '//go:build linux\n\npackage a_test\n')?.text;
    expect(go).toMatch(/^\/\/go:build linux\n\npackage a_test\n/);
    expect(make('junit', 'src/test/java/b/ATest.java', 'package b;\nimport org.junit.Test;\n')?.text).toMatch(
      /^package b;\n/,
    );
  });

  it.each<[string, string, string, string, readonly string[]]>([
    [
      'vitest',
      'test/a.test.ts',
      "import { b } from '../src/b';\n",
      'src/deep/c.ts',
      ["'../src/deep/c'", "'../src/b'"],
    ],
    ['vitest', 'test/a.test.ts', "import { b } from '../src/b.js';\n", 'src/c.ts', ["'../src/c.js'"]],
    ['node', 'src/a.test.ts', "import { b } from './b.ts';\n", 'src/c.ts', ["'./c.ts'"]],
    ['node', 'test/a.test.mjs', '', 'c.mjs', ["'../c.mjs'"]],
    ['jest', 'a.test.js', "const b = require('./b');\n", 'src/c.jsx', ["'./src/c'"]],
    ['pytest', 'tests/test_a.py', 'from pkg import a\n', 'src/pkg/deep/c.py', ["'pkg.deep.c'", "'pkg'"]],
    ['unittest', 'tests/test_a.py', '', 'c.py', ["'c'"]],
    [
      'rspec',
      'spec/a_spec.rb',
      "require 'spec_helper'\n",
      'lib/c.rb',
      ["require_relative '../lib/c'", "require 'spec_helper'"],
    ],
    [
      'junit',
      'app/src/test/java/a/ATest.java',
      'import org.junit.Test;\n',
      'app/src/main/java/a/b/C.java',
      ['Class.forName("a.b.C")'],
    ],
  ])('of %s beside %s loads what changed', (runner, path, text, load, expected) => {
    const more = ['src/pkg/__init__.py', 'src/pkg/deep/__init__.py'];
    const canary = make(runner, path, text, more, [load]);
    for (const part of expected) expect(canary?.text).toContain(part);
    expect(canary?.loads).toEqual([load]);
  });

  it('loads no program, unless the neighbour does, nor what the neighbour replaces', () => {
    const programs = ['src/server.ts', 'bin/a.ts', 'src/main.ts'];
    expect(make('vitest', 'src/a.test.ts', "import { a } from './a';\n", [], programs)?.loads).toEqual([]);
    expect(make('vitest', 'src/a.test.ts', "import { a } from './main';\n", [], programs)?.loads).toEqual([
      'src/main.ts',
    ]);
    expect(make('pytest', 'test_a.py', '', [], ['cli.py'])?.loads).toEqual([]);
    expect(make('pytest', 'test_a.py', 'from cli import run\n', [], ['cli.py'])?.loads).toEqual(['cli.py']);
    const mocked = "import { a } from './a';\nvi.mock('./b');\n";
    const canary = make('vitest', 'src/a.test.ts', mocked, [], ['src/a.ts']);
    expect(canary?.loads).toEqual([]);
    expect(canary?.text).not.toContain('./a');
  });
});

it.each<[string, boolean]>([
  ['test/a-x7k2.test.ts > x7k2', true],
  ['a.TestX7k2', true],
  ['limit.ClampX7k2Test.testx7k2', true],
  ['tests/test_a_x7k2.py', true],
  ['clamps', false],
])('"%s" is the canary: %s', (failing, red) => {
  const read = results({ failing: ['other', failing] });
  const canary = { path: 'a-x7k2.js', text: '', name: 'x7k2', loads: [] };
  expect(isRedByCanary(read, canary)).toBe(red);
  expect(isRedByCanary(null, canary)).toBe(false);
});
