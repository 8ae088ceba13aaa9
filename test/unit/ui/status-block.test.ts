import { describe, expect, it } from 'vitest';
import { withoutStatusBlock } from '../../../src/io/ui/agent-words.ts';

const BLOCK =
  'RALPH_STATUS\nTASK: T-1\nSTATUS: DONE\nEXIT_SIGNAL: true\nEVIDENCE:\n- a.ts:1 it\nEND_RALPH_STATUS';

describe('what an agent said, for people', () => {
  it.each([
    ['the block alone', BLOCK, ''],
    ['words before and behind it', `I did it.\n\n${BLOCK}\nBye.`, 'I did it.\n\nBye.'],
    ['in bold', `Done.\n**RALPH_STATUS**\nSTATUS: DONE\n**END_RALPH_STATUS**`, 'Done.'],
    ['without its end', 'RALPH_STATUS\nSTATUS: DONE\nNow I go on.', 'Now I go on.'],
    ['a mention of it', 'I print RALPH_STATUS at the end.', 'I print RALPH_STATUS at the end.'],
  ])('%s', (_, text, expected) => {
    expect(withoutStatusBlock(text)).toBe(expected);
  });
});
