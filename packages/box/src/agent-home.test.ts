import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ADAPTERS } from 'ralph-agents';
import { existingAgentFolders, type KeptSignIn, openAgentHome } from 'ralph-box/agent-home';
import { findPath } from 'ralph-box/gather';
import type { AgentHome } from 'ralph-kit/agent-home';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/helpers/repository.ts';

const TOOL: AgentHome = {
  folders: [
    { path: '.tool', variable: 'TOOL_HOME', base: null },
    { path: '.local/state/tool', variable: null, base: 'XDG_STATE_HOME' },
  ],
  settings: ['.tool/settings.json', '.tool/hooks'],
  sessions: ['.tool/sessions', '.tool/state/index.db*'],
  signIns: [
    {
      ...{ path: '.tool/auth.json', holds: 'one', account: ['account'] },
      ...{ tokens: ['token', 'refresh'], times: ['expires'] },
    },
  ],
  copies: [{ from: '.tool.json', to: '.tool/.tool.json' }],
  nests: false,
};
/** Sign-ins, each newer than those before it in the alphabet. */
const signIn = (token: string, more: object = { account: 'mine' }) =>
  `${JSON.stringify({ token, refresh: `r-${token}`, expires: token.charCodeAt(0), ...more }, null, 2)}\n`;

function places() {
  const [home, kept] = [temporaryFolder(), temporaryFolder()];
  const ofUser = (name: string) => join(home, '.tool', name);
  const ofBox = (name: string) => join(kept, '.tool', name);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const notices: KeptSignIn[] = [];
  const open = (env = {}, isAlone = true) =>
    openAgentHome(TOOL, kept, home, env, isAlone, (one) => notices.push(one));
  return {
    home,
    kept,
    ofUser,
    ofBox,
    put,
    open,
    notices,
    aside: join(kept, 'kept-.tool-auth.json'),
  };
}
const read = (path: string) => readFileSync(path, 'utf8');

describe('folders of one account whose agents are at work', () => {
  /** Opens the home of an agent that makes changes, and that of an agent in a role, which both use one account. */
  const two = () => {
    const makers = places();
    const kept = temporaryFolder();
    makers.put(makers.ofUser('auth.json'), signIn('a'));
    const role = openAgentHome(TOOL, kept, makers.home, {}, false, (one) => makers.notices.push(one));
    const roles = join(kept, '.tool', 'auth.json');
    return { ...makers, maker: makers.open(), role, roles };
  };

  it('have the sign-in that one of them refreshed, each time, as you have', () => {
    const { ofUser, ofBox, put, open, maker, role, roles, notices } = two();
    for (const [token, from] of [
      ['b', ofBox('auth.json')],
      ['c', roles],
      ['d', ofBox('auth.json')],
    ] as const) {
      // Writes the refreshed sign-in as the agent itself would.
      put(from, JSON.stringify({ ...JSON.parse(signIn(token)), scope: 'more' }));
      for (const home of [maker, role, maker]) home.share();
      const all = [ofUser('auth.json'), ofBox('auth.json'), roles].map(
        (path) => JSON.parse(read(path)).token,
      );
      expect(all).toEqual([token, token, token]);
    }
    // One that begins takes nothing from those at work.
    const written = read(ofBox('auth.json'));
    open({}, false).close();
    expect(read(ofBox('auth.json'))).toBe(written);
    expect(written).toContain('scope');
    for (const home of [maker, role]) home.close();
    open();
    expect([ofUser('auth.json'), ofBox('auth.json')].map(read)).toEqual([signIn('d'), signIn('d')]);
    expect(notices).toEqual([]);
  });

  it('have the one that you refreshed, and no other account of yours before they begin anew', () => {
    const { ofUser, ofBox, put, open, maker, roles, role } = two();
    put(ofUser('auth.json'), signIn('b'));
    for (const home of [maker, role]) home.share();
    expect([read(ofBox('auth.json')), read(roles)]).toEqual([signIn('b'), signIn('b')]);
    put(ofUser('auth.json'), signIn('c', { account: 'another' }));
    for (const home of [maker, role]) home.share();
    expect([read(ofBox('auth.json')), read(roles)]).toEqual([signIn('b'), signIn('b')]);
    open({}, false);
    expect(read(ofBox('auth.json'))).toContain('another');
  });

  it('give nothing else to each other', () => {
    const { ofUser, ofBox, put, maker, role, roles, notices } = two();
    for (const written of [signIn('b', { account: 'other' }), signIn('!command'), '{"token', signIn('A')]) {
      put(ofBox('auth.json'), written);
      for (const home of [maker, role]) home.share();
      expect([ofUser('auth.json'), roles].map(read)).toEqual([signIn('a'), signIn('a')]);
    }
    expect(notices).toEqual([]);
    maker.close();
    expect(notices).toHaveLength(1);
  });
});

describe("an agent's folder in the box", () => {
  it('a sign-in is copied in, and back when it was refreshed', () => {
    const { ofUser, ofBox, put, open } = places();
    put(ofUser('auth.json'), signIn('a'));
    const opened = open();
    expect(read(ofBox('auth.json'))).toBe(signIn('a'));
    put(ofBox('auth.json'), signIn('b'));
    opened.close();
    expect(read(ofUser('auth.json'))).toBe(signIn('b'));
  });

  it('of what an agent leaves, its sign-in and its sessions are there for the next attempt', () => {
    const { ofUser, ofBox, put, open } = places();
    put(ofUser('auth.json'), signIn('a'));
    const lasts = ['auth.json', 'sessions/1.jsonl', 'state/index.db', 'state/index.db-wal'];
    const goes = ['memory.md', 'bin/tool', 'state/instructions.md', 'sessions-2/1.jsonl'];
    const opened = open();
    for (const name of [...lasts.slice(1), ...goes]) put(ofBox(name), 'left');
    symlinkSync(ofUser('.'), ofBox('link'));
    // Another one may be at work in there.
    open({}, false).close();
    expect([...lasts, ...goes].filter((name) => !existsSync(ofBox(name)))).toEqual([]);
    opened.close();
    open();
    expect(lasts.filter((name) => !existsSync(ofBox(name)))).toEqual([]);
    expect([...goes, 'link'].filter((name) => existsSync(ofBox(name)))).toEqual([]);
    expect(existsSync(ofUser('auth.json'))).toBe(true);
  });

  it('what a ralph that was killed could not carry back comes back with the next attempt', () => {
    const { ofUser, ofBox, put, open } = places();
    put(ofUser('auth.json'), signIn('a'));
    open();
    put(ofBox('auth.json'), signIn('b'));
    open();
    expect(read(ofUser('auth.json'))).toBe(signIn('b'));
    expect(read(ofBox('auth.json'))).toBe(signIn('b'));
  });

  it("yours stays where you signed in anew, where it isn't a sign-in, and where a link leads to another file", () => {
    const { home, ofUser, ofBox, put, open } = places();
    put(ofUser('auth.json'), signIn('a'));
    const anew = open();
    put(ofBox('auth.json'), signIn('b'));
    put(ofUser('auth.json'), signIn('c'));
    anew.close();
    expect(read(ofUser('auth.json'))).toBe(signIn('c'));
    const odd = open();
    put(ofBox('auth.json'), signIn('!command'));
    odd.close();
    expect(read(ofUser('auth.json'))).toBe(signIn('c'));
    const linked = open();
    put(join(home, 'other.json'), signIn('d'));
    rmSync(ofBox('auth.json'));
    symlinkSync(join(home, 'other.json'), ofBox('auth.json'));
    linked.close();
    expect(read(ofUser('auth.json'))).toBe(signIn('c'));
  });

  /** Ways to sign you in as another user, or not at all; `null`: a link to another file. */
  const SWAPS: readonly (readonly [string, string | null])[] = [
    ['another account', signIn('b', { account: 'other' })],
    ['the refresh token alone', signIn('a', { account: 'mine', refresh: 'other' })],
    ['an earlier end', signIn('b', { account: 'mine', expires: 1 })],
    ['an entry less', signIn('b', {})],
    ['an entry more, for a key', signIn('a', { account: 'mine', key: 'other' })],
    ['a command', signIn('!sh other')],
    ['a variable', signIn('$OTHER')],
    ['another type', signIn('b', { account: 'mine', expires: 'never' })],
    ['a link to a sign-in', null],
  ];

  it.each(SWAPS)('%s does not come back, and is kept aside', (_what, swap) => {
    const { home, ofUser, ofBox, put, open, notices, aside } = places();
    const swapIn = () => {
      if (swap !== null) return put(ofBox('auth.json'), swap);
      put(join(home, 'other.json'), signIn('b'));
      rmSync(ofBox('auth.json'), { force: true });
      symlinkSync(join(home, 'other.json'), ofBox('auth.json'));
    };
    put(ofUser('auth.json'), signIn('a'));
    const opened = open();
    swapIn();
    opened.close();
    expect(read(ofUser('auth.json'))).toBe(signIn('a'));
    const kept = swap === null ? [] : [{ path: '.tool/auth.json', users: ofUser('auth.json'), place: aside }];
    expect(notices).toMatchObject(kept);
    if (swap !== null) expect(read(aside)).toBe(swap);
    // The next attempt begins with yours, and the same is named once.
    const next = open();
    expect(read(ofBox('auth.json'))).toBe(signIn('a'));
    swapIn();
    next.close();
    expect(notices).toHaveLength(kept.length);
    // A command that copies everything back brings this file, too.
    copyFileSync(ofBox('auth.json'), ofUser('auth.json'));
    expect(read(ofUser('auth.json'))).not.toBe(signIn('a'));
  });

  it('where nothing says whose it is, the box continues with what it refreshed, and yours stays', () => {
    const { ofUser, ofBox, put, open, notices, aside } = places();
    const nobodys = (token: string, more = {}) => signIn(token, { ...more });
    put(ofUser('auth.json'), nobodys('a', { server: 'ofUser' }));
    const opened = open();
    put(ofBox('auth.json'), nobodys('b', { server: 'other' }));
    opened.close();
    expect(read(ofUser('auth.json'))).toBe(nobodys('a', { server: 'ofUser' }));
    expect(notices).toMatchObject([{ how: 'unproven' }]);
    const next = open();
    expect(read(ofBox('auth.json'))).toBe(nobodys('b', { server: 'ofUser' }));
    expect(read(aside)).toBe(nobodys('b', { server: 'ofUser' }));
    put(ofUser('auth.json'), nobodys('c'));
    next.close();
    open();
    expect(read(ofBox('auth.json'))).toBe(nobodys('c'));
    expect(notices).toHaveLength(1);
  });

  it('settings are yours alone: what an attempt left in their place is gone', () => {
    const { ofUser, ofBox, put, open } = places();
    put(ofUser('settings.json'), '{}');
    put(ofBox('settings.json'), '{"hooks":[]}');
    put(ofBox('hooks/stop.sh'), 'x');
    put(ofBox('sessions/1.json'), 'session');
    expect(open().settings).toEqual([
      { path: ofUser('settings.json'), from: ofUser('settings.json'), kind: 'file' },
    ]);
    expect(existsSync(ofBox('settings.json'))).toBe(false);
    expect(existsSync(ofBox('hooks'))).toBe(false);
    expect(read(ofBox('sessions/1.json'))).toBe('session');
  });

  it('settings stay in their place while others at work are shown yours', () => {
    const { ofUser, ofBox, put, open } = places();
    put(ofUser('settings.json'), '{}');
    put(ofUser('hooks/stop.sh'), 'x');
    open();
    // What they are shown on.
    put(ofBox('settings.json'), '');
    symlinkSync(ofUser('hooks'), ofBox('hooks'));
    expect(open({}, false).settings).toHaveLength(2);
    expect(existsSync(ofBox('settings.json'))).toBe(true);
    expect(existsSync(ofBox('hooks'))).toBe(false);
    rmSync(ofUser('settings.json'));
    open({}, false);
    expect(existsSync(ofBox('settings.json'))).toBe(false);
  });

  it('a copy comes in and never goes back, from its folder where a variable names that', () => {
    const { home, ofBox, put, open } = places();
    put(join(home, '.tool.json'), 'accounts');
    const opened = open();
    put(ofBox('.tool.json'), 'changed');
    opened.close();
    expect(read(join(home, '.tool.json'))).toBe('accounts');
    put(join(home, 'mine', '.tool.json'), 'others');
    open({ TOOL_HOME: join(home, 'mine') });
    expect(read(ofBox('.tool.json'))).toBe('others');
  });

  it('variables name its folders, for itself and for those who must not see them', () => {
    const { home, open } = places();
    const env = { TOOL_HOME: join(home, 'mine'), XDG_STATE_HOME: join(home, 'state') };
    const { folders, env: set } = open(env);
    expect(folders.map(({ path }) => path)).toEqual([join(home, 'mine'), join(home, 'state/tool')]);
    expect(set).toEqual({ TOOL_HOME: join(home, 'mine') });
    mkdirSync(join(home, '.tool'));
    expect(existingAgentFolders([TOOL], home, env, findPath)).toEqual([
      join(home, '.tool'),
      join(home, 'mine'),
      join(home, 'state/tool'),
    ]);
  });

  it.each(Object.values(ADAPTERS))('$name: all that it names lies in its folders', ({ home }) => {
    const inFolder = (name: string) => home?.folders.some(({ path }) => name.startsWith(`${path}/`)) ?? true;
    const copies = home?.copies.map(({ to }) => to) ?? [];
    const signIns = home?.signIns ?? [];
    const names = [home?.settings ?? [], signIns.map(({ path }) => path), copies].flat();
    expect(names.filter((name) => !inFolder(name))).toEqual([]);
    expect(copies).toEqual(expect.arrayContaining(signIns.flatMap(({ accountIn }) => accountIn?.file ?? [])));
  });
});
