import { packageScripts } from '../../../lib/formats/package-scripts.ts';
import { type Found, type FoundGate, firstFile, type GateKind, NOTHING, type SeenFiles } from './found.ts';
import { nodeGates } from './node.ts';
import { isPlaceholder } from './script.ts';

/** One kind of project: what its files say; `null` where it isn't one. */
type Ecosystem = { readonly name: string; readonly detect: (files: SeenFiles) => Found | null };

/** Every kind of project whose checks are known. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  { name: 'node', detect: nodeGates },
  { name: 'deno', detect: byFile(['deno.json', 'deno.jsonc'], () => [test('deno', 'deno test')]) },
  { name: 'python', detect: pythonGates },
  { name: 'go', detect: goGates },
  {
    name: 'rust',
    detect: byFile(['Cargo.toml'], () => [
      { kind: 'lint', name: 'clippy', run: 'cargo clippy --all-targets -- -D warnings', tool: 'clippy' },
      { kind: 'format', name: 'fmt', run: 'cargo fmt --all --check', tool: 'fmt' },
      test('cargo', 'cargo test'),
    ]),
  },
  {
    name: 'gradle',
    detect: byFile(
      ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
      (files) => [test('gradle', files.paths.has('gradlew') ? './gradlew test' : 'gradle test')],
    ),
  },
  {
    name: 'maven',
    detect: byFile(['pom.xml'], (files) => [
      test('mvn', files.paths.has('mvnw') ? './mvnw -q test' : 'mvn -q test'),
    ]),
  },
  { name: 'elixir', detect: byFile(['mix.exs'], () => [test('mix', 'mix test')]) },
  { name: 'php', detect: phpGates },
  { name: 'dotnet', detect: dotnetGates },
  { name: 'ruby', detect: rubyGates },
  { name: 'swift', detect: byFile(['Package.swift'], () => [test('swift', 'swift test')]) },
  {
    name: 'dart',
    detect: byFile(['pubspec.yaml'], (files) => [
      /^\s+flutter:/m.test(files.read('pubspec.yaml') ?? '')
        ? test('flutter', 'flutter test')
        : test('dart', 'dart test'),
    ]),
  },
  { name: 'scala', detect: byFile(['build.sbt'], () => [test('sbt', 'sbt test')]) },
  { name: 'zig', detect: byFile(['build.zig'], () => [test('zig', 'zig build test')]) },
  { name: 'haskell', detect: byFile(['stack.yaml'], () => [test('stack', 'stack test')]) },
];

function byFile(names: readonly string[], gates: (files: SeenFiles) => FoundGate[]): Ecosystem['detect'] {
  return (files) => (firstFile(files, names) === null ? null : { gates: gates(files), notes: [] });
}

function test(tool: string, run: string): FoundGate {
  return { kind: 'test', name: 'test', run, tool };
}

function goGates(files: SeenFiles): Found | null {
  const lint = firstFile(files, ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json']);
  const gates: FoundGate[] =
    lint === null ? [] : [{ kind: 'lint', name: 'lint', run: 'golangci-lint run', tool: 'golangci-lint' }];
  if (files.paths.has('go.mod')) return { gates: [...gates, test('go', 'go test ./...')], notes: [] };
  const work = files.read('go.work');
  if (work === null) return null;
  const modules = [...work.matchAll(/^\s*(?:use\s+)?(\.\/?[\w./-]*)\s*$/gm)].map(([, path = '']) =>
    path.replace(/\/$/, ''),
  );
  const packages = modules.map((path) => (path === '.' ? './...' : `${path}/...`));
  return packages.length === 0
    ? NOTHING
    : { gates: [...gates, test('go', `go test ${packages.join(' ')}`)], notes: [] };
}

const COMPOSER: readonly (readonly [GateKind, readonly string[]])[] = [
  ['lint', ['lint', 'cs', 'phpcs']],
  ['types', ['phpstan', 'stan', 'psalm', 'analyse', 'analyze']],
  ['test', ['test', 'tests', 'phpunit']],
];

function phpGates(files: SeenFiles): Found | null {
  const text = files.read('composer.json');
  if (text === null) return null;
  const scripts = packageScripts(text);
  const byScript = COMPOSER.flatMap(([kind, names]): FoundGate[] => {
    const name = names.find((one) => !isPlaceholder(scripts.get(one) ?? ''));
    return name === undefined ? [] : [{ kind, name, run: `composer run ${name}`, tool: 'composer' }];
  });
  const has = (kind: GateKind) => byScript.some((gate) => gate.kind === kind);
  const stan = firstFile(files, ['phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon']);
  const unit = firstFile(files, ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml']);
  return {
    gates: [
      ...byScript,
      ...(stan === null || has('types')
        ? []
        : [{ kind: 'types' as const, name: 'phpstan', run: 'vendor/bin/phpstan analyse', tool: 'phpstan' }]),
      ...(unit === null || has('test') ? [] : [test('phpunit', 'vendor/bin/phpunit')]),
    ],
    notes: [],
  };
}

function dotnetGates({ paths }: SeenFiles): Found | null {
  const top = [...paths].filter((path) => !path.includes('/'));
  if (top.some((path) => /\.(?:sln|slnx|csproj|fsproj|vbproj)$/i.test(path)))
    return { gates: [test('dotnet', 'dotnet test')], notes: [] };
  return null;
}

/** Without a Rakefile minitest has no command of its own in all versions. */
const MINITEST = `ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].sort.each { |file| require "./" + file }'`;

function rubyGates(files: SeenFiles): Found | null {
  const { paths, read } = files;
  const rakefile = firstFile(files, ['Rakefile', 'rakefile', 'Rakefile.rb']);
  const hasGemfile = paths.has('Gemfile');
  const minitests = [...paths].filter((path) => /^test\/(?:.*\/)?(?:[^/]*_test|test_[^/]*)\.rb$/.test(path));
  if (rakefile === null && !hasGemfile && minitests.length === 0) return null;
  const bundle = hasGemfile ? 'bundle exec ' : '';
  const under = (folder: string) => [...paths].some((path) => path.startsWith(`${folder}/`));
  const lint = /\brubocop\b/.test(read('Gemfile') ?? '') || paths.has('.rubocop.yml');
  const task = (rakefile?.text ?? '').match(
    /\btask\s*\(?\s*(?::|["'])?(test|spec)\b|\b(?:Rake::(Test)|RSpec::Core::(Rake))Task/,
  );
  const byRake = task === null ? null : (task[1] ?? (task[3] === undefined ? 'test' : 'spec'));
  const run =
    paths.has('bin/rails') && under('test')
      ? 'bin/rails test'
      : under('spec')
        ? `${bundle}rspec`
        : byRake !== null
          ? `${bundle}rake ${byRake}`
          : minitests.length > 0
            ? `${bundle}${MINITEST}`
            : null;
  return {
    gates: [
      ...(lint ? [{ kind: 'lint' as const, name: 'rubocop', run: `${bundle}rubocop`, tool: 'rubocop' }] : []),
      ...(run === null ? [] : [test('ruby', run)]),
    ],
    notes: [],
  };
}

const MANIFESTS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', 'Pipfile'];

/** What starts a program of the project's own environment, by the file that says so. */
const RUNNERS: readonly (readonly [path: string, table: string | null, prefix: string])[] = [
  ['uv.lock', '[tool.uv', 'uv run '],
  ['poetry.lock', '[tool.poetry', 'poetry run '],
  ['pdm.lock', '[tool.pdm', 'pdm run '],
  ['Pipfile', null, 'pipenv run '],
];

/** pytest or tox, and linters and type checkers that are configured. */
export function pythonGates(files: SeenFiles): Found | null {
  const { paths, read } = files;
  const requirements = [...paths].filter((path) => /^requirements[^/]*\.(?:txt|in)$/.test(path));
  const hasTests = [...paths].some((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(path));
  if (firstFile(files, MANIFESTS) === null && !(hasTests && requirements.length > 0)) return null;
  const project = read('pyproject.toml') ?? '';
  const text = [...MANIFESTS, ...requirements].map((path) => read(path) ?? '').join('\n');
  const lock = RUNNERS.find(([path]) => paths.has(path));
  const prefix = (lock ?? RUNNERS.find(([, table]) => table !== null && project.includes(table)))?.[2] ?? '';
  const uses = (tool: string, config: readonly string[]) =>
    firstFile(files, config) !== null ||
    new RegExp(String.raw`\[(?:tool[.:])?${tool}\b`).test(text) ||
    new RegExp(String.raw`(?:^|["'\s])${tool}(?=["'\s=<>~!;[]|$)`, 'm').test(text);
  const gate = (kind: FoundGate['kind'], name: string, command: string): FoundGate => ({
    kind,
    name,
    run: `${prefix}${command}`,
    tool: name,
  });
  const test = testGate(files, { project, prefix, hasTests, usesPytest: uses('pytest', ['pytest.ini']) });
  return {
    gates: [
      ...(uses('ruff', ['ruff.toml', '.ruff.toml']) ? [gate('lint', 'ruff', 'ruff check .')] : []),
      ...(uses('flake8', ['.flake8']) ? [gate('lint', 'flake8', 'flake8')] : []),
      ...(uses('mypy', ['mypy.ini', '.mypy.ini']) ? [gate('types', 'mypy', 'mypy .')] : []),
      ...(uses('pyright', ['pyrightconfig.json']) ? [gate('types', 'pyright', 'pyright')] : []),
      ...(test === null ? [] : [test]),
    ],
    notes: [],
  };
}

type Tests = {
  readonly project: string;
  readonly prefix: string;
  readonly hasTests: boolean;
  readonly usesPytest: boolean;
};

function testGate(
  { paths, read }: SeenFiles,
  { project, prefix, hasTests, usesPytest }: Tests,
): FoundGate | null {
  const test = (tool: string, run: string): FoundGate => ({ kind: 'test', name: 'test', run, tool });
  const tox = `${read('tox.ini') ?? ''}\n${read('setup.cfg') ?? ''}\n${project}`;
  // With uv or poetry the environment is there already.
  if (prefix === '' && /^\[(?:tox(?::tox)?|testenv|tool\.tox)\b/m.test(tox)) {
    // `py` is the environment of the tests, with the Python that is there.
    return test('tox', 'tox -e py');
  }
  const isPackage = /^\[(?:project|build-system|tool\.poetry)\b/m.test(project);
  if (usesPytest || hasTests || isPackage || paths.has('setup.py') || paths.has('setup.cfg')) {
    return test('pytest', `${prefix}pytest -q`);
  }
  return null;
}
