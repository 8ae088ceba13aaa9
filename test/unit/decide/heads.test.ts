import { describe, expect, it } from 'vitest';
import { agentTips, headsAtStart } from '../../../src/decide/index.ts';

const at = (head: string | null, refs: Record<string, string> = {}) => ({
  head,
  refs: new Map(Object.entries(refs)),
});

describe('agentTips', () => {
  it.each([
    ['nothing moved', at('a', { m: 'a' }), at('a', { m: 'a' }), []],
    ['a commit on the branch', at('a', { m: 'a' }), at('b', { m: 'b' }), ['b']],
    ['a new branch with a commit', at('a', { m: 'a' }), at('a', { m: 'a', x: 'b' }), ['b']],
    ['a new name for what was there', at('a', { m: 'a', o: 'c' }), at('a', { m: 'a', o: 'c', x: 'c' }), []],
    ['a branch moved to what was there', at('a', { m: 'a', o: 'c' }), at('a', { m: 'a', o: 'a' }), []],
    ['a detached HEAD', at('a', { m: 'a' }), at('b', { m: 'a' }), ['b']],
    ['a deleted branch', at('a', { m: 'a', x: 'b' }), at('a', { m: 'a' }), []],
    ['the first commit', at(null), at('b', { m: 'b' }), ['b']],
  ] as const)('%s', (_name, before, after, expected) => {
    expect(agentTips(before, after)).toEqual(expected);
  });
});

describe('headsAtStart', () => {
  const refs = at('a', { m: 'a', x: 'b', y: 'b' });

  it('any ref may be an agent’s where records are lost', () => {
    const lost = { heads: { known: null, agents: [] }, imports: false };
    expect(headsAtStart(refs, lost)).toEqual({ head: 'a', agentTips: ['a', 'b'] });
  });

  it.each([
    ['the first run', { heads: { known: null, agents: [] }, imports: true }],
    ['a later run', { heads: { known: 'z', agents: [] }, imports: false }],
  ])('%s takes none for an agent’s', (_name, state) => {
    expect(headsAtStart(refs, state)).toEqual({ head: 'a', agentTips: [] });
  });
});
