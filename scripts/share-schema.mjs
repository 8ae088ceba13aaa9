// Writes JSON Schemas without repetition: parts that occur more than once are in `$defs`.

/** Keywords of JSON Schema whose value is a schema, a list of schemas, or schemas by name. */
const ONE = new Set(['items', 'additionalProperties', 'propertyNames']);
const LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const BY_NAME = new Set(['properties']);
/** Number of characters of a part below which a reference to it saves nothing. */
const LEAST = 60;

/** Returns the schema with `change(part, name)` in place of each direct part; `name`: the nearest property's name. */
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
 * Returns an equivalent schema in which each repeated part is in `$defs`, under the name of the property where it first
 * occurs.
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
      // The name is reserved before the part's own parts get theirs.
      $defs[name] = null;
      $defs[name] = withParts(part, property, share);
    }
    return { $ref: `#/$defs/${names.get(text)}` };
  };
  const shared = withParts(schema, 'part', share);
  return names.size === 0 ? shared : { ...shared, $defs };
}

/** Maximum number of columns of a line. */
const WIDTH = 110;

/** Returns JSON text in which every value that fits on a line is on one line. */
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
