import { counts, namesIn, numbersBefore, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

/** `5 examples, 1 failure, 1 pending` and `rspec ./a_spec.rb:3 # suite name`; the documentation format names all. */
export const rspec: Runner = { name: 'rspec', read };

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line) => {
    const summary = /^(\d+ examples?, \d+ failures?(?:, \d+ .*)?)$/.exec(line)?.[1];
    if (summary === undefined) return [];
    // An error outside of examples is a file that can't be loaded.
    const { example = 0, failure = 0, pending = 0, error = 0, ...many } = numbersBefore(summary);
    const { examples = 0, failures = 0, errors = 0 } = many;
    const failed = failure + failures;
    return [counts(example + examples - failed - pending, failed + error + errors, pending)];
  });
  if (summaries.length === 0) return null;
  const failing = namesIn(lines, /^(?:rspec \S+ # (?=\S)|An error occurred while loading )(.+?)\.?$/);
  return { tests: sumOf(summaries), failing, passing: documented(lines) };
}

/** An example is a line with no deeper one below it, and its groups are above. */
function documented(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => /^(?:Pending:|Failures:|Finished in )/.test(line));
  const named = lines.slice(0, Math.max(0, end)).filter((line) => /\S/.test(line));
  const groups: string[] = [];
  return named.flatMap((line, index) => {
    const depth = depthOf(line);
    groups.splice(depth, groups.length, line.trim());
    const isExample = depth > 0 && depthOf(named[index + 1] ?? '') <= depth;
    const passed = isExample && !/ \((?:FAILED - \d+|PENDING: .*)\)$/.test(line);
    return passed ? [groups.join(' ')] : [];
  });
}

function depthOf(line: string): number {
  return (/^ */.exec(line)?.[0].length ?? 0) / 2;
}
