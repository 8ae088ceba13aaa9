import { describe, expect, it } from 'vitest';
import { isRefreshed } from '../../../src/io/box/refreshed.ts';

const OLD = {
  tokens: { access: 'eyJh.a-b_c', refresh: 'r/1+2==' },
  expires: 1,
  scopes: ['a b'],
  plan: 'pro',
  key: null,
};

describe('a sign-in that an agent refreshed', () => {
  it.each<[string, unknown, boolean]>([
    ['the same', OLD, false],
    ['other tokens and times', { ...OLD, tokens: { access: 'x.y', refresh: 'z' }, expires: 2 }, true],
    ['one value less', { ...OLD, plan: undefined, expires: 2 }, true],
    ['a value more', { ...OLD, helper: 'x' }, false],
    ['a value more, deeper', { ...OLD, tokens: { ...OLD.tokens, helper: 'x' } }, false],
    ['a command', { ...OLD, plan: '!touch x' }, false],
    ['a variable', { ...OLD, plan: '$HOME' }, false],
    ['more lines', { ...OLD, plan: 'a\nb' }, false],
    ['another list', { ...OLD, scopes: ['a', 'b'] }, false],
    ['another kind of value', { ...OLD, expires: 'never' }, false],
    ['a value where none was', { ...OLD, key: 'x' }, false],
    ['a list', [OLD], false],
  ])('%s', (_what, fresh, expected) => {
    expect(isRefreshed(Buffer.from(JSON.stringify(OLD)), Buffer.from(JSON.stringify(fresh)))).toBe(expected);
  });

  it('what is no JSON was not refreshed', () => {
    expect(isRefreshed(Buffer.from('{}'), Buffer.from('{'))).toBe(false);
  });
});
