import type { Reading, Runner } from '../protocol.ts';
import { counts, failuresIn, linesWith, startedAs, sumOf } from '../reading.ts';
import { byFolder } from './canary/rank.ts';
import { recordedText } from './canary/recorded.ts';

/** Reads `5 specs, 1 failure, 1 pending spec`; `Incomplete: …`, after a focus or without specs, exits with 2. */
export const jasmine: Runner = {
  canary: {
    rank: byFolder,
    text: recordedText({
      module: /^jasmine(?:-core)?$/,
      register: ({ imported, local }) => (imported === 'it' ? local : null),
      global: 'it',
      argument: '',
      asserts: 'expect',
      end: '',
    }),
  },
  name: 'jasmine',
  read,
  starts: startedAs('jasmine'),
};

const SUMMARY = /^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?$/;

function read(lines: readonly string[]): Reading | null {
  const summaries = lines.flatMap((line) => {
    const found = SUMMARY.exec(line);
    if (found === null) return [];
    const [all = 0, failed = 0, pending = 0] = found.slice(1).map((one) => Number(one ?? 0));
    return [counts(all - failed - pending, failed, pending)];
  });
  const none = lines.some((line) => /^Incomplete: No specs found/.test(line));
  if (summaries.length === 0 && !none) return null;
  const at = lines.findIndex((line) => /^Failures: *$/.test(line));
  const pending = lines.findIndex((line) => /^Pending: *$/.test(line));
  const end = pending > at ? pending : lines.length;
  return {
    tests: sumOf(summaries),
    ...failuresIn(lines, (line, index) =>
      at < 0 || index < at || index > end ? null : (/^\d+\) (.+)$/.exec(line)?.[1] ?? null),
    ),
    ...(none ? { none } : {}),
    ...(lines.some((line) => /^Incomplete: f(?:it|describe)\(\) /.test(line)) ? { focused: true } : {}),
    at: linesWith(lines, SUMMARY),
  };
}
