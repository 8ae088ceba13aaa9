import { describe, expect, it } from 'vitest';
import { blindedText, openingFor } from '../../../src/gates/index.ts';

describe('what a gate needs that the box takes away', () => {
  it.each([
    ["touch: cannot touch '/home/u/.nuget/packages/x': Read-only file system", 'writable = ["~/.nuget"]'],
    ["Error: EROFS: read-only file system, mkdir '/home/u/.config/tool/x'", 'writable = ["~/.config/tool"]'],
    ["OSError: [Errno 30] Read-only file system: '/opt/data/cache/x.db'", 'writable = ["/opt/data/cache"]'],
    ['sh: 1: cannot create /srv/out/x: Read-only file system', 'writable = ["/srv/out"]'],
    ['mkdir: cannot create directory ‘/home/u/.rustup’: Read-only file system', 'writable = ["~/.rustup"]'],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?', 'docker = true'],
    [
      'connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: No such file or directory',
      'sockets = ["/var/run/postgresql"]',
    ],
    ['connect ENOENT /run/redis/redis.sock', 'sockets = ["/run/redis"]'],
    ['connect ENOENT /run/db.sock', 'sockets = ["/run/db.sock"]'],
    ['connect ENOENT /tmp/db.sock', 'sockets = ["/tmp/db.sock"]'],
    ['connect ENOENT /run/user/1000/db.sock', 'sockets = ["/run/user/1000/db.sock"]'],
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
    expect(openingFor('connect ENOENT /run/db.sock', '/home/u', refused)?.line).toMatch(/^sockets/);
    expect(openingFor('403 Forbidden', '/home/u', refused)).toEqual({
      needs: 'to reach a.example',
      line: 'gate_network = [..., "a.example"]',
    });
  });

  it('is said with the line to add', () => {
    expect(blindedText('test', { needs: 'to write ~/.nuget/x', line: 'writable = ["~/.nuget"]' })).toBe(
      'Gate "test" passes outside of the box and fails in it, as it needs to write ~/.nuget/x. Add to .ralph/ralph.toml: [box] writable = ["~/.nuget"], or box = false for this gate.',
    );
    expect(blindedText('test', null)).toBe(
      'Gate "test" passes outside of the box and fails in it. Add to .ralph/ralph.toml: box = false for this gate.',
    );
  });
});
