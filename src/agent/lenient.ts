// Fields of lines that other programs write: what is missing or of another type becomes an empty value, because
// a new release of an agent may rename anything (agents.md, Surprises 2) and a line must never throw. Plain functions
// and no schemas: there are hundreds of thousands of lines, and an issue for each missing field took 95 % of the time.

import { isObject } from '../lib/is-object.ts';

/** What a value that came from JSON is taken for. Never throws. */
export type Reader<T> = (value: unknown) => T;

type Shape = Readonly<Record<string, Reader<unknown>>>;
export type Read<S extends Shape> = { readonly [Name in keyof S]: ReturnType<S[Name]> };

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : '');
export const maybeText: Reader<string | null> = (value) => (typeof value === 'string' ? value : null);
/** `1e999` in JSON is infinite: never a number that was meant. */
export const number: Reader<number> = (value) => maybeNumber(value) ?? 0;
export const maybeNumber: Reader<number | null> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const flag: Reader<boolean> = (value) => value === true;
export const anything: Reader<unknown> = (value) => value;
export const object: Reader<Record<string, unknown>> = (value) => maybeObject(value) ?? {};
export const maybeObject: Reader<Record<string, unknown> | null> = (value) => {
  if (!isObject(value)) return null;
  if (!Object.hasOwn(value, '__proto__')) return value;
  // Copied with a plain assignment somewhere, this key would change what the copy inherits.
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
};

/** No field of a line has this name. */
const WHOLE = Symbol('whole');

/**
 * An object of lenient fields, each of which is read when it is asked for: a line has dozens and most kinds of
 * lines need three. Anything else counts as `{}`.
 */
export function fields<S extends Shape>(shape: S): Reader<Read<S>> {
  class View {
    readonly [WHOLE]: Record<string, unknown>;
    constructor(whole: Record<string, unknown>) {
      this[WHOLE] = whole;
    }
  }
  for (const [name, reader] of Object.entries(shape)) {
    const get = function (this: View) {
      return reader(this[WHOLE][name]);
    };
    Object.defineProperty(View.prototype, name, { get });
  }
  // The getters give exactly what `Read` says.
  return (value) => new View(isObject(value) ? value : {}) as unknown as Read<S>;
}

/** An array of lenient items; anything else counts as `[]`. */
export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) ? value.map((one) => item(one)) : []);
}

/** One line of JSON read by a lenient reader; `null` when the line isn't a JSON object. */
export function readLine<T>(line: string, reader: Reader<T>): T | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? reader(value) : null;
  } catch {
    return null;
  }
}

/** The tail of a tool's output that an event carries, in characters; the whole of it is in the agent's own log. */
const OUTPUT_LIMIT = 8000;

/** Text of a tool result in any of the forms that agents use (text, parts, a list of parts), bounded, the end kept. */
export function outputText(value: unknown): string {
  return fullText(value).slice(-OUTPUT_LIMIT);
}

/** The same, all of it. */
export function fullText(value: unknown): string {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : isObject(part) ? text(part.text) : '',
  );
  return texts.filter(Boolean).join('\n');
}
