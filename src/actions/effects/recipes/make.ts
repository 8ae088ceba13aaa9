import { filled, neededLines, type Target } from './targets.ts';

/** The command lines that make runs for its targets, and for what these need. */
export function makeRecipes(text: string, wanted: readonly string[]): readonly string[] {
  const targets = new Map<string, Target>();
  const variables = new Map<string, string>([['MAKE', 'make']]);
  let current: { needs: readonly string[]; lines: string[] } | null = null;
  let first: string | null = null;
  const joined = text.replace(/\\\n[ \t]*/g, ' ');
  for (const line of joined.split('\n')) {
    const [, name, value] = /^([\w.-]+)\s*[:?+]?:?=\s*(.*)$/.exec(line) ?? [];
    const [, heads, rest] =
      /^([^\t#=:][^=:]*):(?!=)([^=]*)$/.exec(line.includes(';') ? line.slice(0, line.indexOf(';')) : line) ??
      [];
    if (line.startsWith('\t')) current?.lines.push(line.slice(1));
    else if (name !== undefined && value !== undefined) variables.set(name, value);
    else if (heads !== undefined) {
      current = { needs: (rest ?? '').trim().split(/\s+/), lines: [] };
      if (line.includes(';')) current.lines.push(line.slice(line.indexOf(';') + 1));
      for (const head of heads.trim().split(/\s+/)) {
        if (!head.startsWith('.')) first ??= head;
        targets.set(head, current);
      }
    }
  }
  const start = wanted.length > 0 ? wanted : first === null ? [] : [first];
  // Calls of the shell in values run whatever is made.
  const shells = [...joined.matchAll(/\$\(shell ([^)]*)\)/g)].map(([, line]) => line ?? '');
  return [...shells, ...neededLines(start, targets)].map((line) =>
    filled(line.replace(/^[@+-]+/, ''), /(?<!\$)\$[({](\w+)[)}]/g, variables).replaceAll('$$', '$'),
  );
}
