import type { Change } from '../../change.ts';
import type { Side } from '../../lex/side.ts';
import { blockEnd, indentOf } from '../../tests/find-tests.ts';
import type { Sign } from '../sign.ts';

/** A command that checks something. */
export const CHECK =
  /\b(?:test|tests|pytest|tox|nox|unittest|jest|vitest|mocha|ava|karma|playwright|cypress|lint|eslint|biome|tsc|typecheck|type-check|types|mypy|pyright|ruff-format|ruff|flake8|pylint|black|clippy|rustfmt|nextest|vet|staticcheck|golangci-lint|govulncheck|rspec|rubocop|minitest|phpunit|pest|phpstan|psalm|phpcs|mvn|mvnw|gradlew?|surefire|ctest|bats|shellcheck|swiftlint|xcodebuild|ktlint|detekt|checkstyle|spotbugs|dotnet test|mix|credo|dialyzer|flutter|dart|sbt|scalafmt|check|verify|coverage|codecov|audit|prettier|stylelint|knip|semgrep|bandit|commitlint|lint-staged|pre-commit|c8|nyc|stryker)\b/;

export const REMOVED: Sign = {
  category: 'gate_weakening',
  kind: 'check_removed',
  confidence: 0.9,
  reason: 'A check is no longer run',
};
/** The lines of the step or job that a line belongs to, as far as the diff shows it. */
function stepAround(side: Side, line: number): readonly [from: number, to: number] {
  const own = indentOf(side.lines[line]?.text ?? '');
  const isHead = (text: string): boolean => indentOf(text) < own && /\S/.test(text);
  const above = side.lines.slice(0, line).findLastIndex(({ text }) => isHead(text));
  const head = /^\s*-/.test(side.lines[line]?.text ?? '') ? line : Math.max(above, 0);
  return [head, blockEnd(side, head)];
}

/** The step or job that a condition was added to was there before, and checks something. */
export function wasUnconditional({ before, after: { side } }: Change, line: number): boolean {
  const [from, to] = stepAround(side, line);
  const gone = new Set(removedCommands(before.side));
  return side.lines
    .slice(from, to + 1)
    .some(({ changed, text }) => CHECK.test(text) && (!changed || gone.has(commandIn(text))));
}

/** The step or job is new, and what it runs was run by none that is gone. */
export function isOfNewStep({ before, after }: Change, line: number): boolean {
  const { side } = after;
  const [from, to] = stepAround(side, line);
  const step = side.lines.slice(from, to + 1);
  const gone = new Set(removedCommands(before.side));
  return step.every(({ changed }) => changed) && !step.some(({ text }) => gone.has(commandIn(text)));
}

/** What a line runs: without the key or dash in front of it. */
function commandIn(text: string): string {
  return text
    .trim()
    .replace(/^(?:-\s+)?(?:[\w-]+:\s+)?/, '')
    .replace(/^[-@]+/, '');
}

function removedCommands({ lines }: Side): readonly string[] {
  return lines.flatMap(({ changed, text }) => (changed && CHECK.test(text) ? [commandIn(text)] : []));
}
