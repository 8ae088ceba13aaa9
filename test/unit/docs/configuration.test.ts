import { readdirSync, readFileSync } from 'node:fs';
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

type Row = { readonly default: string; readonly meaning: string };

/** The rows of the document's tables, by dotted key. */
function rowsOf(document: string): Map<string, Row> {
  const rows = new Map<string, Row>();
  let section = '';
  for (const line of document.split('\n')) {
    section = /^#+ `\[+([\w.-]+)\]+`$/.exec(line)?.[1] ?? (line.startsWith('#') ? '' : section);
    const row = /^\| `(\w+)` \| (.+?) \| (.+) \|$/.exec(line);
    if (row?.[1] !== undefined && row[2] !== undefined && row[3] !== undefined) {
      rows.set(`${section}.${row[1]}`, { default: row[2], meaning: row[3] });
    }
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

  it('tells the default that the schema has', () => {
    const withDefault = keys.filter((key) => key.default !== undefined);
    expect(withDefault.length).toBeGreaterThan(50);
    const told = Object.fromEntries(withDefault.map(({ name }) => [name, rows.get(name)?.default]));
    expect(told).toEqual(
      Object.fromEntries(withDefault.map((key) => [key.name, `\`${JSON.stringify(key.default)}\``])),
    );
  });

  it('calls nothing "not in effect yet" that the program reads', () => {
    const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('config/') && !path.startsWith('domain/'))
      .map((path) => readFileSync(`${root}src/${path}`, 'utf8'))
      .join('\n');
    const marked = [...rows]
      .filter(([, { meaning }]) => meaning.includes('**Not in effect yet'))
      .map(([key]) => key);
    expect(marked).toContain('git.pull_request');
    expect(sources).toContain('git.branch_strategy');
    expect(marked.filter((key) => new RegExp(`\\b${key.replaceAll('.', '\\.')}\\b`).test(sources))).toEqual(
      [],
    );
  });
});
