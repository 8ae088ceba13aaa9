import type * as z from 'zod/mini';

/**
 * Returns a schema's value before anything happened: lists and tables are empty, numbers 0, texts empty, flags false; what
 * may be `null` is `null`, what may be absent is, and of several words the first counts.
 * @throws Error for a type without such a value, such as a union.
 */
export function emptyOf<Schema extends z.core.$ZodType>(schema: Schema): z.output<Schema> {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  return emptyBy(def) as z.output<Schema>;
}

function emptyBy(def: z.core.$ZodTypes['_zod']['def']): unknown {
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, inner]) => [name, emptyOf(inner)] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    case 'default':
      return def.defaultValue;
    case 'nullable':
      return null;
    case 'optional':
      return undefined;
    case 'array':
      return [];
    case 'record':
      return {};
    case 'number':
      return 0;
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'enum':
      return Object.values(def.entries)[0];
    default:
      throw new Error(`There is no empty value of type ${def.type}.`);
  }
}
