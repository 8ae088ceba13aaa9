import { describe, expect, it } from 'vitest';
import {
  blindedText,
  notShownText,
  openedLine,
  openingFor,
  signInLine,
} from '../../../src/proof/gates/index.ts';

describe('what a gate needs that the box takes away', () => {
  it.each([
    [
      "touch: cannot touch '/home/u/.nuget/packages/x': Read-only file system",
      '[box] writable = ["~/.nuget"]',
    ],
    [
      "Error: EROFS: read-only file system, mkdir '/home/u/.config/tool/x'",
      '[box] writable = ["~/.config/tool"]',
    ],
    [
      "OSError: [Errno 30] Read-only file system: '/opt/data/cache/x.db'",
      '[box] writable = ["/opt/data/cache"]',
    ],
    ['sh: 1: cannot create /srv/out/x: Read-only file system', '[box] writable = ["/srv/out"]'],
    [
      'mkdir: cannot create directory ‘/home/u/.rustup’: Read-only file system',
      '[box] writable = ["~/.rustup"]',
    ],
    [
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?',
      '[box] docker = true',
    ],
    [
      'connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: No such file or directory',
      '[box] sockets = ["/var/run/postgresql"]',
    ],
    ['connect ENOENT /run/redis/redis.sock', '[box] sockets = ["/run/redis"]'],
    ['connect ENOENT /run/db.sock', '[box] sockets = ["/run/db.sock"]'],
    ['connect ENOENT /tmp/db.sock', '[box] sockets = ["/tmp/db.sock"]'],
    ['connect ENOENT /run/user/1000/db.sock', '[box] sockets = ["/run/user/1000/db.sock"]'],
  ])('%s', (output, line) => {
    expect(openingFor(`before\n${output}\nafter`, '/home/u')?.line).toBe(line);
  });

  it.each([
    'expected 1 to be 2',
    "fatal: Unable to create '/home/u/p/.git/index.lock': Read-only file system",
  ])('nothing is guessed from: %s', (output) => {
    expect(openingFor(output, '/home/u')).toBeNull();
  });

  it('a host that was refused is named where nothing else is', () => {
    const refused = [{ setting: 'gate_network', hosts: ['a.example'] }] as const;
    expect(openingFor('connect ENOENT /run/db.sock', '/home/u', refused)?.line).toMatch(/^\[box\] sockets/);
    expect(openingFor('403 Forbidden', '/home/u', refused)).toEqual({
      needs: 'to reach a.example',
      line: '[box] gate_network = [..., "a.example"]',
    });
  });

  it('is said with the line to add', () => {
    expect(blindedText('test', { needs: 'to write ~/.nuget/x', line: '[box] writable = ["~/.nuget"]' })).toBe(
      'Gate "test" passes outside of the box and fails in it, as it needs to write ~/.nuget/x. Add to .ralph/ralph.toml: [box] writable = ["~/.nuget"], or box = false for this gate.',
    );
    expect(blindedText('test', null)).toBe(
      'Gate "test" passes outside of the box and fails in it. Add to .ralph/ralph.toml: box = false for this gate.',
    );
  });
});

it.each([
  ['npm ci', 'npm error code E401\nnpm error Unable to authenticate', '~/.npmrc'],
  ['npm ci', 'npm ERR! code ENEEDAUTH', '~/.npmrc'],
  ['yarn install', '➤ YN0041: Invalid authentication (401 Unauthorized)', '~/.yarnrc.yml'],
  [
    'cargo fetch',
    'error: failed to get successful HTTP response, got 403\n HTTP 403',
    '~/.cargo/credentials.toml',
  ],
  ['mvn -q test', 'status code: 401, reason phrase: Unauthorized (401)', '~/.m2/settings.xml'],
  ['pip install -r r.txt', 'ERROR: HTTP error 403 while getting https://a/b', '~/.netrc'],
])('%s that is refused names the file to show', (command, output, file) => {
  expect(signInLine(command, `before\n${output}\nafter`)).toBe(`[box] readable = ["${file}"]`);
});

it('a 401 of the tests themselves names nothing', () => {
  expect(signInLine('npm test', 'expected 200, got 401')).toBeNull();
  expect(signInLine('npm test', '401 tests passed')).toBeNull();
});

it('what was found to be needed is written as lines', () => {
  const opened = { paths: ['/home/u/.toolrc'], variables: ['DATABASE_URL'] };
  expect(openedLine(opened, '/home/u')).toEqual({
    needs: '~/.toolrc and DATABASE_URL',
    line: '[box] readable = ["~/.toolrc"] and [gates] env = ["DATABASE_URL"]',
  });
});

it.each([
  [
    ['/home/u/.store/nm'],
    'Links in what git ignores lead to ~/.store/nm, and the box doesn\'t show it. If a gate needs it, add to .ralph/ralph.toml: [box] readable = ["~/.store/nm"].',
  ],
  [
    ['/home/u/.store/a', '/home/u/.store/b', '/home/u/.store/b', '/home/u/.store/c', '/home/v/nm/d'],
    'Links in what git ignores lead to ~/.store, /home/v/nm, and the box doesn\'t show them. If a gate needs them, add to .ralph/ralph.toml: [box] readable = ["~/.store","/home/v/nm"].',
  ],
])('links that lead to %j, where the box shows nothing: the line that shows it', (paths, text) => {
  expect(notShownText(paths, '/home/u')).toBe(text);
});
