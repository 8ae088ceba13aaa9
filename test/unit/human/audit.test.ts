import { createHash } from 'node:crypto';
import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditEntry, type AuditLine, NO_AUDIT } from '../../../src/domain/human/gate.ts';
import {
  type AuditProblem,
  chained,
  chainedAll,
  headOf,
  linesText,
  plainEntry,
  sealed,
  verifyAudit,
} from '../../../src/respond/human/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const NOW = '2026-06-01T00:00:00.000Z';
const daysBefore = (days: number) => new Date(Date.parse(NOW) - days * 86_400_000).toISOString();

function entry(index: number, gate: AuditEntry['gate_id'] = 'GATE-AP-RECOVERY', timestamp = NOW): AuditEntry {
  const entry = { kind: 'decision' as const, timestamp, decision: 'approve', user: `u${index}` };
  return { ...plainEntry({ ...entry, human_feedback: `reason ${index}` }), gate_id: gate };
}

const lines = chainedAll(
  NO_AUDIT,
  [0, 1, 2, 3, 4].map((index) => entry(index)),
  sha256,
);
const head = headOf(lines);
const kinds = (changed: readonly AuditLine[]) => kindsOf(linesText(changed));
const kindsOf = (text: string): AuditProblem['kind'][] =>
  verifyAudit(text, head, sha256).map(({ kind }) => kind);
const without = (...gone: number[]) => lines.filter((_line, index) => !gone.includes(index));
const at = (index: number) => lines[index] as AuditLine;
const rehashed = (line: AuditLine): AuditLine => {
  const { hash: _hash, ...open } = line;
  return { ...open, hash: sha256(JSON.stringify(open)) };
};

describe('the audit log', () => {
  it('holds as it was written', () => expect(kinds(lines)).toEqual([]));

  it.each<[string, readonly AuditLine[], AuditProblem['kind']]>([
    ['a changed line', lines.with(2, { ...at(2), decision: 'reject' }), 'changed'],
    [
      'a changed line with the hash of its new text',
      lines.with(2, rehashed({ ...at(2), user: 'x' })),
      'changed',
    ],
    ['a deleted line', without(2), 'deleted'],
    ['the first line deleted', without(0), 'deleted'],
    ['two lines deleted', without(1, 3), 'deleted'],
    ['lines in another order', [at(0), at(2), at(1), at(3), at(4)], 'reordered'],
    ['a line twice', [...lines.slice(0, 3), at(2), ...lines.slice(3)], 'inserted'],
    ['a line more at the end', [...lines, chained(head, entry(9), sha256)], 'inserted'],
    [
      'a line between two others',
      [...lines.slice(0, 2), rehashed({ ...at(2), user: 'x', prev: at(1).hash }), ...lines.slice(2)],
      'inserted',
    ],
    ['the end cut off', lines.slice(0, 3), 'truncated'],
    ['everything cut off', [], 'truncated'],
    [
      'all of it written anew',
      chainedAll(
        NO_AUDIT,
        [5, 6, 7, 8, 9].map((index) => entry(index)),
        sha256,
      ),
      'changed',
    ],
  ])('shows %s', (_what, changed, kind) => {
    expect(kinds(changed)).toContain(kind);
  });

  it.each([
    ['half a line', (text: string) => text.slice(0, -20), 'changed'],
    [
      'another spelling of the same content',
      (text: string) => text.replace('{"n":1,', '{ "n":1,'),
      'changed',
    ],
    ['an empty line', (text: string) => text.replace('\n', '\n\n'), 'changed'],
  ] as const)('shows %s', (_what, change, kind) => {
    expect(kindsOf(change(linesText(lines)))).toContain(kind);
  });

  it('names the line', () => {
    const [problem] = verifyAudit(linesText(lines.with(2, { ...at(2), user: 'x' })), head, sha256);
    expect(problem).toMatchObject({ kind: 'changed', line: 3 });
  });

  it('shows any one byte that was changed', () => {
    const text = linesText(lines);
    assert(
      property(
        integer({ min: 0, max: text.length - 1 }),
        constantFrom('0', 'x', '"', ' ', '\n'),
        (at, by) => {
          const changed = text.slice(0, at) + by + text.slice(at + 1);
          return changed === text || kindsOf(changed).length > 0;
        },
      ),
    );
  });
});

describe('retention', () => {
  const names = [null, 'GATE-AP-RECOVERY', 'GATE-AP-DESTRUCTIVE', 'GATE-AP-FALSE-POSITIVE'] as const;

  it.each([
    ['GATE-AP-RECOVERY', 90],
    ['GATE-AP-FALSE-POSITIVE', 365],
    ['GATE-AP-DESTRUCTIVE', 365],
    [null, 365],
  ] as const)('keeps %s for %i days', (gate, days) => {
    const of = (age: number) => chainedAll(NO_AUDIT, [entry(0, gate, daysBefore(age))], sha256);
    expect(sealed(of(days), headOf(of(days)), NOW, sha256)).toBeNull();
    const over = of(days + 0.01);
    expect(sealed(over, headOf(over), NOW, sha256)?.kept).toHaveLength(1);
  });

  it('leaves a chain that verifies, however often it is sealed, and in which a further deletion shows', () => {
    const one = record({ gate: constantFrom(...names), age: integer({ min: 0, max: 800 }) });
    assert(
      property(array(one, { minLength: 1, maxLength: 12 }), array(one, { maxLength: 6 }), (first, then) => {
        const inOrder = (all: typeof first) => all.toSorted((a, b) => b.age - a.age);
        const write = (from: readonly AuditLine[], end: typeof head, all: typeof first) => [
          ...from,
          ...chainedAll(
            end,
            inOrder(all).map(({ gate, age }, i) => entry(i, gate, daysBefore(age - 400))),
            sha256,
          ),
        ];
        const early = write([], NO_AUDIT, first);
        const once = sealed(early, headOf(early), NOW, sha256)?.kept ?? early;
        expect(verifyAudit(linesText(once), headOf(once), sha256)).toEqual([]);
        const more = write(once, headOf(once), then);
        const later = new Date(Date.parse(NOW) + 500 * 86_400_000).toISOString();
        const twice = sealed(more, headOf(more), later, sha256)?.kept ?? more;
        expect(verifyAudit(linesText(twice), headOf(twice), sha256)).toEqual([]);
        for (const gone of twice) {
          const left = twice.filter((line) => line !== gone);
          expect(verifyAudit(linesText(left), headOf(twice), sha256)).not.toEqual([]);
        }
      }),
    );
  });
});
