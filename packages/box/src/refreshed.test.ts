import { ADAPTERS } from 'ralph-agents';
import { classifySignIn, type SignInChange } from 'ralph-box/refreshed';
import type { SignIn } from 'ralph-kit/agent-home';
import { describe, expect, it } from 'vitest';

/** A token as an identity service makes it: its claims can be read. */
const jwt = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'c'.repeat(8)}`;

const signInOf = (agent: keyof typeof ADAPTERS): SignIn => {
  const [signIn] = ADAPTERS[agent].home?.signIns ?? [];
  if (signIn === undefined) throw new Error(`${agent} has no sign-in`);
  return signIn;
};

const [OLD, NEW] = [1_790_000_000, 1_790_864_000];
const MINE = { sub: 'user-1', email: 'me@example.com' };

/** Your sign-in in the form of each program, and as the program itself refreshes it. */
const FORMS = {
  claude: {
    before: {
      claudeAiOauth: {
        ...{ accessToken: 'sk-ant-oat01-a', refreshToken: 'sk-ant-ort01-a', expiresAt: OLD * 1000 },
        ...{ scopes: ['user:inference'], subscriptionType: 'max' },
      },
      mcpOAuth: {},
    },
    refreshed: {
      claudeAiOauth: {
        ...{ accessToken: 'sk-ant-oat01-b', refreshToken: 'sk-ant-ort01-b', expiresAt: NEW * 1000 },
        ...{ scopes: ['user:inference'], subscriptionType: 'max' },
      },
      mcpOAuth: {},
    },
    account: { oauthAccount: { accountUuid: 'account-1', emailAddress: 'me@example.com' } },
  },
  codex: {
    before: {
      OPENAI_API_KEY: null,
      tokens: {
        ...{ id_token: jwt({ ...MINE, exp: OLD }), access_token: jwt({ sub: 'user-1', exp: OLD }) },
        ...{ refresh_token: 'rt_a', account_id: 'account-1' },
      },
      last_refresh: '2026-09-21T13:33:20.123456789Z',
    },
    refreshed: {
      OPENAI_API_KEY: null,
      tokens: {
        ...{ id_token: jwt({ ...MINE, exp: NEW }), access_token: jwt({ sub: 'user-1', exp: NEW }) },
        ...{ refresh_token: 'rt_b', account_id: 'account-1' },
      },
      last_refresh: '2026-10-01T13:33:20.123456789Z',
    },
  },
  gemini: {
    before: {
      ...{ access_token: 'ya29.a', refresh_token: '1//r', scope: 'openid https://example.com/auth' },
      ...{ token_type: 'Bearer', id_token: jwt({ ...MINE, exp: OLD }), expiry_date: OLD * 1000 },
    },
    refreshed: {
      ...{ access_token: 'ya29.b', scope: 'openid https://example.com/auth', token_type: 'Bearer' },
      ...{ id_token: jwt({ ...MINE, exp: NEW }), expiry_date: NEW * 1000, refresh_token: '1//r' },
    },
  },
  opencode: {
    before: {
      openai: { type: 'oauth', access: 'a', refresh: 'r', expires: OLD, accountId: 'account-1' },
      other: { type: 'api', key: 'k' },
    },
    refreshed: {
      openai: { type: 'oauth', access: 'b', refresh: 's', expires: NEW, accountId: 'account-1' },
      other: { type: 'api', key: 'k' },
    },
  },
  pi: {
    before: { 'openai-codex': { type: 'oauth', access: 'a', refresh: 'r', expires: OLD, accountId: '1' } },
    refreshed: { 'openai-codex': { type: 'oauth', access: 'b', refresh: 's', expires: NEW, accountId: '1' } },
  },
} as const;

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const became = (
  agent: keyof typeof ADAPTERS,
  before: unknown,
  after: unknown,
  account: unknown = null,
  accountAfter = account,
): SignInChange => {
  const side = (signIn: unknown, of: unknown) => ({
    signIn: bytes(signIn),
    account: of === null ? null : bytes(of),
  });
  return classifySignIn(signInOf(agent), side(before, account), side(after, accountAfter));
};
/** The same value with a member of it replaced, deeper ones by their path; `undefined`: taken out. */
const withAt = (value: unknown, path: string, now: unknown): unknown => {
  const copy = structuredClone(value) as Record<string, unknown>;
  const names = path.split('/');
  const last = names.pop() as string;
  const inner = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  if (now === undefined) delete inner[last];
  else inner[last] = now;
  return copy;
};

describe('a sign-in that its program refreshed', () => {
  it.each(Object.entries(FORMS))('%s: comes back', (agent, form) => {
    const account = 'account' in form ? form.account : null;
    const result = became(agent as keyof typeof FORMS, form.before, form.refreshed, account);
    expect(result.kind).toBe('refreshed');
    expect(JSON.parse('content' in result ? result.content : '')).toEqual(form.refreshed);
  });

  it('the same is nothing to carry back', () => {
    expect(became('codex', FORMS.codex.before, FORMS.codex.before)).toEqual({ kind: 'same' });
    expect(became('codex', 'no JSON', 'no JSON')).toEqual({ kind: 'same' });
  });

  it('only tokens and times are taken: plans and servers stay yours', () => {
    const { before, refreshed, account } = FORMS.claude;
    const more = withAt(withAt(refreshed, 'claudeAiOauth/subscriptionType', '!touch x'), 'mcpOAuth/x', {
      accessToken: 'y',
    });
    const result = became('claude', before, withAt(more, 'claudeAiOauth/helper', 'x'), account);
    expect(JSON.parse('content' in result ? result.content : '')).toEqual(refreshed);
    expect(became('claude', before, withAt(before, 'mcpOAuth/x', { accessToken: 'y' }), account).kind).toBe(
      'same',
    );
  });

  it('one that says nothing of whose it is is not proven', () => {
    const { before, refreshed } = FORMS.claude;
    expect(became('claude', before, refreshed).kind).toBe('unproven');
    const qwen = (token: string, at: number) => ({
      ...{ access_token: token, refresh_token: token, token_type: 'Bearer', expiry_date: at },
      resource_url: 'portal.qwen.ai',
    });
    const moved = { ...qwen('b', NEW), resource_url: 'example.com' };
    const result = became('qwen', qwen('a', OLD), moved);
    expect(result).toMatchObject({ kind: 'unproven' });
    expect(JSON.parse('content' in result ? result.content : '')).toEqual(qwen('b', NEW));
    expect(became('opencode', { x: { type: 'api', key: 'a' } }, { x: { type: 'api', key: 'b' } })).toEqual({
      ...{ kind: 'changed', how: 'expiry' },
    });
  });
});

const { codex, opencode, claude, gemini, pi } = FORMS;
const OTHER = { sub: 'user-2', email: 'other@example.com', exp: NEW };

describe('a sign-in that was swapped', () => {
  it.each<[string, keyof typeof FORMS, unknown, string]>([
    ['another account', 'codex', withAt(codex.refreshed, 'tokens/account_id', 'account-2'), 'account'],
    [
      'a token of another user',
      'codex',
      withAt(codex.refreshed, 'tokens/access_token', jwt(OTHER)),
      'account',
    ],
    ['an id of another user', 'codex', withAt(codex.refreshed, 'tokens/id_token', jwt(OTHER)), 'account'],
    [
      'a token that says nothing',
      'codex',
      withAt(codex.refreshed, 'tokens/access_token', 'opaque'),
      'account',
    ],
    ['another account of many', 'opencode', withAt(opencode.refreshed, 'openai/accountId', '2'), 'account'],
    ['another account with one', 'pi', withAt(pi.refreshed, 'openai-codex/accountId', '2'), 'account'],
    [
      'a refresh token that never changes',
      'gemini',
      withAt(gemini.refreshed, 'refresh_token', '1//x'),
      'account',
    ],
    ['an earlier end', 'opencode', withAt(opencode.refreshed, 'openai/expires', OLD - 1), 'expiry'],
    [
      'an earlier end of a token',
      'codex',
      withAt(codex.refreshed, 'tokens/access_token', jwt({ sub: 'user-1', exp: 1 })),
      'expiry',
    ],
    ['the refresh token alone', 'codex', withAt(codex.before, 'tokens/refresh_token', 'rt_x'), 'expiry'],
    ['the tokens alone', 'pi', withAt(pi.before, 'openai-codex/access', 'x'), 'expiry'],
    ['an entry less', 'opencode', withAt(opencode.refreshed, 'other', undefined), 'entries'],
    [
      'an entry more',
      'opencode',
      withAt(opencode.refreshed, 'anthropic', { type: 'api', key: 'x' }),
      'entries',
    ],
    ['a member less', 'codex', withAt(codex.refreshed, 'tokens/account_id', undefined), 'entries'],
    ['a key where none was', 'codex', withAt(codex.before, 'OPENAI_API_KEY', 'sk-x'), 'expiry'],
    ['a command', 'opencode', withAt(opencode.refreshed, 'openai/access', '!touch x'), 'values'],
    ['a variable', 'pi', withAt(pi.refreshed, 'openai-codex/refresh', '$HOME'), 'values'],
    ['more lines', 'pi', withAt(pi.refreshed, 'openai-codex/refresh', 'a\nb'), 'values'],
    ['another type', 'opencode', withAt(opencode.refreshed, 'openai/expires', String(NEW)), 'values'],
    ['an object for a token', 'opencode', withAt(opencode.refreshed, 'openai/access', { a: 1 }), 'values'],
    ['a list', 'codex', [codex.refreshed], 'values'],
    ['no JSON', 'codex', '{', 'values'],
  ])('%s (%s)', (_what, agent, after, how) => {
    expect(became(agent, FORMS[agent].before, after)).toEqual({ kind: 'changed', how });
  });

  it('another account in the file beside it', () => {
    const other = withAt(claude.account, 'oauthAccount/accountUuid', 'account-2');
    const with_ = (account: unknown) =>
      became('claude', claude.before, claude.refreshed, claude.account, account);
    expect(with_(other)).toEqual({ kind: 'changed', how: 'account' });
    expect(with_('{')).toEqual({ kind: 'changed', how: 'account' });
  });
});
