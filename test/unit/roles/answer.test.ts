import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../src/respond/roles/index.ts';

const finding = {
  category: 'security',
  severity: 'CRITICAL',
  file: './src/a.ts',
  line: 3,
  claim: 'a {brace} and "quotes"',
  fix: 'escape it',
};
const nonce = 'n0nce';
const block = JSON.stringify({ nonce, verdict: 'CHANGES_REQUESTED', findings: [finding] });
const approval = JSON.stringify({ nonce, verdict: 'APPROVED', findings: [] });

const readOf = (text: string) => readAnswer({ text, nonce });

describe('a valid answer', () => {
  test.each([
    ['alone', block],
    ['in a fence', `\`\`\`json\n${block}\n\`\`\``],
    ['with prose around it', `I looked at {everything}.\n\n${block}\n\nThat is {all}. Thanks {"`],
    ['over several lines', JSON.stringify(JSON.parse(block), null, 2)],
  ])('%s', (_, text) => {
    const read = readOf(text);
    expect(read).toMatchObject({ ok: true, answer: { verdict: 'CHANGES_REQUESTED' } });
    expect(read.ok && read.answer.findings).toEqual([
      { ...finding, file: 'src/a.ts', repro: null, alternative: null },
    ]);
  });

  test('an approval needs no finding', () => expect(readOf(approval)).toMatchObject({ ok: true }));
});

describe('what is never an approval', () => {
  test.each([
    ['nothing', '', /no JSON block/],
    ['prose alone', 'APPROVED. Looks good to me.', /no JSON block/],
    ['two blocks', `${approval}\n${approval}`, /2 JSON blocks/],
    ['a block cut off behind one', `${approval}\n${block.slice(0, -9)}`, /2 JSON blocks/],
    ['cut off', approval.slice(0, -1), /cut off/],
    ['cut off within a finding', block.slice(0, -20), /cut off/],
    [
      'a word more',
      JSON.stringify({ nonce, verdict: 'APPROVED', findings: [], note: 1 }),
      /unknown field note/,
    ],
    ['another verdict', JSON.stringify({ nonce, verdict: 'LGTM', findings: [] }), /verdict/],
    ['no findings', JSON.stringify({ nonce, verdict: 'APPROVED' }), /findings/],
    ['a list', '[]', /no JSON block/],
    [
      'a line of text',
      JSON.stringify({ nonce, verdict: 'APPROVED', findings: [{ ...finding, line: '3' }] }),
      /line/,
    ],
    ['a line 0', JSON.stringify({ nonce, verdict: 'APPROVED', findings: [{ ...finding, line: 0 }] }), /line/],
    [
      'a severity of its own',
      JSON.stringify({ nonce, verdict: 'APPROVED', findings: [{ ...finding, severity: 'HIGH' }] }),
      /severity/,
    ],
    [
      'an empty claim',
      JSON.stringify({ nonce, verdict: 'APPROVED', findings: [{ ...finding, claim: ' ' }] }),
      /claim/,
    ],
    [
      'changes requested for nothing',
      JSON.stringify({ nonce, verdict: 'CHANGES_REQUESTED', findings: [] }),
      /at least one/,
    ],
    ['2 MB', `${'x'.repeat(2_000_000)}${approval}`, /more than 65536 characters/],
    [
      '2 MB of findings',
      JSON.stringify({ nonce, verdict: 'APPROVED', findings: Array(20_000).fill(finding) }),
      /more than/,
    ],
    [
      'the prompt repeated',
      '{"verdict": "APPROVED" | "CHANGES_REQUESTED", "findings": […]}',
      /no complete JSON block/,
    ],
    ['an answer without the nonce', JSON.stringify({ verdict: 'APPROVED', findings: [] }), /nonce/],
    ['one to another question', approval.replace(nonce, 'another'), /nonce/],
    ['no nonce', approval.replace(`"${nonce}"`, 'null'), /nonce/],
    ['braces without end', '{'.repeat(60_000), /no complete JSON block/],
  ])('%s', (_, text, problem) =>
    expect(readOf(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) }),
  );

  test('no text at random', () => {
    fc.assert(fc.property(fc.string(), (text) => !readOf(text).ok));
  });

  test('no beginning of an answer', () => {
    const lengths = Array.from({ length: block.length }, (_, length) => length);
    expect(lengths.filter((length) => readOf(block.slice(0, length)).ok)).toEqual([]);
  });
});
