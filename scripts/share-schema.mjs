// JSON Schemas without repetition: what a schema has more than once stands in its `$defs`.

/** Keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by name. */
const ONE = new Set(['items', 'additionalProperties', 'propertyNames']);
const LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const BY_NAME = new Set(['properties']);
/** Characters of a part below which a reference to it saves nothing. */
const LEAST = 60;

/** The schema with `change(part, name)` in place of each schema directly in it; `name`: of the nearest property. */
function withParts(schema, name, change) {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (LIST.has(key)) return [key, value.map((part) => change(part, name))];
      if (BY_NAME.has(key))
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([own, part]) => [own, change(part, own)])),
        ];
      return [key, ONE.has(key) && typeof value === 'object' ? change(value, name) : value];
    }),
  );
}

/**
 * A schema that says the same, in which each part that stood there more than once is in `$defs`, under the name of the
 * property where it stood first.
 */
export function shareSchema(schema) {
  const times = new Map();
  const count = (part) => {
    const text = JSON.stringify(part);
    times.set(text, (times.get(text) ?? 0) + 1);
    return times.get(text) === 1 ? withParts(part, '', count) : part;
  };
  count(schema);
  const names = new Map();
  const $defs = {};
  const share = (part, property) => {
    const text = JSON.stringify(part);
    if (times.get(text) === 1 || text.length < LEAST) return withParts(part, property, share);
    if (!names.has(text)) {
      let name = property;
      for (let more = 2; name in $defs; more += 1) name = `${property}${more}`;
      names.set(text, name);
      // Its place is taken before its own parts are named.
      $defs[name] = null;
      $defs[name] = withParts(part, property, share);
    }
    return { $ref: `#/$defs/${names.get(text)}` };
  };
  const shared = withParts(schema, 'part', share);
  return names.size === 0 ? shared : { ...shared, $defs };
}

/** Columns of a line. */
const WIDTH = 110;

/** A JSON text in which what fits on a line stands on one. */
export function schemaText(value, indent = '') {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([key, part]) => `${inner}${isList ? '' : `${JSON.stringify(key)}: `}${schemaText(part, inner)}`,
  );
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
