import type * as z from 'zod/mini';

/** A JSON text in a known form; `null` where it isn't JSON, or has another form. */
export function parseJson<T>(text: string | null, schema: z.ZodMiniType<T>): T | null {
  try {
    const parsed = text === null ? null : schema.safeParse(JSON.parse(text));
    return parsed?.success ? parsed.data : null;
  } catch {
    return null;
  }
}
