import { describe, expect, it } from 'vitest';
import { openMemoryRemote } from '../../../test/helpers/memory-git.ts';
import { remoteSuite } from '../../../test/helpers/remote-suite.ts';
import { deletionsOf, stateOf } from './remote.ts';

const claim = (parents: readonly string[], worker: string) => ({
  parents,
  subject: 'ralph fleet: claim',
  body: worker,
});

describe('attempts of a fleet on a remote in memory', () => remoteSuite(async () => openMemoryRemote()));

describe('the state of an attempt on a remote', () => {
  it.each([
    ['ralph fleet: job', [], { kind: 'offered', job: 'at' }],
    ['The user landed it', [], { kind: 'none' }],
    [
      'ralph fleet: claim',
      [claim(['job', 'second'], 'three'), claim(['job', 'first'], 'two'), claim(['job'], 'one')],
      { kind: 'claimed', job: 'job', claim: 'at', worker: 'three', lost: ['second', 'first'] },
    ],
    [
      'ralph fleet: result',
      [claim(['job'], 'one')],
      { kind: 'delivered', job: 'job', claim: 'claimed', result: 'at', lost: [] },
    ],
  ])('%s', (subject, claims, expected) => {
    expect(stateOf('at', { subject, parents: ['claimed'], body: '' }, claims)).toEqual(expected);
  });
});

it('refs of landed tasks go alone, those of old ones with their records', () => {
  const names = ['tasks/A', 'tasks/B', 'tasks/AB', 'records/A/1', 'records/B/1', 'records/AB/1'];
  const refs = new Map(names.map((name) => [`refs/ralph/${name}`, 'id']));
  const gone = deletionsOf((name) => name, refs, new Set(['A', 'B']), ['A']).map(({ ref }) => ref);
  expect(gone.toSorted()).toEqual(['refs/ralph/records/A/1', 'refs/ralph/tasks/A', 'refs/ralph/tasks/B']);
});
