import { describe, expect, it } from 'vitest';
import { type GitFolder, whichHome } from '../../../src/io/store/home/which-home.ts';

const HERE = { path: '/here/.git', ino: 7 };
const THERE = { path: '/there/.git', ino: 3 };

/** Homes by their id, and the inode numbers of what is at a path now. */
function known(homes: Readonly<Record<string, GitFolder>>, now: Readonly<Record<string, number>> = {}) {
  return {
    of: (id: string) => homes[id] ?? null,
    at: (path: string) =>
      Object.entries(homes).flatMap(([id, owner]) => (owner.path === path ? [{ id, ino: owner.ino }] : [])),
    inoAt: (path: string) => now[path] ?? null,
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
    expect(whichHome(HERE, found, homes, ['n1', 'n2'])).toEqual({ id, reason, copyOf });
  });
});
