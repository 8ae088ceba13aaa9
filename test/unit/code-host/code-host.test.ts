import { expect, it } from 'vitest';
import { codeHostOf } from '../../../src/io/code-host/index.ts';

it.each([
  ['https://github.com/owner/name.git', 'gh github.com owner/name'],
  ['https://me:secret@github.com/owner/name/', 'gh github.com owner/name'],
  ['git@github.com:owner/na.me.git', 'gh github.com owner/na.me'],
  ['ssh://git@ssh.github.com:443/owner/name.git', 'gh github.com owner/name'],
  ['ssh://git@altssh.gitlab.com:443/group/name', 'glab gitlab.com group/name'],
  ['https://GitLab.example.org/group/sub/name.git', 'glab gitlab.example.org group/sub/name'],
  ['https://git.example.org/owner/name.git', null],
  ['/srv/github/name.git', null],
  ['../github.com/owner/name', null],
  ['file:///srv/github.com/name.git', null],
  // Parts of an address that would be more than a name in the path of a request are refused.
  ['https://github.com/owner/name?x=/../../user', null],
  ['https://github.com/name', null],
  ['github:owner/name', 'gh github owner/name'],
])('%s is %s', (url, expected) => {
  const host = codeHostOf([url]);
  expect(host && `${host.program} ${host.host} ${host.repository}`).toBe(expected);
});

it('the first address that is at a code host counts', () => {
  expect(codeHostOf(['/tmp/bare', 'https://github.com/a/b', 'https://gitlab.com/c/d'])?.repository).toBe(
    'a/b',
  );
  expect(codeHostOf([])).toBeNull();
});
