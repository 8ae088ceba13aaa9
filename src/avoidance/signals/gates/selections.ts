import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { type Sign, signalAt } from '../sign.ts';

const SELECTED: Sign = {
  category: 'gate_weakening',
  kind: 'tests_selected',
  confidence: 0.8,
  reason: 'Only some of the tests are run',
};

/** What runs tests. */
const RUNNER =
  /\b(?:jest|vitest|mocha|ava|jasmine|playwright test|cypress run|node --test|pytest|py\.test|unittest|rspec|minitest|rails test|phpunit|pest|go test|gotestsum|cargo test|cargo nextest run|gradlew? test|gradle test|mvn test|mvn verify|mvnw test|dotnet test|swift test|xcodebuild test|ctest|bats|mix test|dart test|flutter test)\b/;
/** An option that picks tests by name, place or group. */
const SELECTION =
  /^(?:-t|-g|-k|-e|-run|--grep|--fgrep|--testNamePattern|--test-name-pattern|--testPathPatterns?|--tests?|--filter|--only|--spec|--suite|--group|--testsuite|--example|--name|-R|--tests-regex|--lib|--bins?|--doc)(?:=|$)|^-Dtest=|^-only-testing:|^--findRelatedTests$/;
/** Everything, in the words of a runner. */
const ALL = /^(?:\.\/\.\.\.|\.\.\.|\.|--all|--workspace|--all-targets|--all-features|tests?\/?|spec\/?|run)$/;

/** A file with more changed commands than these isn't one run that became smaller. */
const MOST_COMMANDS = 40;

/** Commands of scripts, CI and recipes that run fewer tests than before. */
export function selectionSignals({ all }: Changes): readonly Signal[] {
  const changes = all.filter(
    ({ role, path }) => role === 'pipeline' || /package\.json$|\.sh$|tox\.ini$/.test(path),
  );
  return changes.flatMap((change) => {
    const old = commandsOf(change, 'before');
    const now = commandsOf(change, 'after');
    if (now.length > MOST_COMMANDS || now.length > old.length) return [];
    const narrowed = now.filter((one) => old.some((other) => isNarrower(one, other)));
    // Several of them are the parts of one run.
    return narrowed.length === 1
      ? narrowed.map(({ line }) => signalAt(change, change.after.side, line, line, SELECTED))
      : [];
  });
}

type Command = { readonly line: number; readonly runner: string; readonly words: readonly string[] };

function commandsOf(change: Change, which: 'before' | 'after'): readonly Command[] {
  return change[which].side.lines.flatMap(({ text, changed }, line) => {
    if (!changed || /^\s*(?:#|\/\/)/.test(text)) return [];
    return text.split(/&&|\|\||;/).flatMap((part) => {
      const runner = RUNNER.exec(part);
      if (runner === null) return [];
      const rest = part.slice(runner.index + runner[0].length).replace(/["',]+\s*$/, '');
      return [{ line, runner: runner[0], words: rest.split(/\s+/).filter((word) => word !== '') }];
    });
  });
}

/** All that was asked for before, and something that picks. */
function isNarrower(now: Command, old: Command): boolean {
  if (now.runner !== old.runner) return false;
  const before = old.words.filter((word) => !ALL.test(word));
  if (old.words.some((word) => SELECTION.test(word)) || before.some((word) => !now.words.includes(word)))
    return false;
  return now.words.some(
    (word, index) =>
      !old.words.includes(word) &&
      (SELECTION.test(word) || (isPlace(word) && !/^-/.test(now.words[index - 1] ?? ''))),
  );
}

/** A file, folder or package. */
function isPlace(word: string): boolean {
  return !ALL.test(word) && /^[\w@.][\w@./*-]*$/.test(word) && /[/.]/.test(word);
}
