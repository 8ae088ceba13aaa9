import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ChangeSet } from '../../../src/domain/change-set.ts';
import type { Claim, EvidenceItem, FileFact } from '../../../src/domain/claim.ts';
import { pathsOfInterest, readClaim, validateEvidence } from '../../../src/proof/evidence/index.ts';
import { change, changeSet, file, ignored, missing } from './facts.ts';

const EMPTY = readClaim('', {
  plainText: false,
  prompt: '',
  task: { id: 'E1-02', title: 'Write the parser' },
  quoted: [],
});

function item(text: string, rest: Partial<EvidenceItem> = {}): EvidenceItem {
  const [path = '', lines] = text.split('@');
  const [from, to] = lines === undefined ? [null, null] : lines.split('-').map(Number);
  return {
    path,
    from: from ?? null,
    to: to ?? from ?? null,
    says: 'touched',
    note: '',
    source: 'block',
    ...rest,
  };
}

function statusOf(
  checked: EvidenceItem,
  changes: ChangeSet,
  facts: readonly FileFact[],
  earlierPaths: readonly string[] = [],
): string {
  const claim: Claim = { ...EMPTY, evidence: [checked] };
  const [check] = validateEvidence(claim, { series: changes, attempt: changes, facts, earlierPaths });
  expect(check?.why).toMatch(/\w/);
  return check?.standing ?? 'none';
}

const A = changeSet([change('src/a.ts')]);
const NOTHING = changeSet([]);
const GONE = changeSet([change('src/a.ts', { kind: 'deleted', hunks: [] })]);
const MOVED = changeSet([change('src/new.ts', { kind: 'renamed', oldPath: 'src/old.ts', hunks: [] })]);
const BINARY = changeSet([change('img/a.png', { binary: true, hunks: [] })]);
const CUT = changeSet([
  change('src/a.ts', { kind: 'modified', hunks: [{ oldStart: 20, oldLines: 3, newStart: 19, newLines: 0 }] }),
]);
const LARGE = changeSet([change('src/a.ts', { hunks: [] })], { hunksOmitted: true });
const TWO = changeSet([change('src/a.ts'), change('test/a.ts')]);

describe('evidence of a block', () => {
  it.each<[string, EvidenceItem, ChangeSet, readonly FileFact[], string]>([
    ['lines in the change', item('src/a.ts@10-42'), A, [file('src/a.ts')], 'confirmed'],
    ['a file that git ignores', item('dist/a.js@1'), A, [ignored('dist/a.js')], 'unconfirmed'],
    [
      'a file that git ignores, said to be made',
      item('dist/a.js', { says: 'created' }),
      A,
      [ignored('dist/a.js')],
      'unconfirmed',
    ],
    [
      'a file that git ignores, said to be deleted',
      item('dist/a.js', { says: 'deleted' }),
      A,
      [ignored('dist/a.js')],
      'contradicted',
    ],
    ['lines that meet it at its end', item('src/a.ts@42-60'), A, [file('src/a.ts')], 'confirmed'],
    ['one line in it', item('src/a.ts@10'), A, [file('src/a.ts')], 'confirmed'],
    ['the line before it', item('src/a.ts@9'), A, [file('src/a.ts')], 'unconfirmed'],
    ['the line behind it', item('src/a.ts@43'), A, [file('src/a.ts')], 'unconfirmed'],
    ['the path alone', item('src/a.ts'), A, [file('src/a.ts')], 'confirmed'],
    ['the path without a fact', item('src/a.ts@10-42'), A, [], 'confirmed'],
    [
      'created, though it was modified',
      item('src/a.ts', { says: 'created' }),
      A,
      [file('src/a.ts')],
      'confirmed',
    ],
    [
      'partly beyond the end, in the change',
      item('src/a.ts@10-60'),
      A,
      [file('src/a.ts', 50)],
      'unconfirmed',
    ],
    ['partly beyond the end, outside of it', item('src/a.ts@45-60'), A, [file('src/a.ts', 50)], 'mistaken'],
    ['wholly beyond the end', item('src/a.ts@900-950'), A, [file('src/a.ts', 50)], 'mistaken'],
    ['the last line of an unchanged file', item('test/b.ts@10'), A, [file('test/b.ts', 10)], 'unconfirmed'],
    [
      'deleted, but it was modified',
      item('src/a.ts', { says: 'deleted' }),
      A,
      [file('src/a.ts')],
      'contradicted',
    ],
    ['deleted', item('src/a.ts', { says: 'deleted' }), GONE, [missing('src/a.ts')], 'confirmed'],
    ['a deleted file, touched', item('src/a.ts@1-5'), GONE, [missing('src/a.ts')], 'confirmed'],
    [
      'a deleted file, modified',
      item('src/a.ts', { says: 'modified' }),
      GONE,
      [missing('src/a.ts')],
      'unconfirmed',
    ],
    ['the old name of a renamed file', item('src/old.ts', { says: 'deleted' }), MOVED, [], 'confirmed'],
    [
      'the new name of a renamed file',
      item('src/new.ts', { says: 'created' }),
      MOVED,
      [file('src/new.ts')],
      'confirmed',
    ],
    [
      'lines of a file that was only renamed',
      item('src/new.ts@1-5'),
      MOVED,
      [file('src/new.ts')],
      'unconfirmed',
    ],
    ['lines of a binary file', item('img/a.png@1-5'), BINARY, [file('img/a.png', null)], 'confirmed'],
    ['the line before removed lines', item('src/a.ts@19'), CUT, [file('src/a.ts')], 'confirmed'],
    ['the line behind removed lines', item('src/a.ts@20'), CUT, [file('src/a.ts')], 'confirmed'],
    ['a line away from removed lines', item('src/a.ts@21'), CUT, [file('src/a.ts')], 'unconfirmed'],
    ['any lines when hunks are left out', item('src/a.ts@80-90'), LARGE, [file('src/a.ts')], 'confirmed'],
    [
      'lines beyond the end when hunks are left out',
      item('src/a.ts@900'),
      LARGE,
      [file('src/a.ts')],
      'mistaken',
    ],
    ['a name without its folder', item('a.ts@10-42'), A, [missing('a.ts')], 'confirmed'],
    ['a name without its folder, twice', item('a.ts'), TWO, [missing('a.ts')], 'unconfirmed'],
    ['a name that exists itself', item('a.ts', { says: 'modified' }), A, [file('a.ts')], 'contradicted'],
    ['the prefix of a diff', item('b/src/a.ts@10-42'), A, [missing('b/src/a.ts')], 'confirmed'],
    ['an absolute path to it', item('/home/me/repo/src/a.ts@10-42'), A, [], 'confirmed'],
    [
      'an absolute path elsewhere',
      item('/etc/hosts', { says: 'modified' }),
      A,
      [missing('/etc/hosts')],
      'unconfirmed',
    ],
    ['a path that climbs out', item('../x.ts'), A, [missing('../x.ts')], 'unconfirmed'],
    ['a folder of changes', item('src'), A, [], 'confirmed'],
    ['a folder, claimed to be deleted', item('src', { says: 'deleted' }), A, [], 'unconfirmed'],
    ['a file that does not exist', item('src/ghost.ts@1-5'), A, [missing('src/ghost.ts')], 'contradicted'],
    [
      'a created file that does not exist',
      item('src/ghost.ts', { says: 'created' }),
      A,
      [missing('src/ghost.ts')],
      'contradicted',
    ],
    [
      'a deleted file that was never there',
      item('src/ghost.ts', { says: 'deleted' }),
      A,
      [missing('src/ghost.ts')],
      'unconfirmed',
    ],
    ['a doubtful name that does not exist', item('src/ghost'), A, [missing('src/ghost')], 'unconfirmed'],
    ['an unchanged file, touched', item('src/b.ts@1-5'), A, [file('src/b.ts')], 'unconfirmed'],
    ['an unchanged file, beyond its end', item('src/b.ts@900'), A, [file('src/b.ts')], 'contradicted'],
    [
      'an unchanged file, modified',
      item('src/b.ts', { says: 'modified' }),
      A,
      [file('src/b.ts')],
      'contradicted',
    ],
    [
      'an unchanged file, created',
      item('src/b.ts', { says: 'created' }),
      A,
      [file('src/b.ts')],
      'contradicted',
    ],
    [
      'an existing file, deleted',
      item('src/b.ts', { says: 'deleted' }),
      A,
      [file('src/b.ts')],
      'contradicted',
    ],
    ["a file that wasn't checked", item('src/b.ts', { says: 'created' }), A, [], 'unconfirmed'],
    [
      "ralph's own files",
      item('.ralph/PRD.md', { says: 'modified' }),
      A,
      [file('.ralph/PRD.md')],
      'unconfirmed',
    ],
    [
      'anything, when nothing was changed',
      item('src/a.ts@10-42'),
      NOTHING,
      [file('src/a.ts')],
      'unconfirmed',
    ],
  ])('%s', (_name, checked, changes, facts, expected) => {
    expect(statusOf(checked, changes, facts)).toBe(expected);
  });

  it('does not hold the work of an earlier attempt against the agent', () => {
    const created = item('src/b.ts', { says: 'created' });
    expect(statusOf(created, A, [file('src/b.ts')], ['src/b.ts'])).toBe('unconfirmed');
  });
});

describe('evidence of prose', () => {
  it.each<[string, EvidenceItem, string]>([
    ['lines as context', item('src/b.ts@12'), 'unconfirmed'],
    ['lines beyond the end', item('src/b.ts@900'), 'unconfirmed'],
    ['lines beyond the end of a changed file', item('src/a.ts@900'), 'unconfirmed'],
    ['a file that does not exist', item('src/ghost.ts@3'), 'unconfirmed'],
    ['a changed file', item('src/a.ts'), 'confirmed'],
    ['lines in the change', item('src/a.ts@12'), 'confirmed'],
    ['created, and it does not exist', item('src/ghost.ts', { says: 'created' }), 'contradicted'],
    ['modified, and it was not', item('src/b.ts', { says: 'modified' }), 'contradicted'],
    ['deleted, and it exists', item('src/b.ts', { says: 'deleted' }), 'contradicted'],
  ])('%s', (_name, checked, expected) => {
    const facts = [file('src/a.ts'), file('src/b.ts'), missing('src/ghost.ts')];
    expect(statusOf({ ...checked, source: 'prose' }, A, facts)).toBe(expected);
  });

  test('that only mentions files is never contradicted', () => {
    const path = fc.constantFrom(
      'src/a.ts',
      'a.ts',
      'src/b.ts',
      'src/ghost.ts',
      'src',
      '/x/src/a.ts',
      '.ralph/x.md',
    );
    const sets = fc.constantFrom(A, NOTHING, GONE, MOVED, BINARY, CUT, LARGE, TWO);
    const facts = fc.subarray([
      file('src/a.ts', 5),
      missing('src/ghost.ts'),
      file('src/b.ts', 0),
      missing('a.ts'),
    ]);
    fc.assert(
      fc.property(
        path,
        fc.option(fc.integer({ min: 1, max: 200 })),
        sets,
        facts,
        (name, line, changes, known) => {
          const mention = item(name, { source: 'prose', from: line, to: line });
          expect(statusOf(mention, changes, known)).not.toBe('contradicted');
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('pathsOfInterest', () => {
  const claim = {
    ...EMPTY,
    evidence: [item('a.ts@1-2'), item('src/b.ts'), item('src/b.ts@3'), item('/etc/hosts'), item('../x.ts')],
  };
  const task = { acceptance: ['`docs/guide.md` exists', 'file src/b.ts is created', 'It is fast'] };

  it('names what the claim and the criteria point to, each once and below the repository', () => {
    expect(pathsOfInterest(claim, task, changeSet([]))).toEqual(['a.ts', 'src/b.ts', 'docs/guide.md']);
  });

  it('adds the changed files that shortened paths stand for', () => {
    expect(pathsOfInterest(claim, task, A)).toEqual(['a.ts', 'src/a.ts', 'src/b.ts', 'docs/guide.md']);
  });
});

describe('evidence of a task that several attempts worked on', () => {
  const RIGHT = item('src/parser.ts');
  const CHANGED = changeSet([change('src/parser.ts'), change('test/parser.test.ts')]);
  const checks = (claim: Partial<Claim>, seen: Partial<Parameters<typeof validateEvidence>[1]> = {}) => {
    const evidence = claim.evidence ?? [];
    const facts = [
      file('src/parser.ts'),
      file('test/parser.test.ts'),
      file('src/old.ts'),
      ...evidence.map(({ path }) => missing(path)),
    ].filter(({ path }, index, all) => all.findIndex((one) => one.path === path) === index);
    const known = { series: CHANGED, attempt: CHANGED, facts, earlierPaths: [], ...seen };
    return validateEvidence({ ...EMPTY, ...claim }, known).map(({ standing: status }) => status);
  };

  it('counts what an earlier attempt wrote, and what this one took back', () => {
    const own = changeSet([change('src/reverted.ts')]);
    const evidence = [item('src/parser.ts@12'), item('src/reverted.ts'), item('src/ghost-file.ts')];
    expect(checks({ evidence }, { attempt: own })).toEqual(['confirmed', 'confirmed', 'contradicted']);
    expect(checks({ evidence: [RIGHT] }, { series: NOTHING, attempt: NOTHING })).toEqual(['unconfirmed']);
  });

  it.each([
    ['a letter too few', 'src/parsr.ts', true, true],
    ['letters swapped', 'src/prasre.ts', true, true],
    ['a word more in the name', 'src/parser-v2.ts', true, false],
    ['another ending', 'src/parser.tsx', true, true],
    ['its folder misspelt', 'scr/parser.ts', true, true],
    ['the name alone, in another folder', 'lib/parser.ts', true, false],
    ['a longer form of the name', 'src/parsers.ts', true, true],
    ['another file', 'src/lexer-table.ts', false, false],
    ['a short name', 'src/a.ts', false, false],
  ])('%s', (_, path, withARightOne, alone) => {
    const contradicted = (evidence: EvidenceItem[]) => checks({ evidence }).includes('contradicted');
    expect(contradicted([RIGHT, item(path)])).toBe(!withARightOne);
    expect(contradicted([item(path)])).toBe(!alone);
  });

  it('shows where work is that was there before', () => {
    const before = { status: 'already_done' as const };
    const places = [item('src/old.ts@3-9'), item('src/old.ts@300'), item('src/gone-long.ts')];
    const seen = { series: NOTHING, attempt: NOTHING };
    expect(checks({ ...before, evidence: places }, seen)).toEqual([
      'confirmed',
      'unconfirmed',
      'contradicted',
    ]);
    expect(checks({ evidence: places.slice(0, 1) }, seen)).toEqual(['unconfirmed']);
  });
});

it('forgives lines beyond the end of an unchanged file where other evidence is right', () => {
  const claim: Claim = { ...EMPTY, evidence: [item('src/a.ts@10'), item('test/b.ts@12')] };
  const facts = [file('src/a.ts'), file('test/b.ts', 10)];
  const checks = validateEvidence(claim, { series: A, attempt: A, facts, earlierPaths: [] });
  expect(checks.map(({ standing }) => standing)).toEqual(['confirmed', 'unconfirmed']);
});
