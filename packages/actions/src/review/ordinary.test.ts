import { describe, expect, it } from 'vitest';
import { sessionCommands } from '../../../../scripts/review-corpus.mjs';
import { commandRuling, PLACE } from '../../../../test/helpers/review-place.ts';

/** Commands that coding agents run all day. */
const ORDINARY = sessionCommands();

describe('ordinary commands', () => {
  it('are many', () => expect(ORDINARY.length).toBeGreaterThan(300));
  it.each(ORDINARY)('passes %s', (command) => expect(commandRuling(command)).toBe('allow'));
  it.each(ORDINARY)('never waits: %s', (command) =>
    expect(commandRuling(command, { ...PLACE, unseenInput: true })).toBe('allow'),
  );
});
