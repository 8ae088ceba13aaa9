import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/AGENTS.md', import.meta.url);

/** What docs/AGENTS.md says to write into `ralph.toml` for a program that isn't a built-in agent. */
export function documentedEntry(name: string): { readonly runner: string; readonly config: string } {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/```toml\n([\s\S]*?)```/g)].map(
    ([, toml]) => toml ?? '',
  );
  const block = blocks.find((toml) => toml.includes(`[runners.${name}]\n`)) ?? '';
  const tables = block.split(/^(?=\[)/m);
  const linesOf = (head: string) => tables.find((table) => table.startsWith(`${head}\n`));
  const entry = linesOf(`[runners.${name}]`);
  if (entry === undefined) throw new Error(`docs/AGENTS.md has no entry for ${name}`);
  return { runner: entry.slice(entry.indexOf('\n') + 1), config: linesOf('[box]') ?? '' };
}
