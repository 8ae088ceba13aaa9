import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reviewDiff } from './index.ts';

type Form = { readonly what: string; readonly dropped: boolean; readonly diff: string };

/** By language: how an error that was passed on is dropped, and how one is handled. */
const FORMS = readFileSync(join(import.meta.dirname, 'error-forms.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Form => JSON.parse(line));

describe('an error', () => {
  it.each(FORMS)('in $what', ({ dropped, diff }) => {
    expect(reviewDiff({ patch: diff }).findings.length > 0).toBe(dropped);
  });

  it('that is dropped in a form that several detectors know is one finding', () => {
    const [before, after] = ['const a = await get(id);\n', 'const a = await get(id).catch(() => []);\n'];
    const { findings } = reviewDiff({ files: [{ path: 'src/a.ts', before, after }] });
    expect(findings.map(({ line }) => line)).toEqual([1]);
  });
});
