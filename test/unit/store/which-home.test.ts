import { describe, expect, it } from 'vitest';
import { type GitFolder, whichHome } from '../../../src/store/home/repository-home.ts';

const HERE = { path: '/here/.git', ino: 7 };
const THERE = { path: '/there/.git', ino: 3 };

/** Homes by their id, and the inode numbers of what is at a path now. */
function known(
  homes: Readonly<Record<string, GitFolder>>,
  now: Readonly<Record<string, number>> = {},
  others: string[] = [],
) {
  return {
    of: (id: string) => homes[id] ?? null,
    at: (path: string) =>
      Object.entries(homes).flatMap(([id, owner]) => (owner.path === path ? [{ id, ino: owner.ino }] : [])),
    inoAt: (path: string) => now[path] ?? null,
    isOther: (id: string) => others.includes(id),
  };
}

describe('the state home of a git folder', () => {
  it.each<[what: string, found: string | null, homes: ReturnType<typeof known>, id: string, reason: string]>([
    ['never seen', null, known({}), 'n1', 'new'],
    ['never seen; the first name is taken', null, known({ n1: THERE }), 'n2', 'new'],
    ['as it was', 'a', known({ a: HERE }), 'a', 'same'],
    ['on another machine', 'a', known({}), 'a', 'new'],
    ['moved', 'a', known({ a: THERE }), 'a', 'moved'],
    ['moved, and another one is where it was', 'a', known({ a: THERE }, { [THERE.path]: 9 }), 'a', 'moved'],
    ['copied', 'a', known({ a: THERE }, { [THERE.path]: THERE.ino }), 'n1', 'copied'],
    ['without its id', null, known({ a: HERE }), 'a', 'lost_id'],
    ['with the id of another one', 'b', known({ a: HERE, b: THERE }), 'a', 'changed_id'],
    ['cloned again at the same path', null, known({ a: { ...HERE, ino: 1 } }), 'a', 'lost_id'],
    ['one of two that were at this path', null, known({ a: { ...HERE, ino: 1 }, b: HERE }), 'b', 'lost_id'],
  ])('%s', (_what, found, homes, id, reason) => {
    const copyOf = reason === 'copied' ? THERE.path : null;
    expect(whichHome(HERE, found, homes, ['n1', 'n2'])).toEqual({ id, reason, copyOf, replaces: null });
  });

  it.each<[what: string, found: string | null, homes: ReturnType<typeof known>, id: string, reason: string]>([
    ['made anew', null, known({ a: HERE }, {}, ['a']), 'n1', 'made_anew'],
    [
      'made anew, with an inode number of its own',
      null,
      known({ a: { ...HERE, ino: 1 } }, {}, ['a']),
      'n1',
      'made_anew',
    ],
    ['one from elsewhere', 'b', known({ a: HERE, b: THERE }, {}, ['a']), 'b', 'moved'],
    [
      'a copy from elsewhere',
      'b',
      known({ a: HERE, b: THERE }, { [THERE.path]: THERE.ino }, ['a']),
      'n1',
      'copied',
    ],
    ['one of another machine', 'c', known({ a: HERE }, {}, ['a']), 'c', 'new'],
  ])('another repository at an old path: %s', (_what, found, homes, id, reason) => {
    const copyOf = reason === 'copied' ? THERE.path : null;
    expect(whichHome(HERE, found, homes, ['n1', 'n2'])).toEqual({ id, reason, copyOf, replaces: 'a' });
  });

  it('its id makes it the one that was here', () => {
    expect(whichHome(HERE, 'a', known({ a: HERE }, {}, ['a']), ['n1']).reason).toBe('same');
  });
});
