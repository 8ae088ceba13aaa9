import { describe, expect, it } from 'vitest';
import { doubtsOf } from '../../../src/decide/index.ts';
import { Receipt, type ReceiptPredicate, receiptOf } from '../../../src/domain/receipt.ts';

const id = (letter: string) => letter.repeat(40);
const BASE = { gitCommit: id('a'), gitTree: id('b') };
const HEAD = { gitCommit: id('c'), gitTree: id('d') };
const NOW = Date.parse('2026-01-03T03:04:05.000Z');
const SEEN = { head: id('d'), base: id('b'), isBefore: true, isWhole: true, expected: null, now: NOW };
const GATE = {
  ...{ name: 'test', run: 'npm test', before: null, after: 'failed', standing: 'regression', counts: true },
  ...{ tests: null, outputSha256: null },
};
const PASSED = { ...GATE, before: 'failed', after: 'passed', standing: 'fixed', counts: false };
const FINDING = { rule: 'gates', level: 'error', text: 'red', path: null, line: null } as const;

function receipt(changes: Partial<ReceiptPredicate> = {}) {
  return receiptOf(HEAD, {
    ...{ ralph: '0.1.0', issuedAt: '2026-01-02T03:04:05.000Z', base: BASE, mutants: null },
    ...{ askedFor: { title: '', acceptance: [], checks: [] }, gates: [PASSED], findings: [] },
    ...{ verdict: 'verified', grade: 'tests' },
    ...changes,
  });
}

describe('a receipt', () => {
  it('is what its schema says', () => {
    expect(Receipt.parse(receipt({ gates: [GATE], findings: [FINDING] }))).toBeTruthy();
    expect(Receipt.safeParse({ ...receipt(), _type: 'https://in-toto.io/Statement/v0.1' }).success).toBe(
      false,
    );
    expect(Receipt.safeParse(receiptOf({ ...HEAD, gitCommit: 'main' }, receipt().predicate)).success).toBe(
      false,
    );
  });

  it.each<[what: string, seen: Partial<Parameters<typeof doubtsOf>[1]>, doubts: string[]]>([
    ['all is as it says', {}, []],
    ['asked about it', { expected: { base: BASE, head: HEAD } }, []],
    ['no commit', { head: null }, ["its commit cccccccccc isn't in this repository"]],
    ['no base', { base: null, isBefore: false }, ["its base aaaaaaaaaa isn't in this repository"]],
    [
      'another tree',
      { head: id('e') },
      ['its commit cccccccccc has the tree eeeeeeeeee, and it says dddddddddd'],
    ],
    [
      "another base's tree",
      { base: id('e') },
      ['its base aaaaaaaaaa has the tree eeeeeeeeee, and it says bbbbbbbbbb'],
    ],
    ['a base beside it', { isBefore: false }, ["its base aaaaaaaaaa isn't before its commit cccccccccc"]],
    [
      'objects that are gone',
      { isWhole: false },
      ['an object of its commits is missing here, or holds something else than its id says'],
    ],
    [
      'asked about other work',
      { head: null, base: null, expected: { base: HEAD, head: BASE } },
      [
        'its commit is cccccccccc, and you ask about aaaaaaaaaa',
        'its base is aaaaaaaaaa, and you ask about cccccccccc',
      ],
    ],
  ])('is checked by what the repository has: %s', (_what, seen, doubts) => {
    expect(doubtsOf(receipt(), { ...SEEN, ...seen })).toEqual(doubts);
  });

  it.each<[verdict: Partial<ReceiptPredicate>, doubts: string[]]>([
    [{ grade: 'held-out' }, []],
    [{ verdict: 'verified_weak', grade: 'gates' }, []],
    // The work changes documents, which no gate is about.
    [{ verdict: 'verified_weak', grade: 'none', gates: [] }, []],
    [{ gates: [], askedFor: { title: '', acceptance: [], checks: ['true'] } }, []],
    [
      { gates: [] },
      ['it says "verified", and the proof is "tests", but no gate passed and no check was given'],
    ],
    [
      { gates: [{ ...PASSED, after: 'failed' }] },
      ['it says that gate "test" stands as "fixed", and that it ended as "failed"'],
    ],
    [
      { gates: [{ ...GATE, counts: false }] },
      ['it says that gate "test" stands as "regression", and that it ended as "failed"'],
    ],
    [{ base: { ...BASE, gitTree: id('d') } }, ['its commit and its base hold the same files']],
    [{ issuedAt: 'yesterday' }, ["its time can't be read as a time"]],
    [
      { issuedAt: '2099-01-01T00:00:00.000Z' },
      ['it says that it was made at 2099-01-01T00:00:00.000Z, which is in the future'],
    ],
    [{ verdict: 'not_verified', grade: 'none', gates: [GATE], findings: [FINDING] }, []],
    // The work removes tests, so you decide.
    [{ verdict: 'cant_tell', grade: 'none', gates: [GATE] }, []],
    // The gate fails without the work, too.
    [{ verdict: 'cant_tell', grade: 'none', gates: [{ ...GATE, standing: 'down', counts: false }] }, []],
    [{ grade: 'gates' }, ['it says "verified", and the proof is "gates"']],
    [{ gates: [GATE] }, ['it says "verified", and gate "test" counts against the work']],
    [
      { verdict: 'verified_weak', grade: 'gates', gates: [GATE] },
      ['it says "verified, weak", and gate "test" counts against the work'],
    ],
    [{ findings: [FINDING] }, ['it says "verified", and a finding counts against the work']],
    [
      { verdict: 'not_verified', grade: 'none' },
      ['it says "not verified", and no finding counts against the work'],
    ],
    [
      { verdict: 'cant_tell', findings: [FINDING] },
      ['it says "can\'t tell", and a finding counts against the work'],
    ],
  ])('says nothing that contradicts itself: %o', (changes, doubts) => {
    expect(doubtsOf(receipt(changes), { ...SEEN, base: changes.base?.gitTree ?? SEEN.base })).toEqual(doubts);
  });
});
