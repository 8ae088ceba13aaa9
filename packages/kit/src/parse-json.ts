import type * as z from 'zod/mini';

/** Parses JSON with a schema; `null` for other text. */
export function parseJson<T>(text: string | null, schema: z.ZodMiniType<T>): T | null {
  try {
    const parsed = text === null ? null : schema.safeParse(JSON.parse(text));
    return parsed?.success ? parsed.data : null;
  } catch {
    return null;
  }
}
