import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../../src/config/index.ts';

type Node = ReturnType<typeof configJsonSchema>;
type Key = { readonly name: string; readonly default: unknown };

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(`${root}docs/CONFIGURATION.md`, 'utf8');

/** Every key that takes a value, with NAME for a name of one's own, as the document writes it. */
function keysOf(node: Node, above: readonly string[] = []): Key[] {
  const named = Object.entries(node.properties ?? {}).flatMap(([name, inner]) =>
    keysOf(inner, [...above, name]),
  );
  const other = node.additionalProperties;
  const own = typeof other === 'object' && other.properties ? keysOf(other, [...above, 'NAME']) : [];
  const below = [...named, ...own];
  return below.length > 0 ? below : [{ name: above.join('.'), default: node.default }];
}

/** The defaults of the rows of the document's tables, by dotted key. */
function rowsOf(document: string): Map<string, string> {
  const rows = new Map<string, string>();
  let section = '';
  for (const line of document.split('\n')) {
    section = /^#+ `\[+([\w.-]+)\]+`$/.exec(line)?.[1] ?? (line.startsWith('#') ? '' : section);
    const [, key, value] = /^\| `([\w.]+)` \| (.+?) \| .+ \|$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) rows.set(`${section}.${key}`, value);
  }
  return rows;
}

const rows = rowsOf(text);
const schema = configJsonSchema();
const keys = keysOf(schema).filter(({ name }) => name.includes('.'));
const gateEntry = schema.properties?.gates?.properties?.commands?.items?.anyOf?.find(
  (form) => form.properties,
);
const gateKeys = Object.keys(gateEntry?.properties ?? {}).map((name) => `gates.commands.${name}`);

describe('docs/CONFIGURATION.md', () => {
  it('has a row for each key of the schema and for no other', () => {
    expect(gateKeys.length).toBeGreaterThan(0);
    expect([...rows.keys()].sort()).toEqual([...keys.map(({ name }) => name), ...gateKeys].sort());
  });

  it('names the default that the schema has', () => {
    const withDefault = keys.filter((key) => key.default !== undefined);
    expect(withDefault.length).toBeGreaterThan(50);
    const documented = Object.fromEntries(withDefault.map(({ name }) => [name, rows.get(name)]));
    expect(documented).toEqual(
      Object.fromEntries(withDefault.map((key) => [key.name, `\`${JSON.stringify(key.default)}\``])),
    );
  });
});
