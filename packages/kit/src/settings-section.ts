import * as z from 'zod/mini';
import { parseDuration } from './duration.ts';

export const strings = z.array(z.string());
export const count = z.int().check(z.nonnegative());
export const ratio = z.number().check(z.minimum(0), z.maximum(1));
export const positive = z.number().check(z.positive());
export const nonnegative = z.number().check(z.nonnegative());

/** Section whose defaults apply to `{}`. */
export function section<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.prefault(z.strictObject(shape), {} as never);
}

/** Seconds as a number or a text such as "90s", "30m", "2h" (docs/ADAPTIVE_TIMEOUT.md). */
export const Seconds = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value, context) => {
    const seconds = parseDuration(value);
    if (seconds === null) {
      context.issues.push({
        code: 'custom',
        message: 'expected seconds as a number, or a duration such as "90s", "30m", "2h"',
        input: value,
      });
      return z.NEVER;
    }
    return seconds;
  }),
);
