import { RUNNERS } from './runners.ts';

/** Package managers, build tools and environments with a command for tests. */
const ASKED =
  /(?:^|[\s;&|(])(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+|-\S+\s+)*(?:test\b|t(?:\s|$))|deno\s+task\s+test\b|cypress\s+run\b|tox\b|nox\b|rake\b[^;&|\n]*\btest\b|dotnet\s+test\b|make\b[^;&|\n]*\b(?:test|check)\b|just\b[^;&|\n]*\btest|swift\s+test\b|sbt\s+test\b|bazel\s+test\b)/;

/** Returns the index at which tests are started in a command line; -1: nowhere. */
export function testsStartAt(command: string): number {
  const patterns = [ASKED, ...RUNNERS.flatMap(({ starts }) => starts ?? [])];
  const found = patterns.map((pattern) => pattern.exec(command)?.index ?? -1).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

export function startsTests(command: string): boolean {
  return testsStartAt(command) >= 0;
}
