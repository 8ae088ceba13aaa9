import { isRecord } from '../../lib/is-record.ts';
import { remembered } from '../../lib/remembered.ts';
import { onOneLine, stripControl } from '../../lib/text.ts';

/** Members that hold a name, or a list of names: each stays on its line. */
const NAMES =
  /^(?:id|name|names|title|path|paths|gates?|agent|from|task_?id|tracker|files?|reopened|kept|retried|unblocked|run|host|mode|type|folder|checkpoint)$/i;

/** The same plain data with nothing in its texts and names of members that acts on a terminal. */
export function printable<T>(value: T): T {
  return walk(value, false) as T;
}

function walk(value: unknown, isName: boolean): unknown {
  if (typeof value === 'string') return isName ? onOneLine(value) : stripControl(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, isName && typeof item === 'string'));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const { shown, isName } = memberOf(key);
      return [shown, walk(inner, isName)];
    }),
  );
}

const memberOf = remembered((key) => ({ shown: onOneLine(key), isName: NAMES.test(key) }));
