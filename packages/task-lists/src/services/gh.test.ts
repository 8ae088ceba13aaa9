import { expect, it } from 'vitest';
import { fakeGh, usePath } from '../../test/fake-gh.ts';
import { closeIssue, commentOnIssue, listIssues } from './gh.ts';

it('lists issues with label and fields as arguments, never through a shell', async () => {
  const { root, calls } = fakeGh('echo "[]"');
  const label = 'a b"; touch x; $(y)';
  expect(await listIssues(root, label, ['number', 'title'])).toEqual({ ok: true, value: [] });
  expect(calls()).toBe(`issue|list|--state=all|--limit=2000|--json=number,title|--label=${label}|\n`);
});

it('is told as missing when it is not there', async () => {
  const { root } = fakeGh('');
  usePath(root);
  expect(await listIssues(root, '', [])).toMatchObject({
    ok: false,
    message: expect.stringContaining('not on the PATH'),
  });
});

it.each([
  [
    'exit 4',
    'echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4',
    'is not signed in to GitHub',
  ],
  [
    'a refused token',
    'echo "HTTP 401: Bad credentials (https://api.github.com/graphql)" >&2; exit 1',
    'is not signed in to GitHub',
  ],
  ['another error', 'echo "no git remotes found" >&2; echo more >&2; exit 1', 'failed: no git remotes found'],
  ['no JSON', 'echo "Welcome"', 'printed no JSON: "Welcome'],
])('reports %s', async (_, script, says) => {
  const { root } = fakeGh(script);
  expect(await listIssues(root, '', [])).toMatchObject({ ok: false, message: expect.stringContaining(says) });
});

it('says what gh said', async () => {
  const { root } = fakeGh('echo "no git remotes found" >&2; exit 1');
  expect(await closeIssue(root, 3)).toEqual({
    ok: false,
    message: '`gh issue close` failed: no git remotes found. Run it by hand to see more',
  });
});

it('comments over standard input', async () => {
  const { root, calls } = fakeGh('');
  expect(await commentOnIssue(root, 12, '--body $(x)\nline two')).toEqual({ ok: true, value: null });
  expect(calls()).toBe('issue|comment|12|--body-file=-|--body $(x)\nline two\n');
});
