import { javaCanary } from '../java/canary.ts';
import type { Reading, Runner } from '../protocol.ts';
import { counts, namesIn, startedAs, sumOf } from '../reading.ts';
import { isFile } from './tap-points.ts';
import { tagsIn } from './xml.ts';

/** Reads each `testcase` of any JUnit XML, not the suites' sums; also the output of Maven and Gradle. */
export const junit: Runner = {
  canary: javaCanary,
  writtenByMany: true,
  starts: startedAs(
    String.raw`(?:mvnw?|mvnd|gradlew?)\b[^;&|\n]*\s(?:\S*:)?(?:test|check|build|verify|install|package)`,
  ),
  name: 'junit',
  isDistinct: true,
  read,
};

const TAG = /<testsuites?(?:[\s/>]|$)/;
/** The report begins its line; elsewhere the tag is only mentioned. */
const REPORT = /^\s*(?:<\?xml[^>]*>\s*)?<testsuites?[\s/>]/m;

function read(lines: readonly string[]): Reading | null {
  const text = lines.some((line) => TAG.test(line)) ? lines.join('\n') : '';
  if (!REPORT.test(text)) return printed(lines);
  let skipped = 0;
  const failing: string[] = [];
  const passing: string[] = [];
  let current: { readonly name: string; result: 'passed' | 'failed' | 'skipped' } | null = null;
  const end = () => {
    if (current?.result === 'failed') failing.push(current.name);
    else if (current?.result === 'skipped') skipped += 1;
    else if (current !== null) passing.push(current.name);
    current = null;
  };
  for (const { name, kind, attributes } of tagsIn(text)) {
    if (name === 'testcase') {
      end();
      if (kind !== 'close') current = { name: nameOf(attributes), result: 'passed' };
      if (kind === 'empty') end();
    } else if (current !== null && kind !== 'close') {
      if (name === 'failure' || name === 'error') current.result = 'failed';
      if (name === 'skipped' && current.result === 'passed') current.result = 'skipped';
    }
  }
  end();
  const files = failing.filter(isFile);
  const failed = failing.filter((name) => !isFile(name));
  return {
    tests: counts(passing.length, failed.length, skipped),
    failing: [...new Set(failed)],
    passing,
    ...(files.length === 0 ? {} : { notLoaded: files }),
  };
}

function nameOf({ classname = '', name = '' }: Readonly<Record<string, string>>): string {
  return classname === '' || name.startsWith(classname) ? name : `${classname} > ${name}`;
}

/** Maven: `Tests run: 4, Failures: 1, Errors: 1, Skipped: 1` per module; Gradle: `4 tests completed, 1 failed`. */
function printed(lines: readonly string[]): Reading | null {
  const summaries = lines.flatMap((line) => {
    const maven = /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$/.exec(
      line,
    );
    const gradle = /^(\d+) tests? completed, (\d+) failed()(?:, (\d+) skipped)?$/.exec(line);
    const found = maven ?? gradle;
    if (found === null) return [];
    const [run = 0, failures = 0, errors = 0, skipped = 0] = found.slice(1).map((one) => Number(one ?? 0));
    const failed = failures + errors;
    return [counts(run - failed - skipped, failed, skipped)];
  });
  if (summaries.length === 0) return null;
  const failing = namesIn(
    lines,
    /^(?:\[ERROR\] +)?((?!Tests run:)\S.*?)(?: +(?:-- )?Time elapsed: .* <<< (?:FAILURE|ERROR)!| FAILED)\s*$/,
  );
  return { tests: sumOf(summaries), failing: failing.filter((name) => !name.startsWith('> ')) };
}
