import { isObject } from '../../lib/is-object.ts';
import { counts } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

type Ended = { readonly name: string; readonly result: string };

/** `go test`, with `-v` or without, and `-json`. Leaves count: a test with subtests only sums them up. */
export const goTest: Runner = { name: 'go', read };

function read(text: string, whole: boolean): Reading | null {
  const lines = text.split('\n');
  const json = lines.filter((line) => line.startsWith('{') && line.includes('"Action"'));
  return json.length > 0 ? goJson(json, whole) : goText(lines, whole);
}

function goText(lines: readonly string[], whole: boolean): Reading | null {
  const ended: Ended[] = [];
  let from = 0;
  let packages = 0;
  for (const line of lines) {
    const test = /^ *--- (PASS|FAIL|SKIP): (\S+)/.exec(line);
    if (test?.[1] !== undefined && test[2] !== undefined)
      ended.push({ name: test[2], result: test[1].toLowerCase() });
    const of = /^(?:ok {2}|FAIL|\?? {3})\t(\S+)(?:\t|\s|$)/.exec(line)?.[1];
    if (of === undefined) continue;
    packages += 1;
    for (const [index, one] of ended.entries())
      if (index >= from) ended[index] = { ...one, name: `${of}.${one.name}` };
    if (/^FAIL\t.*\[(?:build|setup) failed\]/.test(line)) ended.push({ name: of, result: 'fail' });
    from = ended.length;
  }
  if (packages === 0) return null;
  // Without -v passing tests aren't named.
  const counted = whole && ended.some(({ result }) => result === 'pass');
  return readOf(ended, counted);
}

function goJson(lines: readonly string[], whole: boolean): Reading | null {
  const ended = lines.flatMap((line): Ended[] => {
    const { Action, Package, Test } = parsed(line);
    if (typeof Action !== 'string' || typeof Package !== 'string' || typeof Test !== 'string') return [];
    return ['pass', 'fail', 'skip'].includes(Action) ? [{ name: `${Package}.${Test}`, result: Action }] : [];
  });
  return readOf(ended, whole);
}

function readOf(ended: readonly Ended[], counted: boolean): Reading | null {
  const parents = new Set(ended.flatMap(({ name }) => ancestors(name)));
  const leaves = [...new Map(ended.map((one) => [one.name, one])).values()].filter(
    ({ name }) => !parents.has(name),
  );
  const failing = leaves.filter(({ result }) => result === 'fail').map(({ name }) => name);
  const number = (wanted: string) => leaves.filter(({ result }) => result === wanted).length;
  const passing = leaves.filter(({ result }) => result === 'pass').map(({ name }) => name);
  return { tests: counted ? counts(number('pass'), failing.length, number('skip')) : null, failing, passing };
}

/** `p.TestX/a/b` → `p.TestX/a`, `p.TestX`: from the last dot on, as packages have slashes as well. */
function ancestors(name: string): string[] {
  const found: string[] = [];
  const test = name.search(/\.(?:Test|Fuzz|Example|Benchmark)/);
  for (let at = name.lastIndexOf('/'); at > Math.max(test, 0); at = name.lastIndexOf('/', at - 1))
    found.push(name.slice(0, at));
  return found;
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What the tests printed, of `-json`. */
export function outputOfGoJson(text: string): string {
  if (!text.includes('"Action"')) return text;
  return text
    .split('\n')
    .map((line) => {
      const { Output } = line.startsWith('{') ? parsed(line) : {};
      return typeof Output === 'string' ? Output.trimEnd() : line;
    })
    .join('\n');
}
