import { counts, namesIn, sumOf } from '../reading.ts';
import type { Reading, Runner } from '../runner.ts';

/** `Ran 5 tests in 0.001s`, `FAILED (failures=1, errors=1, skipped=1)`, `FAIL: test_x (module.Case)`. */
export const unittest: Runner = { name: 'unittest', read };

function read(text: string): Reading | null {
  const lines = text.split('\n');
  const summaries = lines.flatMap((line, index) => {
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(line)?.[1];
    if (ran === undefined) return [];
    const result = lines.slice(index + 1, index + 4).find((one) => /^(?:OK|FAILED)\b/.test(one)) ?? '';
    const count = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`).exec(result)?.[1] ?? 0);
    const failed = count('failures') + count('errors') + count('unexpected successes');
    const skipped = count('skipped') + count('expected failures');
    return [counts(Math.max(0, Number(ran) - failed - skipped), failed, skipped)];
  });
  if (summaries.length === 0) return null;
  return { tests: sumOf(summaries), failing: namesIn(lines, /^(?:FAIL|ERROR): (\S+(?: \(.*?\))?)/) };
}
