import { describe, expect, it } from 'vitest';
import { builtFrom, holdsPackages, isCargoTarget, isInstalled, toolOutputsIn } from './index.ts';

describe('what tools write', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['node_modules/a/index.js', 'src/a.js'], ['node_modules']],
    [['node_modules'], ['node_modules']],
    [['a/node_modules/b/node_modules/c.js'], ['a/node_modules']],
    [
      ['src/a/__pycache__/x.pyc', 'src/__pycache__/y.pyc'],
      ['src/a/__pycache__', 'src/__pycache__'],
    ],
    [['acme.egg-info/PKG-INFO'], ['acme.egg-info']],
    [['env/pyvenv.cfg', 'env/lib/site.py'], ['env']],
    [['target/CACHEDIR.TAG', 'target/debug/x', 'target/node_modules/y'], ['target']],
    // At the top of a repository this file would make everything output of a tool.
    [['pyvenv.cfg', 'src/a.py'], []],
    [['CACHEDIR.TAG'], []],
    [['src/node_modules.js', 'docs/my-node_modules/x', 'venv/main.py', 'dist/a.js', 'build/x'], []],
    [
      ['.coverage', 'src/a.pyc', 'docs/.DS_Store', 'app/tsconfig.tsbuildinfo'],
      ['.coverage', 'src/a.pyc', 'docs/.DS_Store', 'app/tsconfig.tsbuildinfo'],
    ],
    [['coverage/lcov.info', 'coverage/index.html', 'src/coverage/report.ts'], ['coverage']],
    [['src/coverage.py', '.coveragerc', 'app.log', 'src/pyc'], []],
    [[], []],
  ])('%j: %j', (paths, expected) => {
    expect(toolOutputsIn(paths)).toEqual(expected);
  });
});

describe("what is installed is known by a name that is a tool's own, or by a marker", () => {
  it.each<[path: string, there: readonly string[], packages: boolean]>([
    ['node_modules', [], true],
    ['packages/a/node_modules', [], true],
    ['.venv', [], true],
    ['acme.egg-info', [], true],
    ['vendor', [], false],
    ['vendor', ['composer.json'], true],
    ['php/vendor', ['php/composer.json'], true],
    ['php/vendor', ['composer.json'], false],
    ['vendor', ['Gemfile'], true],
    ['deps', ['package.json'], false],
    ['deps', ['mix.exs'], true],
    ['env', ['package.json'], false],
    ['env', ['env/pyvenv.cfg'], true],
    ['my-python', ['my-python/pyvenv.cfg'], true],
    ['conda', ['conda/conda-meta'], true],
    ['target', ['pom.xml', 'Cargo.toml'], false],
    ['constructor', ['Cargo.toml'], false],
    ['.env', [], false],
  ])('%s with %j there: %s', (path, there, packages) => {
    expect(holdsPackages(path, (one) => there.includes(one))).toBe(packages);
  });

  it("and so is how the place is set up, which isn't a package", () => {
    expect(['.env', '.env.local', 'env', 'a/.env'].map((path) => isInstalled(path, () => false))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it.each<[path: string, there: readonly string[], cargo: boolean]>([
    ['target', ['Cargo.toml'], true],
    ['target', ['pom.xml'], false],
    ['crates/a/target', ['Cargo.toml'], false],
    ['out', ['out/.rustc_info.json'], true],
  ])('cargo builds in %s with %j there: %s', (path, there, cargo) => {
    expect(isCargoTarget(path, (one) => there.includes(one))).toBe(cargo);
  });
});

it.each<[path: string, name: string | null]>([
  ['target/classes/Helper.class', 'Helper'],
  ['target/classes/Helper$1.class', 'Helper'],
  ['build/helper.o', 'helper'],
  ['build/CMakeFiles/app.dir/src/helper.c.o', 'helper'],
  ['lib/libhelper.a', 'helper'],
  ['dist/helper.js', 'helper'],
  ['dist/helper.d.ts', 'helper'],
  ['dist/helper.js.map', 'helper'],
  ['config/local.json', null],
  ['src/generated/helper.ts', null],
  ['build/app', null],
  ['.env', null],
])('%s is called as what is built of %s', (path, name) => {
  expect(builtFrom(path)).toBe(name);
});
