import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import type { Side } from '../../lex/side.ts';
import { blockEnd, indentOf } from '../../tests/find-tests.ts';
import { type Sign, signalAt } from '../sign.ts';

/** A command that checks something. */
export const CHECK =
  /\b(?:test|tests|pytest|tox|nox|unittest|jest|vitest|mocha|ava|karma|playwright|cypress|lint|eslint|biome|tsc|typecheck|type-check|types|mypy|pyright|ruff-format|ruff|flake8|pylint|black|clippy|rustfmt|nextest|vet|staticcheck|golangci-lint|govulncheck|rspec|rubocop|minitest|phpunit|pest|phpstan|psalm|phpcs|mvn|mvnw|gradlew?|surefire|ctest|bats|shellcheck|swiftlint|xcodebuild|ktlint|detekt|checkstyle|spotbugs|dotnet test|mix|credo|dialyzer|flutter|dart|sbt|scalafmt|check|verify|coverage|codecov|audit|prettier|stylelint|knip|semgrep|bandit|commitlint|lint-staged|pre-commit|c8|nyc|stryker)\b/;

export const REMOVED: Sign = {
  category: 'gate_weakening',
  kind: 'check_removed',
  confidence: 0.9,
  reason: 'A check is no longer run',
};
const CONDITIONAL: Sign = {
  category: 'gate_weakening',
  kind: 'step_disabled',
  confidence: 0.8,
  reason: 'A check that was always run is run under a condition now',
};
const RETRIED: Sign = {
  category: 'gate_weakening',
  kind: 'retries_added',
  confidence: 0.8,
  reason: 'Failing checks are run again until they pass',
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

/** Steps that are run more than once until they pass, and commands below a new condition. */
export function stepSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(
      ({ role, path, file }) =>
        file.oldPath !== null && (role === 'pipeline' || /(?:^|\/)package\.json$|\.(?:sh|bash)$/.test(path)),
    )
    .flatMap((change) => [...retried(change), ...conditional(change)]);
}

const RETRY_STEP = /^\s*-?\s*uses:\s*\S*retry\S*@/;

function retried(change: Change): readonly Signal[] {
  const { side } = change.after;
  return side.lines.flatMap(({ changed, text }, line) => {
    if (!changed || /^\s*(?:#|\/\/)/.test(text)) return [];
    const step = RETRY_STEP.test(text) && !isOfNewStep(change, line) && stepChecks(side, line);
    return step ? [signalAt(change, side, line, line, RETRIED)] : [];
  });
}

function stepChecks(side: Side, line: number): boolean {
  const [from, to] = stepAround(side, line);
  return side.lines
    .slice(from, to + 1)
    .some(({ text }) => /^\s*-?\s*(?:command|run|script)\s*:|^\s*\w/.test(text) && CHECK.test(text));
}

/** The beginning of a condition of a shell or of make. */
const OPENS = /^\s*-?\s*(?:run:\s*)?(?:if|case|ifdef|ifndef|ifeq|ifneq)\b/;
const CLOSES = /^\s*(?:fi|esac|endif)\b/;
const GUARDS = /^(.*(?:\]\]?|\btest\s[^&|]*|\bgrep\s[^&|]*|\}))\s*&&\s*(.*)$/;
/** It asks for a tool or a file, or is itself the check. */
const ASKS_FOR_TOOLS = /\bcommand -v\b|\bwhich\b|\btype\b|\s-[defxrsw]\s|\bhashFiles\b/;

function conditional(change: Change): readonly Signal[] {
  const { before, after } = change;
  const { lines } = after.side;
  const alone = new Set(removedCommands(before.side));
  return lines.flatMap(({ changed, text, hunk }, line) => {
    if (!changed || ASKS_FOR_TOOLS.test(text)) return [];
    const behind = GUARDS.exec(text)?.[2];
    if (behind !== undefined && alone.has(commandIn(behind)))
      return [signalAt(change, after.side, line, line, CONDITIONAL)];
    if (!OPENS.test(text) || CHECK.test(text.replace(/^.*\bthen\b/, ''))) return [];
    const end = lines.findIndex((one, at) => at > line && one.hunk === hunk && CLOSES.test(one.text));
    const inside = lines.slice(line + 1, end < 0 ? line + 1 : end);
    const was = inside.some((one) => (one.changed ? alone.has(commandIn(one.text)) : CHECK.test(one.text)));
    return was && lines[end]?.changed === true ? [signalAt(change, after.side, line, line, CONDITIONAL)] : [];
  });
}
