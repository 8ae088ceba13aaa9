/** The first id of a list that ralph writes. */
export const FIRST_ID = 'T-1';

/**
 * The id that follows on those of a list: `T-03` after `T-01` and `T-02`, `T-1` in an empty one. `null` where a task has none, or the last one
 * doesn't end with a number, or where they are numbers that something else gives (`#12`).
 */
export function nextId(ids: readonly (string | null)[]): string | null {
  if (ids.length === 0) return FIRST_ID;
  const known = ids.filter((id) => id !== null);
  const match = /^(.*?)(\d+)$/.exec(known.at(-1) ?? '');
  if (match === null || known.length < ids.length || known.some((id) => id.startsWith('#'))) return null;
  const [, prefix = '', digits = ''] = match;
  const numbers = known.flatMap((id) => {
    const rest = id.startsWith(prefix) ? id.slice(prefix.length) : '';
    return /^\d{1,9}$/.test(rest) ? [Number(rest)] : [];
  });
  return `${prefix}${String(Math.max(...numbers) + 1).padStart(digits.length, '0')}`;
}
