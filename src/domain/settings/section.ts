import * as z from 'zod/mini';

export const strings = z.array(z.string());
export const count = z.int().check(z.nonnegative());
export const ratio = z.number().check(z.minimum(0), z.maximum(1));
export const positive = z.number().check(z.positive());
export const nonnegative = z.number().check(z.nonnegative());

/** A section with its defaults: `{}` gives the whole of it. */
export function section<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.prefault(z.strictObject(shape), {} as never);
}
