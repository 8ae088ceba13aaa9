/** Table names and list positions, from the top. */
export type KeyPath = readonly (string | number)[];
export type Table = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // TOML dates are objects, but not tables.
  return prototype === Object.prototype || prototype === null;
}

/** Returns `loop.agent`, `gates.commands[2].run`, `runners."my agent".argv`. */
export function formatKey(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += (text === '' ? '' : '.') + (/^[\w-]+$/.test(part) ? part : JSON.stringify(part));
  }
  return text;
}

/** Returns the paths of the keys in a text such as `SECTION: KEY KEY`. */
export function keysIn(text: string): KeyPath[] {
  const [section = '', names = ''] = text.split(': ');
  return names.split(' ').map((name) => [...section.split('.'), name]);
}

export function showKey(path: KeyPath): string {
  const list = path.findIndex((part) => typeof part === 'number');
  const cut = (list < 0 ? path.length : list) - 1;
  if (cut < 1) return formatKey(path);
  return `[${formatKey(path.slice(0, cut))}] ${formatKey(path.slice(cut))}`;
}

/** Returns the entry for a path or its nearest table or list; `rest` leads on from there. */
export function nearestEntry<T>(
  entries: ReadonlyMap<string, T>,
  path: KeyPath,
): { readonly entry: T; readonly rest: KeyPath } | null {
  for (let length = path.length; length > 0; length -= 1) {
    const entry = entries.get(formatKey(path.slice(0, length)));
    if (entry !== undefined) return { entry, rest: path.slice(length) };
  }
  return null;
}

export function valueAt(root: unknown, path: KeyPath): unknown {
  let value = root;
  for (const part of path) {
    if (Array.isArray(value) && typeof part === 'number') value = value[part];
    else if (isTable(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}

/** Returns a copy with one value set, replacing whatever blocks the path. */
export function withValue(table: Table, path: KeyPath, value: unknown): Table {
  const [first, ...rest] = path;
  if (first === undefined) return table;
  const below = valueAt(table, [first]);
  const inner = rest.length === 0 ? value : withValue(isTable(below) ? below : {}, rest, value);
  return { ...table, [first]: inner };
}

/** Returns a copy without a value and the tables left empty; list entries stay. */
export function withoutValue(table: Table, path: KeyPath): Table {
  const [first, ...rest] = path;
  if (first === undefined || !Object.hasOwn(table, first)) return table;
  const { [first]: below, ...others } = table;
  if (rest.length === 0) return others;
  if (Array.isArray(below)) {
    const [index, ...inner] = rest;
    const list = below.map((entry, at) =>
      at === index && isTable(entry) ? withoutValue(entry, inner) : entry,
    );
    return { ...table, [first]: list };
  }
  if (!isTable(below)) return table;
  const left = withoutValue(below, rest);
  return Object.keys(left).length === 0 ? others : { ...table, [first]: left };
}

/** Merges tables by key; other values, including lists, are replaced by the stronger side. */
export function mergeTables(weaker: Table, stronger: Table): Table {
  let merged = weaker;
  for (const [key, value] of Object.entries(stronger)) {
    const below = valueAt(merged, [key]);
    merged = { ...merged, [key]: isTable(value) && isTable(below) ? mergeTables(below, value) : value };
  }
  return merged;
}

export type Leaf = { readonly path: KeyPath; readonly value: unknown };

/** Returns all values that aren't tables, and empty tables, in order. A list is one leaf. */
export function leaves(table: Table, above: KeyPath = []): Leaf[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const path = [...above, key];
    return isTable(value) && Object.keys(value).length > 0 ? leaves(value, path) : [{ path, value }];
  });
}
