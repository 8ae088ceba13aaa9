import { ADAPTERS } from '../../../agent/index.ts';
import { nameOf } from '../../../lib/paths.ts';

/** Where the tools of a project fetch what it depends on, by the files that say so. */
const REGISTRIES: readonly (readonly [files: readonly string[], hosts: readonly string[]])[] = [
  [['package.json'], ['registry.npmjs.org']],
  [['yarn.lock'], ['registry.yarnpkg.com']],
  [
    ['pyproject.toml', 'requirements.txt', 'setup.py', 'Pipfile', 'uv.lock'],
    ['pypi.org', 'files.pythonhosted.org'],
  ],
  [['Cargo.toml'], ['index.crates.io', 'static.crates.io']],
  [['go.mod'], ['proxy.golang.org', 'sum.golang.org']],
  [['Gemfile'], ['rubygems.org', 'index.rubygems.org']],
  [['composer.json'], ['repo.packagist.org', 'api.github.com', 'codeload.github.com']],
  [['pom.xml'], ['repo.maven.apache.org']],
  [
    ['build.gradle', 'build.gradle.kts'],
    ['repo.maven.apache.org', 'plugins.gradle.org', 'services.gradle.org'],
  ],
  [['mix.exs'], ['repo.hex.pm', 'builds.hex.pm']],
  [['pubspec.yaml'], ['pub.dev']],
];

/**
 * What `[box] network` would list here: the hosts of these agents, and those that the project's tools fetch from.
 *
 * @param paths of the repository's files.
 */
export function hostsFor(agents: readonly string[], paths: Iterable<string>): readonly string[] {
  const names = new Set(Array.from(paths, nameOf));
  const ofAgents = Object.values(ADAPTERS).filter(({ name }) => agents.includes(name));
  const ofTools = REGISTRIES.filter(([files]) => files.some((file) => names.has(file)));
  return [...new Set([...ofAgents.flatMap(({ hosts }) => hosts), ...ofTools.flatMap(([, hosts]) => hosts)])];
}
