import type { Reading, Runner } from '../protocol.ts';
import { counts, linesWith, sumOf } from '../reading.ts';
import { tagsIn } from '../reports/xml.ts';

/**
 * Reads its own XML, `<NumberOfRunTests>5</NumberOfRunTests>`, where ignored tests count as run, or plain text:
 * `Number of run tests: 6`. A class without tests counts as a failure.
 */
export const fpcunit: Runner = { name: 'fpcunit', isDistinct: true, read };

const NUMBER =
  /^ *(?:<NumberOf(RunTests|Errors|Failures|IgnoredTests)>(\d+)<\/NumberOf\w+>|Number of (run tests|errors|failures): +(\d+))$/;
const PLAIN = /^ Time:\S+ N:\d+ E:\d+ F:\d+ I:(\d+)$/;
const EMPTY = /^ *(?:<Message>|Message: +)\S+\.: No valid tests found in /;

function read(lines: readonly string[]): Reading | null {
  const at = linesWith(lines, NUMBER);
  const number = (...names: string[]) =>
    at.flatMap((index) => {
      const [, xml, inXml, plain, inPlain] = NUMBER.exec(lines[index] ?? '') ?? [];
      return names.includes(xml ?? plain ?? '') ? [Number(inXml ?? inPlain)] : [];
    });
  const runs = number('RunTests', 'run tests');
  if (runs.length === 0) return null;
  const plainIgnored = lines.flatMap((line) => PLAIN.exec(line)?.[1] ?? []).map(Number);
  const ignored = number('IgnoredTests').length > 0 ? number('IgnoredTests') : plainIgnored;
  const [errors, failures] = [number('Errors', 'errors'), number('Failures', 'failures')];
  const empty = linesWith(lines, EMPTY).length;
  const sums = runs.map((run, index) => {
    const failed = (errors[index] ?? 0) + (failures[index] ?? 0);
    const skipped = ignored[index] ?? 0;
    return counts(run - failed - skipped, failed, skipped);
  });
  const all = sumOf(sums);
  const tests = all === null ? null : counts(all.passed, Math.max(0, all.failed - empty), all.skipped);
  return {
    tests,
    ...named(lines),
    at,
  };
}

function named(lines: readonly string[]): Pick<Reading, 'failing' | 'passing'> {
  const suites: string[] = [];
  const found: { name: string; result: string }[] = [];
  for (const { name, kind, attributes } of tagsIn(lines.join('\n'))) {
    if (name === 'TestSuite' && kind === 'open') suites.push(attributes.Name ?? '');
    else if (name === 'TestSuite' && kind === 'close') suites.pop();
    else if (name === 'Test' && kind !== 'close')
      found.push({ name: `${suites.at(-1)}.${attributes.Name}`, result: attributes.Result ?? '' });
  }
  const plain = lines.flatMap((line, index) =>
    /^ {2}(?:Error|Failure): $/.test(line)
      ? (/^ {4}Message: +(\S+\.\S+?): /.exec(lines[index + 1] ?? '')?.[1] ?? [])
      : [],
  );
  const failed = found
    .filter(({ result }) => result === 'Failed' || result === 'Error')
    .map(({ name }) => name);
  return {
    failing: [...new Set([...failed, ...plain])].filter((name) => !name.endsWith('.')),
    passing: found.filter(({ result }) => result === 'OK').map(({ name }) => name),
  };
}
