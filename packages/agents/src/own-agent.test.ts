import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToReport, formatOf, hiddenSettings, hiddenText, messageOf, startReport } from './index.ts';
import { lineReader } from './protocol.ts';

function wordsOf(output: `json:${string}`, ...lines: string[]) {
  const read = lineReader(formatOf(output));
  const events = lines.flatMap((line) => read(line));
  return { texts: events.map((event) => (event.kind === 'text' ? event.text : event.kind)), events };
}

const BLOCK = 'RALPH_STATUS\nTASK: T-1\nSTATUS: DONE\nEXIT_SIGNAL: true\nEND_RALPH_STATUS';

describe('the words of an agent that prints JSON', () => {
  it('are at a path, a message for each line', () => {
    const lines = ['a', `done\n\n${BLOCK}`].map((text) => JSON.stringify({ type: 'say', text }));
    const { texts, events } = wordsOf('json:text', ...lines);
    expect(texts).toEqual(['a', `done\n\n${BLOCK}`]);
    expect(messageOf(events.reduce(addToReport, startReport()))).toContain(BLOCK);
  });

  it('of one document over many lines', () => {
    const text = JSON.stringify({ response: BLOCK, status: 'success' }, null, 2);
    expect(wordsOf('json:response', 'Loading…', ...text.split('\n')).texts).toEqual([BLOCK]);
  });

  it.each([
    [
      'json:message.content.*.text',
      { message: { content: [{ text: 'a' }, { tool: 1 }, { text: 'b' }] } },
      ['a', 'b'],
    ],
    ['json:0.text', [{ text: 'first' }, { text: 'second' }], ['first']],
    ['json:text', { text: 7 }, []],
    ['json:text', { other: 'x' }, []],
    ['json:constructor.name', {}, []],
  ] as const)('%s of %j', (output, line, expected) => {
    expect(wordsOf(output, JSON.stringify(line)).texts).toEqual(expected);
  });

  it('are read from any lines without an error', () => {
    const line = fc.oneof(fc.string(), fc.json(), fc.constantFrom('{', '}', '[', ']]', '{"text":'));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(wordsOf('json:text', ...lines).texts.every((one) => typeof one === 'string')).toBe(true);
      }),
    );
  });
});

describe('settings of an agent of yours that the box hides', () => {
  it.each([
    [
      ['mine', './agent.sh'],
      ['.mine', '.agent'],
    ],
    [
      ['editor', 'cn'],
      ['.editor', '.continue'],
    ],
    [['mine', '/usr/bin/node'], ['.mine']],
  ])('%j keeps them in %j', (names, expected) => {
    const hidden = hiddenSettings(names, () => true, { writable: [], readable: [] }, '/home/me');
    expect(hidden).toEqual(expect.arrayContaining(expected));
    expect(hidden).not.toContain('.node');
  });

  it('are those that are there and that no setting shows', () => {
    const shown = { writable: ['~/.mine/'], readable: ['/home/me/.config'] };
    const isThere = (path: string) => path !== '/home/me/.local/state/mine';
    expect(hiddenSettings(['mine'], isThere, shown, '/home/me')).toEqual(['.local/share/mine']);
  });

  it('are named with the line that shows them', () => {
    expect(hiddenText(['.mine'])).toBe(
      'The box hides ~/.mine, where it may keep its settings. Add to .ralph/ralph.toml: [box] writable = ["~/.mine"]',
    );
  });
});
