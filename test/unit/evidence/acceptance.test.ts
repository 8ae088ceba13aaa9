import { describe, expect, it } from 'vitest';
import { pathsOfInterest, readClaim, shownCriteria, unmetAcceptance } from '../../../src/evidence/index.ts';
import { changeSet, file, ignored, missing } from './facts.ts';

const NO_CLAIM = readClaim('', {
  plainText: false,
  prompt: '',
  task: { id: 'E1-02', title: 'Write the parser' },
  quoted: [],
});

describe('criteria that can be checked', () => {
  it.each([
    ['`src/x.ts` exists', 'present'],
    ['`src/x.ts` exists.', 'present'],
    ['[ ] `src/x.ts` exists', 'present'],
    ['The file `src/x.ts` must exist', 'present'],
    ['File src/x.ts is created', 'present'],
    ['file `src/x.ts` is added', 'present'],
    ['a new file src/x.ts has been created', 'present'],
    ['src/x.ts should exist', 'present'],
    ['`src/x.ts` is present', 'present'],
    ['`src/x.ts` is deleted', 'absent'],
    ['The file src/x.ts is removed.', 'absent'],
    ['`src/x.ts` no longer exists', 'absent'],
    ['`src/x.ts` does not exist', 'absent'],
    ['`./src/x.ts` exists', 'present'],
  ])('%s', (criterion, wants) => {
    const task = { acceptance: [criterion] };
    expect(pathsOfInterest(NO_CLAIM, task, changeSet([]))).toEqual(['src/x.ts']);
    const [there, gone] = [[file('src/x.ts')], [missing('src/x.ts')]];
    expect(unmetAcceptance(task, wants === 'present' ? there : gone)).toEqual([]);
    expect(unmetAcceptance(task, wants === 'present' ? gone : there)).toEqual([
      `"${criterion}": src/x.ts ${wants === 'present' ? 'does not exist' : 'exists'}`,
    ]);
  });

  it('is met by a file that git ignores', () => {
    expect(unmetAcceptance({ acceptance: ['`.env` exists'] }, [ignored('.env')])).toEqual([]);
    expect(unmetAcceptance({ acceptance: ['`.env` does not exist'] }, [ignored('.env')])).toHaveLength(1);
  });

  it('names each missing file of several', () => {
    const task = { acceptance: ['`a.ts`, `b.ts` and `c.ts` exist'] };
    expect(pathsOfInterest(NO_CLAIM, task, changeSet([]))).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(unmetAcceptance(task, [file('a.ts'), missing('b.ts'), missing('c.ts')])).toHaveLength(2);
  });

  it('passes over paths without a fact', () => {
    expect(unmetAcceptance({ acceptance: ['`src/x.ts` exists'] }, [])).toEqual([]);
  });
});

describe('criteria about behaviour', () => {
  it.each([
    'An error is shown when `config.json` exists',
    'If `src/x.ts` exists, it is loaded',
    '`src/x.ts` is created when the user runs init',
    '`src/x.ts` is created by the build',
    '`src/x.ts` is removed from the cache',
    '`src/x.ts` is added to the index',
    '`src/x.ts` exists check is fast',
    'The parser in src/x.ts is removed from use',
    '`*.log` is deleted',
    '`<name>.ts` exists',
    '`$HOME/x.ts` exists',
    '`/etc/hosts` exists',
    '`../x.ts` exists',
    '`dist/` exists',
    'A user exists',
    'The button is removed',
    'Node.js is added',
    'It works',
    '',
  ])('are left alone: %s', (criterion) => {
    const task = { acceptance: [criterion] };
    expect(pathsOfInterest(NO_CLAIM, task, changeSet([]))).toEqual([]);
    expect(unmetAcceptance(task, [missing('src/x.ts'), missing('config.json')])).toEqual([]);
  });
});

describe('shownCriteria', () => {
  it('counts what the files show, and no tick', () => {
    const acceptance = [
      '`a.ts` exists',
      '`b.ts` exists',
      '`old.ts` is deleted',
      'It is fast',
      'It is small',
      '[x] It is safe',
      '`a.ts` and `b.ts` exist',
    ];
    const exists = (path: string) => path === 'a.ts';
    expect(shownCriteria({ acceptance }, exists)).toEqual([0, 2]);
    expect(shownCriteria({ acceptance: [] }, exists)).toEqual([]);
  });
});
