import type { Reading } from '../protocol.ts';

/**
 * Reads the tests of cmocka and GoogleTest: `[ RUN      ] name`, the test's output, then `[       OK ] name` or
 * `[  FAILED  ] name`.
 * @param placeOf Returns the place named in a line, else `null`.
 */
export function bracketed(
  lines: readonly string[],
  placeOf: (line: string) => string | null,
): Required<Pick<Reading, 'failing' | 'places'>> & { readonly passing: string[] } {
  const passing: string[] = [];
  const failed: { test: string; place: string | null }[] = [];
  let place: string | null = null;
  for (const line of lines) {
    const [, kind, name = ''] =
      /^\[ *(RUN|OK|FAILED|SKIPPED) *\] (.+?)(?:, where .*?)?(?: \(\d+ ms\))?$/.exec(line) ?? [];
    if (kind === undefined) place ??= placeOf(line);
    else if (kind === 'RUN') place = null;
    else if (kind === 'OK') passing.push(name);
    else if (kind === 'FAILED' && !/^\d+ test/.test(name)) failed.push({ test: name, place });
    if (kind === 'FAILED') place = null;
  }
  const failing = [...new Set(failed.map(({ test }) => test))];
  const places = failing.flatMap((test) => {
    const found = failed.find((one) => one.test === test && one.place !== null)?.place;
    return found === undefined || found === null ? [] : [{ test, place: found }];
  });
  return { failing, passing, places };
}
