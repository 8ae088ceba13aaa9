import type { Reading, Runner } from '../protocol.ts';
import { counts, placesBelow, startedAs } from '../reading.ts';
import { linesOf, streamsOf } from '../reports/tap-points.ts';
import { byFolder } from './canary/rank.ts';
import { recordedText } from './canary/recorded.ts';

/** Reads TAP of files around tests around assertions; `# { total: 5, pass: 3, fail: 1, skip: 1 }` counts the last. */
export const nodeTap: Runner = {
  canary: {
    rank: byFolder,
    text: recordedText({
      module: /^tap$/,
      register: ({ imported, local }) =>
        imported === 'test' ? local : imported === 'default' || imported === '*' ? `${local}.test` : null,
      global: null,
      argument: 't',
      asserts: 't',
      end: 't.end()',
    }),
  },
  name: 'node-tap',
  read,
  starts: startedAs('tap'),
};

const POINT = /^( *)(ok|not ok) \d+ - (.+?)(?: # time=[\d.]+m?s)?( # (?:SKIP|TODO).*)?$/;

function read(all: readonly string[], whole: boolean): Reading | null {
  if (all.includes('No test files found')) return { tests: null, failing: [], none: true };
  const streams = streamsOf(all, /^# \{ total: \d+/);
  if (streams.length === 0) return null;
  const lines = streams.flatMap((stream) => stream.lines);
  const tests = testsIn(lines);
  const named = (wanted: Result) => tests.filter(({ result }) => result === wanted);
  const [passed, failed, skipped] = [named('passed'), named('failed'), named('skipped')];
  const notLoaded = named('not loaded').map(({ name }) => name);
  return {
    tests: whole ? counts(passed.length, failed.length, skipped.length) : null,
    failing: [...new Set(failed.map(({ name }) => name))],
    passing: passed.map(({ name }) => name),
    places: failed.flatMap(({ from, name }) => placesBelow(lines, [{ index: from, test: name }])),
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
    at: linesOf(streams),
  };
}

type Result = 'passed' | 'failed' | 'skipped' | 'not loaded';
type Found = { readonly name: string; readonly result: Result; readonly from: number };
type Open = { readonly name: string; readonly from: number; inner: number; points: number };

/** Returns innermost subtests and skipped ones, which have no points. A failing file without tests wasn't loaded. */
function testsIn(lines: readonly string[]): Found[] {
  const found: Found[] = [];
  const open: Open[] = [];
  for (const [index, line] of lines.entries()) {
    const subtest = /^ *# Subtest: (.+)$/.exec(line)?.[1];
    if (subtest !== undefined) open.push({ name: subtest, from: index, inner: 0, points: 0 });
    const [, , result, name = '', skip] = POINT.exec(line) ?? [];
    if (result === undefined) continue;
    const ended = open.at(-1)?.name === name ? open.pop() : undefined;
    const isFile = ended !== undefined && open.length === 0;
    const parent = open.at(-1);
    if (parent !== undefined) parent.points += 1;
    if (ended === undefined && skip === undefined) continue;
    if (ended !== undefined && ended.inner > 0) {
      if (parent !== undefined) parent.inner += 1;
      continue;
    }
    if (parent !== undefined) parent.inner += 1;
    const from = ended?.from ?? index;
    if (isFile && ended.points === 0) {
      if (result === 'not ok') found.push({ name, result: 'not loaded', from });
    } else if (skip !== undefined) found.push({ name, result: 'skipped', from });
    else found.push({ name, result: result === 'ok' ? 'passed' : 'failed', from });
  }
  return found;
}
