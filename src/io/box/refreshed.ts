import { isRecord } from '../../lib/is-record.ts';

/** Tokens, times, numbers of accounts: nothing that an agent would run (`!command`) or expand (`$NAME`). */
const TOKEN = /^[\w.~+/=:|@-]*$/;

/**
 * Whether a sign-in differs from the one before by values alone that stand where the old ones stood. Anything else could be a
 * program's work: the file is read outside of the box by the next start of the agent.
 */
export function isRefreshed(before: Buffer, after: Buffer): boolean {
  if (after.equals(before)) return false;
  try {
    return isReplaced(JSON.parse(before.toString('utf8')), JSON.parse(after.toString('utf8')));
  } catch {
    return false;
  }
}

function isReplaced(old: unknown, fresh: unknown): boolean {
  if (isRecord(old) && isRecord(fresh))
    return Object.entries(fresh).every(
      ([name, value]) => Object.hasOwn(old, name) && isReplaced(old[name], value),
    );
  if (JSON.stringify(old) === JSON.stringify(fresh)) return true;
  if (typeof fresh === 'string') return typeof old === 'string' && TOKEN.test(fresh);
  return typeof fresh === 'number' && typeof old === 'number';
}
