import { isTestFile } from '../../../lib/paths.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { count, found, isCode, type RoleLook, type SignDetector } from './look.ts';

const LIMITS = THRESHOLDS.maker;

/** A command that runs tests, whatever the language. */
const RUNS_TESTS =
  /\b(?:vitest|jest|mocha|ava|tap|playwright test|cypress run|pytest|tox|nox|unittest|rspec|phpunit|ctest|gotestsum|nextest|go test|cargo test|dotnet test|mvn\b.*\b(?:test|verify)|gradlew?\b.*\b(?:test|check)|make\b.*\b(?:test|check)|just\b.*\btest|(?:npm|pnpm|yarn|bun|deno)\b(?: run)?(?: -\S+)* t(?:est)?\b|node\b.*--test|rake\b.*\btest|swift test|mix test|sbt test|bazel test|bats)\b/i;

/** Maker → rogue. */
export const ROGUE: readonly SignDetector[] = [
  {
    sign: 'no_test_file',
    find: ({ changed }) => {
      if (changed.length < LIMITS.filesAtLeast || changed.some(({ path }) => isTestFile(path))) return null;
      return found(
        `${changed.length} files changed, none of them a test`,
        !changed.some(({ path }) => isCode(path)) && 'none of them is code',
      );
    },
  },
  {
    sign: 'one_monolithic_commit',
    find: ({ commits, changed }) => {
      if (commits !== 1 || changed.length < LIMITS.monolithicAtLeast) return null;
      const folders = new Set(changed.map(({ path }) => path.split('/').slice(0, -1).join('/')));
      return found(
        `one commit with ${changed.length} files`,
        folders.size === 1 && 'all of them lie in one folder',
      );
    },
  },
  {
    sign: 'outside_proposal',
    find: ({ proposal, outside }) => {
      if (proposal === null || outside.length < LIMITS.outsideAtLeast) return null;
      const work = outside.filter((path) => !isTestFile(path) && !isGenerated(path));
      return found(
        `${count(outside.length, 'file')} outside the proposal: ${outside.slice(0, 3).join(', ')}`,
        work.length === 0 && 'they are tests of the change, or generated',
      );
    },
  },
  {
    sign: 'no_test_run',
    find: (look) => {
      const { changed, commands } = look;
      if (!changed.some(({ path }) => isCode(path)) || ranTests(look)) return null;
      if (commands === null) return found('no test run seen', "the agent's commands can't be seen");
      return found('no test run seen', look.gatesPassed && 'the gates ran after it and passed');
    },
  },
];

function ranTests({ commands }: RoleLook): boolean {
  return commands?.some((command) => RUNS_TESTS.test(command)) ?? false;
}

function isGenerated(path: string): boolean {
  return /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock|[^/]+\.snap)$/.test(
    path,
  );
}
