const TESTS = /^#\[cfg\(test\)\]\s*\n(?:#\[[^\n]*\]\s*\n)*\s*(?:pub )?mod /m;

/**
 * Returns a Rust file with the code of one version and the tests of another; `null` if the latter has none.
 * @param code Text with the code.
 * @param tests Text with the tests.
 */
export function withTestsOf(code: string, tests: string): string | null {
  const [codeAt, testsAt] = [TESTS.exec(code)?.index, TESTS.exec(tests)?.index];
  if (testsAt === undefined) return null;
  return `${code.slice(0, codeAt ?? code.length).trimEnd()}\n\n${tests.slice(testsAt)}`;
}

export function inlineTests(text: string): string {
  const at = TESTS.exec(text)?.index;
  return at === undefined ? '' : text.slice(at);
}
