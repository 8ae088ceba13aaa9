import { describe, expect, it } from 'vitest';
import { ENTRY_TYPES } from '../../../src/domain/entry.ts';
import { JOURNAL_TYPES } from '../../../src/domain/records/journal.ts';

/** Past participles that don't end in -ed, and what may stand behind one. */
const PAST = /(?:ed|lost|seen|sent|taken|told)(?:_(?:aside|up|out|apart))?$|_set_aside$/;

describe('what may happen', () => {
  it('has at most sixty names, each for one thing', () => {
    expect(ENTRY_TYPES.length).toBeLessThanOrEqual(60);
    expect(new Set(ENTRY_TYPES).size).toBe(ENTRY_TYPES.length);
  });

  it('is named in the past tense', () => {
    expect(ENTRY_TYPES.filter((type) => !PAST.test(type))).toEqual([]);
  });

  it('is kept, or passes', () => {
    const passing = ENTRY_TYPES.slice(JOURNAL_TYPES.length);
    expect(ENTRY_TYPES.slice(0, JOURNAL_TYPES.length)).toEqual(JOURNAL_TYPES);
    expect(passing).toContain('agent_reported');
    expect(passing).not.toContain('iteration_finished');
  });
});
