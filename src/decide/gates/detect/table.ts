import { packageScripts } from '../../../lib/formats/package-scripts.ts';
import { type Found, type FoundGate, firstFile, type GateKind, NOTHING, type SeenFiles } from './found.ts';
import { nodeGates } from './node.ts';
import { pythonGates } from './python.ts';
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
