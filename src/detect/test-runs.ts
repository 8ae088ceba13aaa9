import type { Observed } from '../domain/observed.ts';

export type TestRun = {
  /** As it was called, short. */
  readonly command: string;
  /** `null`: the result does not tell. */
  readonly passed: boolean | null;
};

const RUNNERS =
  /(?:^|[\s;&|(])(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+|-s\s+|--silent\s+)*(?:test|t)\b|(?:npx\s+|pnpm\s+exec\s+|yarn\s+|bunx\s+)?(?:vitest|jest|mocha|ava|tap)\b|node\s+--test\b|deno\s+test\b|bun\s+test\b|(?:python3?\s+-m\s+|uv\s+run\s+|poetry\s+run\s+)?pytest\b|python3?\s+-m\s+unittest\b|tox\b|nox\b|go\s+test\b|cargo\s+(?:nextest\s+run|test)\b|(?:bundle\s+exec\s+)?rspec\b|rake\s+test\b|phpunit\b|dotnet\s+test\b|ctest\b|(?:\.\/)?(?:gradlew?|mvnw?)\s+(?:\S+\s+)*test\b|make\s+(?:test|check)\b|mix\s+test\b|swift\s+test\b)/;
/** `--help`, `--list`, a count alone: no test is run. */
const NO_RUN = /\s(?:--help|--version|--list(?:Tests)?|--collect-only|--watch)\b/;
/** Another command follows, and its end is what is told. */
const FOLLOWED = /(?:\|\|?|&&|;|\n)\s*\S/;
/** What runners say of failed tests at the end of their output. */
const SAYS_FAILED = [
  /(?:^|[\s,(|:])[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|\bfail(?:ed|ures)?[:=]? ?[1-9]/im,
  /\btest result: FAILED|^--- FAIL|^FAIL\s|^FAILED\b/m,
];

/** The newest run of tests among the recorded results; `null`: none is on record. */
export function newestTestRun(results: Observed['results']): TestRun | null {
  const run = results.findLast(({ command }) => RUNNERS.test(command) && !NO_RUN.test(command));
  if (run === undefined) return null;
  const { command, ok, tail } = run;
  const behind = command.slice((RUNNERS.exec(command)?.index ?? 0) + 1);
  // A command that was cut may go on.
  const told = !FOLLOWED.test(behind) && !command.endsWith('…');
  const passed = SAYS_FAILED.some((pattern) => pattern.test(tail)) ? false : told ? ok : null;
  return { command: command.slice(0, 100), passed };
}
