import type * as z from 'zod/mini';
import { readPlainFile } from './plain-file.ts';

/** The text of a plain file; `null` for whatever can't be read. */
export function plainText(path: string, maxBytes?: number): string | null {
  try {
    const file = readPlainFile(path, maxBytes);
    return file.kind === 'file' ? file.bytes.toString('utf8') : null;
  } catch {
    return null;
  }
}

/** A document of ralph's own; `null` where it can't be read or has another form. */
export function readJson<T>(path: string, schema: z.ZodMiniType<T>, maxBytes?: number): T | null {
  return parseJson(plainText(path, maxBytes), schema);
}

/** The same of its text. */
export function parseJson<T>(text: string | null, schema: z.ZodMiniType<T>): T | null {
  try {
    const parsed = text === null ? null : schema.safeParse(JSON.parse(text));
    return parsed?.success ? parsed.data : null;
  } catch {
    return null;
  }
}
