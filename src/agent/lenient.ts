import * as z from 'zod/mini';

// Fields of lines that other programs write: what is missing or of another type becomes an empty value, because
// a new release of an agent may rename anything (agents.md, Surprises 2) and a line must never throw.
export const text = z.catch(z.string(), '');
export const maybeText = z.catch(z.nullable(z.string()), null);
export const number = z.catch(z.number(), 0);
export const maybeNumber = z.catch(z.nullable(z.number()), null);
export const flag = z.catch(z.boolean(), false);
export const anything = z.optional(z.unknown());
export const record = z.catch(z.record(z.string(), z.unknown()), {});

/** An object of lenient fields; anything else counts as `{}`. */
export function fields<S extends z.core.$ZodLooseShape>(shape: S) {
  const strict = z.object(shape);
  return z.catch(strict, () => z.parse(strict, {}));
}

/** An array of lenient items; anything else counts as `[]`. */
export function list<T extends z.core.$ZodType>(item: T) {
  return z.catch(z.array(item), []);
}

/** One line of JSON read by a lenient schema; `null` when the line is no JSON object. */
export function readLine<T extends z.core.$ZodType>(line: string, schema: T): z.output<T> | null {
  const value = parseObject(line);
  return value === null ? null : z.parse(schema, value);
}

function parseObject(line: string): object | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** The tail of a tool's output that an event carries, in characters; the whole of it is in the agent's own log. */
const OUTPUT_LIMIT = 8000;

/** Text of a tool result in any of the forms that agents use (text, parts, a list of parts), bounded, the end kept. */
export function outputText(value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  return parts.map(partText).filter(Boolean).join('\n').slice(-OUTPUT_LIMIT);
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null || !('text' in part)) return '';
  return typeof part.text === 'string' ? part.text : '';
}
