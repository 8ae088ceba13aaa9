import { isObject } from '../../lib/is-object.ts';
import { counts } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';
import { jsonIn, records } from './jest-report.ts';

/** `  3 passing (5ms)`, `  1 failing` and the numbered list below it; or `--reporter json`. */
export const mocha: Runner = { name: 'mocha', read };

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const sum = (word: string) => {
    const found = lines.flatMap(
      (line) => new RegExp(`^ +(\\d+) ${word}(?: \\(.*\\))?$`).exec(line)?.[1] ?? [],
    );
    return found.length === 0 ? null : found.reduce((all, one) => all + Number(one), 0);
  };
  const passing = sum('passing');
  if (passing === null) return mochaJson(text);
  const at = lines.findIndex((line) => /^ +\d+ failing$/.test(line));
  return {
    tests: counts(passing, sum('failing') ?? 0, sum('pending') ?? 0),
    failing: at < 0 ? [] : numberedNames(lines.slice(at + 1)),
    passing: lines.flatMap((line) => /^ +[✔✓] (.+?)(?: \(\d+ms\))?$/.exec(line)?.[1] ?? []),
  };
}

/** `  1) suite`, then the rest of the name on lines of their own, the last with a colon. */
function numberedNames(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const first = /^ +\d+\) (.+)$/.exec(line)?.[1];
    if (first === undefined) return [];
    const parts = [first];
    for (const part of lines.slice(index + 1, index + 12)) {
      if (parts.at(-1)?.endsWith(':') || !/^ {4,}\S/.test(part)) break;
      parts.push(part.trim());
    }
    return [parts.join(' ').replace(/:$/, '')];
  });
}

function mochaJson(text: string): Reading | null {
  const report = jsonIn(text, '"stats"');
  if (report === null || !isObject(report.stats)) return null;
  const { passes, failures, pending } = report.stats;
  if (typeof passes !== 'number' || typeof failures !== 'number') return null;
  const failing = records(report.failures).flatMap(({ fullTitle }) =>
    typeof fullTitle === 'string' ? [fullTitle] : [],
  );
  return { tests: counts(passes, failures, typeof pending === 'number' ? pending : 0), failing };
}
