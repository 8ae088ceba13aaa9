import type { Change } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { signalAt } from '../sign.ts';
import { CHECK, REMOVED } from './steps.ts';

/** What calls a tool of the project in a script. */
const CALLS =
  /^(?:npm|npx|pnpm|yarn|bun|deno|node|make|cargo|go|python3?|pytest|tox|nox|uv|poetry|mvn|\.\/mvnw|gradle|\.\/gradlew|bundle|rake|rails|bin\/\w+|composer|vendor\/bin\/\w+|dotnet|mix|flutter|dart|swift|sbt|ctest|bats|shellcheck|eslint|ruff|mypy|golangci-lint)\b/;

/** A script runs a check no more, and nothing else of the diff does. */
export function lostCommands(change: Change, all: readonly Change[]): readonly Signal[] {
  const { before, after, file } = change;
  if (file.newPath === null) return [];
  const hunks = new Set(
    after.side.lines.flatMap(({ changed, text, hunk }) => (changed && CHECK.test(text) ? [hunk] : [])),
  );
  const line = before.side.lines.findIndex(({ changed, text, hunk }) => {
    const command = text.trim();
    return changed && CALLS.test(command) && CHECK.test(command) && !hunks.has(hunk) && !isRun(command, all);
  });
  return line < 0 ? [] : [signalAt(change, before.side, line, line, REMOVED)];
}

function isRun(command: string, all: readonly Change[]): boolean {
  return all.some(
    ({ after, role }) => role !== 'other' && after.side.lines.some(({ text }) => text.includes(command)),
  );
}

/** A script that ran several commands runs some of them now, and a check isn't among these. */
export function lostParts(change: Change, all: readonly Change[]): readonly Signal[] {
  const { before, after } = change;
  const partsOf = (text: string): readonly [name: string, parts: readonly string[]] | null => {
    const [, name, command] = /^\s*"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
    return name === undefined || command === undefined
      ? null
      : [name, command.split(/&&|;/).map((part) => part.trim())];
  };
  const now = new Map(
    after.side.lines.flatMap(({ changed, text }) => {
      const script = changed ? partsOf(text) : null;
      return script === null ? [] : [script];
    }),
  );
  return before.side.lines.flatMap(({ changed, text }, line) => {
    const [name, parts] = (changed ? partsOf(text) : null) ?? ['', []];
    const kept = now.get(name);
    if (kept === undefined || kept.length === 0 || !kept.every((part) => parts.includes(part))) return [];
    const lost = parts.filter((part) => !kept.includes(part) && CHECK.test(part));
    const elsewhere = (part: string) =>
      all.some(
        ({ role, after: { side } }) =>
          role !== 'other' &&
          side.lines.some((one) => one.changed && one.text !== text && one.text.includes(part)),
      );
    return lost.some((part) => !elsewhere(part)) ? [signalAt(change, before.side, line, line, REMOVED)] : [];
  });
}
