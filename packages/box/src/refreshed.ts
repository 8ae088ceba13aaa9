import type { SignIn } from 'ralph-kit/agent-home';
import { isObject } from 'ralph-kit/is-object';
import { tryOr } from 'ralph-kit/try-or';

/** Change of a sign-in in a box. */
export type SignInChange =
  | { readonly kind: 'same' }
  /** Your file with new tokens and times; `content` is the whole file. */
  | { readonly kind: 'refreshed'; readonly content: string }
  /** Looks refreshed, but nothing in the file says whose account it is. */
  | { readonly kind: 'unproven'; readonly content: string }
  | { readonly kind: 'changed'; readonly how: HowChanged };
export type HowChanged = 'account' | 'entries' | 'values' | 'expiry';

/** A sign-in and the file that names its account; `null` when there is none. */
type Side = { readonly signIn: Buffer; readonly account: Buffer | null };

type Members = Readonly<Record<string, unknown>>;

/** Characters of a token, so that no value is a command (`!command`) or variable (`$NAME`) to an agent. */
const TOKEN = /^[\w.~+/=:|@-]+$/;

/** Claims that identify an account. Signatures aren't checked: that takes the issuer's keys. */
const CLAIMS: readonly (readonly string[])[] = [
  ['sub'],
  ['email'],
  ['https://api.openai.com/auth', 'chatgpt_account_id'],
];

/**
 * Classifies the change of a sign-in in a box. A refresh keeps every old member and the account and has a later
 * expiry; only its tokens and times are taken over, as the agent reads the file outside the box at its next start.
 */
export function classifySignIn(signIn: SignIn, before: Side, after: Side): SignInChange {
  const [old, fresh] = [membersIn(before.signIn), membersIn(after.signIn)];
  if (after.signIn.equals(before.signIn)) return { kind: 'same' };
  if (old === null || fresh === null) return { kind: 'changed', how: 'values' };
  const entries = entriesOf(signIn, old);
  if (entriesOf(signIn, fresh).length > entries.length) return { kind: 'changed', how: 'entries' };
  const owner = ownerBetween(signIn, before.account, after.account);
  if (owner === 'another') return { kind: 'changed', how: 'account' };
  const made = entries.map((path) => {
    const entry = becameEntry(signIn, valueAt(old, path), valueAt(fresh, path), owner === 'same');
    return { path, entry };
  });
  const changed = made.find(({ entry }) => entry.kind === 'changed')?.entry;
  if (changed?.kind === 'changed') return changed;
  const taken = made.flatMap(({ path, entry }) => ('members' in entry ? [{ path, ...entry }] : []));
  if (taken.length === 0) return { kind: 'same' };
  const whole = taken.reduce<unknown>((file, { path, members }) => withMember(file, path, members), old);
  const kind = taken.some((entry) => entry.kind === 'unproven') ? 'unproven' : 'refreshed';
  return { kind, content: `${JSON.stringify(whole, null, 2)}\n` };
}

type BecameEntry =
  | Exclude<SignInChange, { readonly content: string }>
  | { readonly kind: 'refreshed' | 'unproven'; readonly members: unknown };

function becameEntry(signIn: SignIn, old: unknown, fresh: unknown, isProven: boolean): BecameEntry {
  if (JSON.stringify(old) === JSON.stringify(fresh)) return { kind: 'same' };
  if (!isObject(old) || !isObject(fresh) || !hasAll(old, fresh)) return { kind: 'changed', how: 'entries' };
  const { tokens, times, account } = signIn;
  const pairs = (names: readonly string[]) =>
    names
      .map((name) => ({ name, was: memberAt(old, name), is: memberAt(fresh, name) }))
      .filter(({ was }) => was !== undefined);
  const whose = [...pairs(account), ...pairs(tokens).flatMap(claimsOf)];
  if (whose.some(({ was, is }) => was !== is)) return { kind: 'changed', how: 'account' };
  const taken = [...pairs(tokens), ...pairs(times)].filter(({ was, is }) => was !== is);
  if (!taken.every(({ was, is }) => canReplace(was, is))) return { kind: 'changed', how: 'values' };
  const [from, until] = [old, fresh].map((entry) => expiriesOf(entry, signIn));
  if (!isLater(from ?? [], until ?? [])) return { kind: 'changed', how: 'expiry' };
  const members = taken.reduce<unknown>((entry, { name, is }) => withMember(entry, name.split('.'), is), old);
  const isKnown = isProven || whose.some(({ was }) => typeof was === 'string' && was !== '');
  return { kind: isKnown ? 'refreshed' : 'unproven', members };
}

function entriesOf({ holds }: SignIn, file: Members): readonly (readonly string[])[] {
  if (holds === 'one') return [[]];
  const names = Object.keys(file);
  return names.filter((name) => holds === 'many' || holds.member === name).map((name) => [name]);
}

/** Whether every member of `old` exists in `fresh`, recursively. */
function hasAll(old: Members, fresh: Members): boolean {
  return Object.entries(old).every(([name, value]) => {
    if (!Object.hasOwn(fresh, name)) return false;
    const now = fresh[name];
    return !isObject(value) || (isObject(now) && hasAll(value, now));
  });
}

function ownerBetween(
  { accountIn }: SignIn,
  before: Buffer | null,
  after: Buffer | null,
): 'same' | 'another' | 'unknown' {
  if (accountIn === undefined || before === null) return 'unknown';
  const [was, is] = [before, after].map((file) => {
    const members = file === null ? null : membersIn(file);
    return members === null ? undefined : memberAt(members, accountIn.member);
  });
  if (typeof was !== 'string') return 'unknown';
  return was === is ? 'same' : 'another';
}

/** Returns the account claims of a token before and after, where the old token has them. */
function claimsOf({ name, was, is }: { readonly name: string; readonly was: unknown; readonly is: unknown }) {
  const [old, fresh] = [payloadOf(was), payloadOf(is)];
  if (old === null) return [];
  return CLAIMS.map((path) => ({ name, was: valueAt(old, path), is: fresh && valueAt(fresh, path) })).filter(
    ({ was }) => was !== undefined,
  );
}

function canReplace(was: unknown, is: unknown): boolean {
  if (typeof is === 'string') return typeof was === 'string' && TOKEN.test(is);
  return typeof is === 'number' && typeof was === 'number' && Number.isFinite(is);
}

/** Returns the sign-in's times and its tokens' expiry, in an order that is the same for every version. */
function expiriesOf(entry: Members, { tokens, times }: SignIn): readonly (number | null)[] {
  return [
    ...times.map((name) => timeOf(memberAt(entry, name))),
    ...tokens.map((name) => timeOf(payloadOf(memberAt(entry, name))?.exp)),
  ];
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : null;
}

/** Whether no time is earlier or missing, and at least one is later. */
function isLater(from: readonly (number | null)[], until: readonly (number | null)[]): boolean {
  const pairs = from.flatMap((was, at) => (was === null ? [] : [{ was, is: until[at] ?? null }]));
  return (
    pairs.every(({ was, is }) => is !== null && is >= was) &&
    pairs.some(({ was, is }) => is !== null && is > was)
  );
}

function payloadOf(token: unknown): Members | null {
  const [, payload] = typeof token === 'string' ? (/^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? []) : [];
  return payload === undefined ? null : membersIn(Buffer.from(payload, 'base64url'));
}

function membersIn(json: Buffer): Members | null {
  const value: unknown = tryOr(null, () => JSON.parse(json.toString('utf8')));
  return isObject(value) ? value : null;
}

function memberAt(record: Members, name: string): unknown {
  return valueAt(record, name.split('.'));
}

function valueAt(record: Members, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    record,
  );
}

function withMember(record: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined || !isObject(record)) return value;
  return { ...record, [first]: withMember(record[first], rest, value) };
}
