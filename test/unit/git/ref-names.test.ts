import { describe, expect, it } from 'vitest';
import { branchOf } from '../../../src/io/git/protect/plan-refs.ts';

describe('the branch that HEAD stands for', () => {
  it.each(['refs/heads/main', 'refs/heads/a/b.c', 'refs/heads/T-1', 'refs/heads/größe'])('%s', (name) => {
    expect(branchOf(`ref: ${name}`)).toBe(name);
  });

  it.each([
    ...['refs/heads/../../x', 'refs/heads/.x', 'refs/heads/a..b', 'refs/heads/a//b', 'refs/heads/a/'],
    ...['refs/heads/a.lock', 'refs/heads/a.', 'refs/heads/a b', 'refs/heads/a\u0007', 'refs/heads/a~1'],
    ...['refs/heads/a@{1}', 'refs/tags/v1', 'refs/heads/'],
  ])('none: %s', (name) => {
    expect(branchOf(`ref: ${name}`)).toBeNull();
  });
});
