/** Where the tests of a Rust file begin. */
const TESTS = /^#\[cfg\(test\)\]\s*\n(?:#\[[^\n]*\]\s*\n)*\s*(?:pub )?mod /m;

/**
 * A Rust file with the code of one version and the tests of another; `null` where one of them has no tests of its own.
 *
 * @param code Text of the version with the code; `tests`: of the one with the tests.
 */
export function withTestsOf(code: string, tests: string): string | null {
  const [codeAt, testsAt] = [TESTS.exec(code)?.index, TESTS.exec(tests)?.index];
  if (testsAt === undefined) return null;
  return `${code.slice(0, codeAt ?? code.length).trimEnd()}\n\n${tests.slice(testsAt)}`;
}

/** The tests in a Rust file; empty: it has none. */
export function inlineTests(text: string): string {
  const at = TESTS.exec(text)?.index;
  return at === undefined ? '' : text.slice(at);
}
