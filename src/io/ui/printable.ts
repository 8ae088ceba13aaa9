import { isObject } from 'ralph-kit/is-object';
import { remembered } from 'ralph-kit/remembered';
import { onOneLine, pathText, stripControl } from 'ralph-kit/text';

/** Members that hold a name, or a list of names: line ends are removed from these. */
const NAMES =
  /^(?:id|name|names|title|gates?|agent|from|task_?id|tracker|passing|failing|empty|reopened|kept|retried|unblocked|run|host|mode|type|checkpoint)$/i;
const PATHS = /^(?:(?:\w+_)?paths?|\w+Paths?|files?|folder)$/i;

/** Returns plain data in which no text and no member's name can act on a terminal. */
export function printable<T>(value: T): T {
  return walk(value, stripControl) as T;
}

type Clean = (text: string) => string;

function walk(value: unknown, clean: Clean): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value))
    return value.map((item) => walk(item, typeof item === 'string' ? clean : stripControl));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const { shown, clean } = memberOf(key);
      return [shown, walk(inner, clean)];
    }),
  );
}

const memberOf = remembered((key) => {
  const clean: Clean = PATHS.test(key) ? pathText : NAMES.test(key) ? onOneLine : stripControl;
  return { shown: onOneLine(key), clean };
});
