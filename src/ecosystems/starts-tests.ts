import { RUNNERS } from './runners.ts';

/** Managers of packages, builds and environments that are asked for tests, whatever runs them. */
const ASKED =
  /(?:^|[\s;&|(])(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+|-\S+\s+)*(?:test\b|t(?:\s|$))|deno\s+task\s+test\b|cypress\s+run\b|tox\b|nox\b|rake\b[^;&|\n]*\btest\b|dotnet\s+test\b|make\b[^;&|\n]*\b(?:test|check)\b|just\b[^;&|\n]*\btest|swift\s+test\b|sbt\s+test\b|bazel\s+test\b)/;

/** Where in a command line its tests are started, as an index; -1: it runs none. */
export function testsStartAt(command: string): number {
  const patterns = [ASKED, ...RUNNERS.flatMap(({ starts }) => starts ?? [])];
  const found = patterns.map((pattern) => pattern.exec(command)?.index ?? -1).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Whether a command line runs tests, whatever the language. */
export function startsTests(command: string): boolean {
  return testsStartAt(command) >= 0;
}
