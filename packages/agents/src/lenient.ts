// Fields of lines written by other programs: missing or mistyped ones become empty values, because new releases may
// rename anything and a line must never throw. Plain functions instead of schemas: issues for missing fields took 95 %
// of the time on hundreds of thousands of lines.

import { isObject } from 'ralph-kit/is-object';

/** Converts a JSON value; never throws. */
export type Reader<T> = (value: unknown) => T;

type Shape = Readonly<Record<string, Reader<unknown>>>;
export type Read<S extends Shape> = { readonly [Name in keyof S]: ReturnType<S[Name]> };

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : '');
export const maybeText: Reader<string | null> = (value) => (typeof value === 'string' ? value : null);
/** JSON's `1e999` is infinite, which no program means. */
export const number: Reader<number> = (value) => maybeNumber(value) ?? 0;
export const maybeNumber: Reader<number | null> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const flag: Reader<boolean> = (value) => value === true;
export const anything: Reader<unknown> = (value) => value;
export const object: Reader<Record<string, unknown>> = (value) => maybeObject(value) ?? {};
export const maybeObject: Reader<Record<string, unknown> | null> = (value) => {
  if (!isObject(value)) return null;
  if (!Object.hasOwn(value, '__proto__')) return value;
  // Plainly assigned, this key would change a copy's prototype.
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
};

/** Symbol, so that no field has this name. */
const WHOLE = Symbol('whole');

/**
 * Reads an object's fields on access: lines have dozens of fields, most kinds need three. Other values count as `{}`.
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
  // The getters return exactly the types of `Read`.
  return (value) => new View(isObject(value) ? value : {}) as unknown as Read<S>;
}

/** Other values count as `[]`. */
export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) ? value.map((one) => item(one)) : []);
}

/** Parses a line; `null` when it isn't a JSON object. */
export function readLine<T>(line: string, reader: Reader<T>): T | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? reader(value) : null;
  } catch {
    return null;
  }
}

/** Number of characters kept from the end of a tool's output; the agent's log has the whole. */
const OUTPUT_LIMIT = 8000;

/** Returns the end of a tool result's text, in any agent's form (text, parts, list of parts). */
export function outputText(value: unknown): string {
  return fullText(value).slice(-OUTPUT_LIMIT);
}

export function fullText(value: unknown): string {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : isObject(part) ? text(part.text) : '',
  );
  return texts.filter(Boolean).join('\n');
}
