import { describe, expect, it } from 'vitest';
import { boxArguments } from './command-line.ts';
import { type BoxPlaces, type FindPath, type Mount, mountsFor } from './mounts.ts';
import type { BoxRole } from './protocol/index.ts';

const PLACES: BoxPlaces = {
  root: '/home/u/p',
  copy: null,
  gitDir: '/home/u/p/.git',
  commonDir: '/home/u/p/.git',
  gitFolders: ['/home/u/p/.git/modules/sub', '/home/u/p/.git/worktrees/w', '/home/u/p/.git/worktrees/away'],
  ofOtherTrees: ['/home/u/p/.git/worktrees/away/index'],
  gitFiles: ['/home/u/p/sub/.git'],
  instructions: ['/home/u/p/docs/PRD.md'],
  stateHome: '/home/u/.local/state/ralph/id',
  records: '/home/u/p/.ralph',
  visible: ['/usr/bin', '/tmp/bin'],
  ownTmp: '/own/tmp',
  ownNotes: '/own/notes',
  standIns: [
    { path: '/home/u/.codex', from: null },
    { path: '/home/u/.claude', from: '/kept/claude' },
  ],
  agentSettings: [
    { path: '/home/u/.claude/settings.json', from: '/home/u/.claude/settings.json', kind: 'file' },
  ],
  ownFolders: [
    { path: '/home/u', from: '/own/home' },
    { path: '/home/u/.npm', from: '/own/seen/1' },
  ],
  shown: [{ path: '/home/u/.nvm', from: '/home/u/.nvm', kind: 'folder' }],
  writable: [],
  readable: [],
  hidden: [],
  sockets: [],
};

const FILES = new Set([
  'config',
  'commondir',
  'gitdir',
  '.git',
  'PRD.md',
  'key',
  '.gitconfig',
  'db.sock',
  'index',
]);
/** All paths of the machine exist in this test, except for those named here. */
const without =
  (...missing: string[]): FindPath =>
  (path) => {
    if (missing.some((name) => path.endsWith(name))) return null;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { realPath: path, kind: FILES.has(name) && path !== '/home/u/p/.git' ? 'file' : 'folder' };
  };
const ALL = without('config.worktree', '/var/run');

const mounts = (role: BoxRole, over: Partial<BoxPlaces> = {}, findPath = ALL) =>
  mountsFor(role, { ...PLACES, ...over }, findPath);

/** What a path is in the box: that of the nearest mount; the rest of the machine is read-only. `own`: a folder of ralph's. */
function accessOf(all: readonly Mount[], path: string): Mount['access'] | 'own' {
  const around = all.filter((one) => path === one.path || path.startsWith(`${one.path}/`));
  const nearest = around.toSorted((one, other) => other.path.length - one.path.length)[0];
  return nearest?.from.startsWith('/own/') === true ? 'own' : (nearest?.access ?? 'read');
}

describe('what a role may do with a path', () => {
  it.each<[string, ...ReturnType<typeof accessOf>[]]>([
    // The columns are: path, and what an agent, a gate and git may do there.
    ['/home/u/p/src/a.ts', 'write', 'write', 'write'],
    ['/home/u/p/.ralph/ralph.toml', 'read', 'read', 'read'],
    ['/home/u/p/docs/PRD.md', 'read', 'read', 'read'],
    ['/home/u/p/docs/other.md', 'write', 'write', 'write'],
    ['/home/u/p/.git/config', 'read', 'read', 'read'],
    ['/home/u/p/.git/hooks/pre-commit', 'read', 'read', 'read'],
    ['/home/u/p/.git/info/exclude', 'read', 'read', 'read'],
    ['/home/u/p/.git/refs/heads/main', 'write', 'read', 'write'],
    ['/home/u/p/.git/index', 'write', 'read', 'write'],
    ['/home/u/p/.git/ralph/index', 'read', 'read', 'write'],
    ['/home/u/p/.git/modules/sub/config', 'read', 'read', 'read'],
    ['/home/u/p/.git/modules/sub/hooks/post-checkout', 'read', 'read', 'read'],
    ['/home/u/p/.git/modules/sub/index', 'write', 'read', 'write'],
    ['/home/u/p/.git/worktrees/w/gitdir', 'read', 'read', 'read'],
    ['/home/u/p/.git/worktrees/w/index', 'write', 'read', 'write'],
    ['/home/u/p/.git/worktrees/away/index', 'read', 'read', 'read'],
    ['/home/u/p/.git/worktrees/away/logs/HEAD', 'write', 'read', 'write'],
    ['/home/u/p/sub/.git', 'read', 'read', 'read'],
    ['/home/u/.local/state/ralph/id/main/journal.jsonl', 'read', 'read', 'read'],
    ['/home/u/.local/state/ralph/id/key', 'hide', 'hide', 'hide'],
    ['/home/u/.local/state/ralph/id/agents/claude/x', 'hide', 'hide', 'hide'],
    ['/home/u/.bashrc', 'own', 'own', 'own'],
    ['/home/u/.npm/_npx/x', 'own', 'own', 'own'],
    ['/home/u/.nvm/versions/x', 'read', 'read', 'read'],
    ['/home/u/.ssh/id_ed25519', 'own', 'own', 'own'],
    ['/home/other/.ssh/id_ed25519', 'hide', 'hide', 'hide'],
    ['/root/.ssh/id_ed25519', 'hide', 'hide', 'hide'],
    ['/home/u/.codex/auth.json', 'hide', 'hide', 'hide'],
    ['/run/docker.sock', 'hide', 'hide', 'hide'],
    ['/run/systemd/resolve/stub', 'read', 'read', 'read'],
    ['/tmp/x', 'own', 'own', 'own'],
    ['/tmp/bin/agent', 'read', 'read', 'read'],
    ['/var/tmp/x', 'own', 'own', 'own'],
    ['/etc/passwd', 'read', 'read', 'read'],
    ['/usr/bin/env', 'read', 'read', 'read'],
  ])('%s: agent %s, gate %s, git %s', (path, agent, gate, git) => {
    expect(accessOf(mounts('agent'), path)).toBe(agent);
    expect(accessOf(mounts('gate'), path)).toBe(gate);
    expect(accessOf(mounts('set-up'), path)).toBe(gate);
    expect(accessOf(mounts('git'), path)).toBe(git);
  });

  it('records of ralph do are as those of the list, though they lie in the state home', () => {
    const records = '/home/u/.local/state/ralph/id/do/main/.ralph';
    for (const [path, agent, git] of [
      [`${records}/do.json`, 'read', 'read'],
      [`${records}/runs/r-1/iterations/0001/prompt.md`, 'hide', 'read'],
      ['/home/u/p/.ralph/runs/r-1/run.json', 'hide', 'read'],
    ] as const) {
      expect(accessOf(mounts('agent', { records }), path)).toBe(agent);
      expect(accessOf(mounts('gate', { records }), path)).toBe(agent);
      expect(accessOf(mounts('git', { records }), path)).toBe(git);
    }
  });

  it('of a copy nothing but objects of the repository can be reached, wherever it lies', () => {
    const copy = { files: '/slot/seen', git: '/slot/git', objects: '/elsewhere/.git/objects' };
    const all = mounts('agent', {
      ...{ copy, commonDir: '/elsewhere/.git', gitDir: '/elsewhere/.git/worktrees/p' },
      writable: ['/home/u/p/out', '/home/u/shared'],
    });
    const from = (path: string) => all.find((one) => one.path === path)?.from;
    expect([from('/home/u/p'), from('/home/u/p/.git')]).toEqual(['/slot/seen', '/slot/git']);
    expect(from('/run/objects')).toBe('/elsewhere/.git/objects');
    expect(accessOf(all, '/run/objects/x')).toBe('read');
    expect(
      ['/elsewhere/.git/config', '/elsewhere/.git/worktrees/p/index'].map((path) => accessOf(all, path)),
    ).toEqual(['hide', 'hide']);
    expect(from('/home/u/p/.ralph')).toBe('/home/u/p/.ralph');
    expect(from('/home/u/p/docs/PRD.md')).toBe('/home/u/p/docs/PRD.md');
    expect(all.filter(({ access, from: at }) => access === 'write' && at.startsWith('/home/u/p'))).toEqual(
      [],
    );
    expect(accessOf(all, '/home/u/shared/x')).toBe('write');
  });

  it("its own folder is one of ralph's, with your settings on top", () => {
    const all = mounts('agent');
    expect(all.find(({ path }) => path === '/home/u/.claude')).toMatchObject({
      access: 'write',
      from: '/kept/claude',
    });
    expect(accessOf(all, '/home/u/.claude/settings.json')).toBe('read');
  });

  it('[box] opens and closes more', () => {
    const all = mounts('gate', {
      writable: ['/home/u/shared'],
      readable: ['/home/u/.npmrc'],
      hidden: ['/home/u/p/secrets'],
      sockets: ['/run/postgresql/db.sock'],
    });
    expect(accessOf(all, '/home/u/shared/x')).toBe('write');
    expect(accessOf(all, '/home/u/.npmrc')).toBe('read');
    expect(accessOf(all, '/home/u/p/secrets/x')).toBe('hide');
    expect(accessOf(all, '/run/postgresql/db.sock')).toBe('read');
  });
});

describe('how it is made', () => {
  it.each<BoxRole>(['agent', 'gate', 'set-up', 'git'])(
    '%s: every folder above something protected cannot be renamed',
    (role) => {
      for (const writable of [[], ['/home/u/.local']]) {
        const all = mounts(role, { writable });
        const places = new Set(all.map(({ path }) => path));
        for (const { path, access, from } of all) {
          if (access === 'write' || from !== path) continue;
          for (
            let at = path.slice(0, path.lastIndexOf('/'));
            at !== '';
            at = at.slice(0, at.lastIndexOf('/'))
          ) {
            if (accessOf(all, at) === 'write') expect(places).toContain(at);
          }
        }
      }
    },
  );

  it('parents come before what lies in them, and nothing is bound that is not there', () => {
    const all = mounts('agent', {}, without('config', 'info', 'config.worktree'));
    const paths = all.map(({ path }) => path);
    for (const [at, path] of paths.entries())
      expect(paths.slice(at + 1).some((later) => path.startsWith(`${later}/`))).toBe(false);
    expect(paths).not.toContain('/home/u/p/.git/config');
    expect(paths).not.toContain('/home/u/p/.git/info');
  });

  it('becomes a command line', () => {
    const options = { level: 'full', isRoot: false, isForeign: false, network: true, nests: false } as const;
    const few: Mount[] = [
      { access: 'hide', path: '/run', from: '/run', kind: 'folder' },
      { access: 'write', path: '/tmp', from: '/own/tmp', kind: 'folder' },
      { access: 'hide', path: '/s/key', from: '/s/key', kind: 'file' },
      { access: 'read', path: '/p/.git/config', from: '/p/.git/config', kind: 'file' },
    ];
    expect(boxArguments(options, few, '/p').join(' ')).toBe(
      '--ro-bind / / --dev /dev --proc /proc --unshare-pid --unshare-user --unshare-ipc --die-with-parent --new-session ' +
        '--cap-drop ALL --tmpfs /run --bind /own/tmp /tmp --ro-bind /dev/null /s/key --ro-bind /p/.git/config /p/.git/config --chdir /p',
    );
  });

  it.each([
    [{ level: 'files' }, ['--ro-bind / /'], ['--unshare-pid', '--proc']],
    [{ network: false }, ['--unshare-net'], []],
    [{ isRoot: true }, ['--ro-bind /proc/sys /proc/sys'], []],
    [{ isRoot: true, nests: true }, ['--cap-drop ALL --cap-add CAP_SETFCAP'], []],
    [{ nests: true }, [], ['--cap-add']],
    [{ isRoot: true, isForeign: true }, ['--cap-add CAP_DAC_OVERRIDE'], ['--unshare-user']],
  ] as const)('%j', (over, present, absent) => {
    const line = boxArguments(
      { level: 'full', isRoot: false, isForeign: false, network: true, nests: false, ...over },
      [],
      '/p',
    ).join(' ');
    for (const part of present) expect(line).toContain(part);
    for (const part of absent) expect(line).not.toContain(part);
  });
});
