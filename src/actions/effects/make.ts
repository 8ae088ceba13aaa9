import { LONGEST_SCRIPT } from '../../lib/actions/review.ts';

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

/** What a file of recipes says of one of its targets. */
type Target = { readonly needs: readonly string[]; readonly lines: readonly string[] };

/** The lines of the targets that are asked for, and of what these need. */
function neededLines(start: readonly string[], targets: ReadonlyMap<string, Target>): readonly string[] {
  const found = new Set<Target>();
  const open = [...start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const target = targets.get(name);
    if (target === undefined || found.has(target)) continue;
    found.add(target);
    open.push(...target.needs);
  }
  return [...found].flatMap(({ lines }) => lines);
}

/** Rounds in which names in values of others are replaced. */
const ROUNDS = 3;

/** A line with the values of its names; a name without one is left to the shell. `name` finds one in its first group. */
function filled(line: string, name: RegExp, values: ReadonlyMap<string, string>): string {
  let text = line;
  for (let round = 0; round < ROUNDS && text.length < LONGEST_SCRIPT; round += 1) {
    const before = text;
    // What the shell fills in is marked, so that no later round takes it for a name.
    text = text.replace(name, (_, word: string) => values.get(word) ?? `$\uE006{${word}}`);
    if (text === before) break;
  }
  return text.replaceAll('\uE006', '');
}
