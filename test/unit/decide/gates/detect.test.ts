import { describe, expect, it } from 'vitest';
import { detectGates } from '../../../../src/decide/index.ts';

type Files = Readonly<Record<string, string | object>>;

const GO = 'module x\n';

function detected(files: Files) {
  const texts = new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      typeof text === 'string' ? text : JSON.stringify(text),
    ]),
  );
  return detectGates({ paths: new Set(texts.keys()), read: (path) => texts.get(path) ?? null });
}

const runs = (files: Files) => detected(files).gates.map(({ run }) => run);
const script = (scripts: Record<string, string>, more: object = {}) => ({
  'package.json': { scripts, ...more },
});

describe('the checks of a repository', () => {
  it.each<[string, Files, string[]]>([
    ['nothing', { 'README.md': '' }, []],
    ['npm', script({ test: 'node --test', lint: 'eslint .', build: 'tsc' }), ['npm run lint', 'npm test']],
    ['a typecheck by another name', script({ 'type-check': 'tsc --noEmit' }), ['npm run type-check']],
    ['the placeholder of npm', script({ test: 'echo "Error: no test specified" && exit 1' }), []],
    ['a script that only prints', script({ test: "echo 'later'" }), []],
    ['pnpm', { ...script({ test: 'jest' }), 'pnpm-lock.yaml': '' }, ['pnpm test']],
    [
      'yarn',
      { ...script({ test: 'jest', lint: 'eslint .' }), 'yarn.lock': '' },
      ['yarn run lint', 'yarn test'],
    ],
    [
      'bun, whose `bun test` is another one',
      { ...script({ test: 'jest' }), 'bun.lockb': '' },
      ['bun run test'],
    ],
    [
      'the package manager that is named, whatever lock files there are',
      {
        ...script({ test: 'jest' }, { packageManager: 'npm@11.0.0' }),
        'yarn.lock': '',
        'pnpm-lock.yaml': '',
      },
      ['npm test'],
    ],
    ["a manifest that isn't JSON", { 'package.json': '{' }, []],
    ['a byte-order mark', { 'package.json': '\uFEFF{"scripts":{"test":"jest"}}' }, ['npm test']],
  ])('%s', (_, files, expected) => {
    expect(runs(files)).toEqual(expected);
  });

  const UNITTEST = 'from unittest import TestCase\n';
  const TOOLS = '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n';
  it.each<[string, Files, string[]]>([
    ['pytest', { 'pyproject.toml': '[project]\nname = "x"\n' }, ['pytest -q']],
    ['requirements and tests', { 'requirements.txt': 'flask\n', 'tests/test_a.py': '' }, ['pytest -q']],
    ['behave', { 'behave.ini': '[behave]\n', 'features/a.feature': '' }, ['behave']],
    [
      'behave in uv',
      { 'pyproject.toml': '[project]\ndependencies = ["behave"]\n', 'uv.lock': '' },
      ['uv run behave'],
    ],
    ['behave beside pytest', { 'setup.py': 'requires = ["behave", "pytest"]\n' }, ['pytest -q']],
    [
      'poetry',
      { 'pyproject.toml': `[tool.poetry]\n${TOOLS}` },
      ['poetry run ruff check .', 'poetry run mypy .', 'poetry run pytest -q'],
    ],
    ['tox', { 'tox.ini': '[tox]\nenvlist = py\n[testenv]\ndeps = pytest\n', 'setup.py': '' }, ['tox -e py']],
    ['tox.ini that is of pytest alone', { 'tox.ini': '[pytest]\n' }, ['pytest -q']],
    [
      'tools in the dependencies',
      { 'pyproject.toml': '[project]\ndependencies = ["ruff>=0.4", "mypy"]\n' },
      ['ruff check .', 'mypy .', 'pytest -q'],
    ],
    ['ruff without a project', { 'pyproject.toml': '[tool.ruff]\n' }, ['ruff check .']],
    ['tests alone', { 'calc.py': '', 'test_calc.py': 'import calc\n' }, ['pytest -q']],
    ['tests alone in their folder', { 'calc.py': '', 'tests/calc_test.py': '' }, ['pytest -q']],
    ['tests alone, of unittest', { 'calc.py': '', 'test_calc.py': UNITTEST }, ['python3 -m unittest']],
    ['in a folder', { 'tests/test_calc.py': UNITTEST }, ['python3 -m unittest discover -s tests']],
    ['in a package', { 'tests/__init__.py': '', 'tests/test_calc.py': UNITTEST }, ['python3 -m unittest']],
    ['one of them of pytest', { 'test_a.py': UNITTEST, 'test_b.py': 'import pytest\n' }, ['pytest -q']],
    ["a fixture isn't a project", { 'lib/fixtures/test_a.py': '' }, []],
  ])('python: %s', (_, files, expected) => {
    expect(runs(files)).toEqual(expected);
  });

  it.each<[string, Files, string]>([
    ['at the top', { 'pyproject.toml': '[project]\n' }, 'python3 -m pytest -q'],
    ['in uv', { 'pyproject.toml': '[project]\n', 'uv.lock': '' }, 'uv run python3 -m pytest -q'],
    ['in a folder', { 'api/pyproject.toml': '[project]\n' }, 'cd api && python3 -m pytest -q'],
  ])('python: pytest as a module instead, %s', (_, files, otherwise) => {
    expect(detected(files).gates).toMatchObject([{ otherwise }]);
  });

  it.each<[string, Files, string[]]>([
    [
      'make',
      {
        Makefile: '.PHONY: test lint\nCC := gcc\ntest: build\n\t./run-tests\nlint:\n\t./lint\nall:\n\ttrue\n',
      },
      ['make lint', 'make test'],
    ],
    [
      'just',
      { justfile: 'set shell := ["bash", "-c"]\nname := "x"\ntest *args:\n  ./t\nlint file:\n  x\n' },
      ['just test'],
    ],
    [
      "a recipe that starts a watcher isn't a gate",
      { justfile: 'test:\n  watchexec -e rs cargo test\n' },
      [],
    ],
    [
      'nor one that calls such a recipe',
      { Makefile: 'test:\n\t$(MAKE) dev\ndev:\n\tcargo watch -x test\n' },
      [],
    ],
    ['vitest in a recipe runs once', { justfile: 'test:\n  npx vitest\n' }, ['CI=1 just test']],
    [
      'make that runs the script is the script',
      { Makefile: 'test:\n\tnpm test\n', ...script({ test: 'jest' }) },
      ['npm test'],
    ],
    [
      'make that runs go in its own way',
      { Makefile: 'test:\n\tgo test -race ./...\n', 'go.mod': GO },
      ['make test'],
    ],
    ['make beside it', { Makefile: 'test:\n\t./e2e.sh\n', 'go.mod': GO }, ['go test -v ./...', 'make test']],
    ['make that watches', { Makefile: 'test:\n\tcargo watch -x test\n' }, []],
  ])('targets: %s', (_, files, expected) => {
    expect(runs(files)).toEqual(expected);
  });
});

describe('scripts that watch or write', () => {
  it.each([
    ['vitest', 'CI=1 npm test'],
    ['vitest --coverage', 'CI=1 npm test'],
    ['npx vitest', 'CI=1 npm test'],
    ['yarn vitest', 'CI=1 npm test'],
    ['cross-env NODE_ENV=test vitest', 'CI=1 npm test'],
    ['vitest run', 'npm test'],
    ['vitest --run', 'npm test'],
    ['vitest --watch', 'npx vitest run'],
    ['vitest watch --coverage', 'npx vitest run --coverage'],
    ['react-scripts test', 'CI=1 npm test'],
    ['jest', 'npm test'],
    ['jest -w 2', 'npm test'],
    ['jest --watch', 'npx jest'],
    ['jest --watchAll --verbose', 'npx jest --verbose'],
    ['jest --watchAll=false', 'npm test'],
    ['NODE_ENV=test jest --watch', 'NODE_ENV=test npx jest'],
    ['tsc -w', 'npx tsc --noEmit'],
    ['tsc -p . --watch --noEmit', 'npx tsc -p . --noEmit'],
    ['mocha -w', 'npx mocha'],
    ['node --test --watch', 'node --test'],
    ['ng test', 'npx ng test --watch=false'],
    ['eslint . --fix', 'npx eslint .'],
    ['prettier --write .', 'npx prettier --check .'],
    ['npm run lint && vitest', 'CI=1 npm test'],
  ])('%s is run as %s', (test, run) => {
    expect(runs({ 'package.json': { scripts: { test } } })).toEqual([run]);
  });

  it.each(['nodemon --exec jest', 'npm run build && jest --watch', 'npm run watcher', 'cypress open'])(
    '%s is not taken, and named',
    (test) => {
      const { gates, notes } = detected(script({ test, watcher: 'jest --watch', build: 'tsc' }));
      expect(gates.filter(({ name }) => name === 'test')).toEqual([]);
      expect(notes).toEqual([expect.stringContaining('the script "test" watches files')]);
    },
  );

  it('follows the scripts that a script calls', () => {
    expect(runs(script({ test: 'npm run unit', unit: 'vitest' }))).toEqual(['CI=1 npm test']);
  });

  it('takes a script beside it that ends', () => {
    expect(runs(script({ test: 'jest --watch', 'test:ci': 'jest --ci' }))).toEqual(['npm run test:ci']);
  });
});

describe('more than one project', () => {
  const member = (folder: string, scripts: Record<string, string>) => ({
    [`${folder}/package.json`]: { scripts },
  });
  const members = {
    ...member('packages/a', { test: 'jest' }),
    ...member('packages/b', { lint: 'eslint .' }),
  };

  it.each<[string, Files, string[]]>([
    [
      'npm',
      { 'package.json': { workspaces: ['packages/*'] } },
      ['npm run lint --workspaces --if-present', 'npm test --workspaces --if-present'],
    ],
    [
      'pnpm',
      { 'package.json': {}, 'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n" },
      ['pnpm -r run --if-present lint', 'pnpm -r run --if-present test'],
    ],
    [
      'yarn 1',
      { 'package.json': { workspaces: { packages: ['packages/*'] } }, 'yarn.lock': '' },
      ['(cd packages/b && yarn run lint)', '(cd packages/a && yarn run test)'],
    ],
    [
      'yarn 4',
      { 'package.json': { workspaces: ['packages/*'], packageManager: 'yarn@4.1.0' } },
      ['yarn workspaces foreach --all run lint', 'yarn workspaces foreach --all run test'],
    ],
    [
      'bun',
      { 'package.json': { workspaces: ['packages/*'] }, 'bun.lock': '' },
      ["bun run --filter '*' lint", "bun run --filter '*' test"],
    ],
  ])('workspaces of %s whose root has no scripts', (_, root, expected) => {
    expect(runs({ ...root, ...members })).toEqual(expected);
  });

  it('takes the scripts of the root where it has some', () => {
    expect(
      runs({
        'package.json': { workspaces: ['packages/*'], scripts: { test: 'turbo test', lint: 'x' } },
        ...members,
      }),
    ).toEqual(['npm run lint', 'npm test']);
  });

  it('says which lock file was believed', () => {
    const { gates, notes } = detected({
      ...script({ test: 'jest' }),
      'package-lock.json': '',
      'pnpm-lock.yaml': '',
    });
    expect(gates).toEqual([{ name: 'test', run: 'pnpm test' }]);
    expect(notes).toEqual([expect.stringContaining('pnpm-lock.yaml, package-lock.json')]);
  });

  it('goes into folders with odd names, and names each gate once', () => {
    const { gates } = detected({
      ...member("my 'web' app", { test: 'jest' }),
      'größe/go.mod': GO,
      'größe/inner/go.mod': GO,
      'examples/x/package.json': { scripts: { test: 'jest' } },
      'Cargo.toml': '',
      'pom.xml': '',
    });
    expect(gates).toEqual([
      { name: 'clippy', run: 'cargo clippy --all-targets -- -D warnings' },
      { name: 'fmt', run: 'cargo fmt --all --check' },
      { name: 'test', run: 'cargo test' },
      { name: 'mvn test', run: 'mvn -q test' },
      { name: 'größe test', run: "cd 'größe' && go test -v ./..." },
      { name: "my 'web' app test", run: "cd 'my '\\''web'\\'' app' && npm test" },
    ]);
  });
});
