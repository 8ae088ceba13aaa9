import { LONGEST_SCRIPT } from '../../../domain/review.ts';

/** What a file of recipes says of one of its targets. */
export type Target = { readonly needs: readonly string[]; readonly lines: readonly string[] };

/** The lines of the targets that are asked for, and of what these need. */
export function neededLines(
  start: readonly string[],
  targets: ReadonlyMap<string, Target>,
): readonly string[] {
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
export function filled(line: string, name: RegExp, values: ReadonlyMap<string, string>): string {
  let text = line;
  for (let round = 0; round < ROUNDS && text.length < LONGEST_SCRIPT; round += 1) {
    const before = text;
    // What the shell fills in is marked, so that no later round takes it for a name.
    text = text.replace(name, (_, word: string) => values.get(word) ?? `$\uE006{${word}}`);
    if (text === before) break;
  }
  return text.replaceAll('\uE006', '');
}
