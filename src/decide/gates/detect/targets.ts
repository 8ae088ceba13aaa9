import { type FoundGate, firstFile, formOf, type GateKind, type SeenFiles } from 'ralph-ecosystems';
import { shellQuote } from 'ralph-kit/shell-quote';

export type FoundTarget = { readonly gate: FoundGate; readonly recipe: string };

const GROUPS: readonly (readonly [GateKind, readonly string[]])[] = [
  ['lint', ['lint']],
  ['format', ['format-check', 'fmt-check', 'check-format']],
  ['types', ['typecheck', 'type-check', 'types']],
  ['test', ['test', 'tests', 'check']],
];

export type Rule = { readonly needs: readonly string[]; readonly lines: readonly string[] };

/** File names of each tool, with a pattern for the first line of a target. */
const TOOLS = [
  ['make', ['GNUmakefile', 'makefile', 'Makefile'], /^([^\s:=#.][^:=#]*?)\s*::?(?!=)/],
  // A recipe that requires an argument can't be run by its name alone.
  [
    'just',
    ['justfile', 'Justfile', '.justfile'],
    /^@?([\w-]+)(?:\s+(?:[*][\w-]+|[+$]?[\w-]+=\S+))*\s*:(?!=)/,
  ],
] as const;

export const TARGET_FILES: readonly string[] = TOOLS.flatMap(([, names]) => names);

export function targetsIn(
  files: SeenFiles,
): readonly { readonly tool: string; readonly recipes: ReadonlyMap<string, Rule> }[] {
  return TOOLS.flatMap(([tool, names, head]) => {
    const file = firstFile(files, names);
    return file === null ? [] : [{ tool, recipes: rulesIn(file.text, head) }];
  });
}

export function targetGates(files: SeenFiles): FoundTarget[] {
  return targetsIn(files).flatMap(({ tool, recipes }) =>
    GROUPS.flatMap(([kind, names]) => {
      const name = names.find((one) => recipes.has(one));
      if (name === undefined) return [];
      const lines = linesOf(name, recipes);
      const kinds = lines.map((line) => formOf(line, new Map()).kind);
      if (kinds.some((form) => form === 'other' || form === 'unusable')) return [];
      const run = `${kinds.includes('with_ci') ? 'CI=1 ' : ''}${tool} ${shellQuote(name)}`;
      return [{ gate: { kind, name, run, tool }, recipe: lines.join('\n') }];
    }),
  );
}

const DEEPEST = 5;
const CALL = /^(?:\$[({]MAKE[)}]|make|just)\s+([\w-]+)$/;

/** Returns a recipe's commands. Calls of other recipes are replaced by their commands. */
function linesOf(name: string, recipes: ReadonlyMap<string, Rule>, depth = 0): string[] {
  return (recipes.get(name)?.lines ?? []).flatMap((text) => {
    const line = bareCommand(text);
    const called = CALL.exec(line)?.[1] ?? '';
    return !recipes.has(called) || depth === DEEPEST ? [line] : linesOf(called, recipes, depth + 1);
  });
}

/** Returns a command without make's prefixes `@` (not printed) and `-` (failure ignored). */
export function bareCommand(text: string): string {
  return text.trim().replace(/^[@+-]+\s*/, '');
}

/**
 * Returns the rules of a makefile or a justfile by name; several names may share one.
 * @param head Matches the first line of a rule: its names, then prerequisites and a command, if they are captured.
 */
export function rulesIn(text: string, head: RegExp): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  let names: readonly string[] = [];
  const add = (needs: readonly string[], lines: readonly string[]) => {
    for (const name of names) {
      const known = rules.get(name) ?? { needs: [], lines: [] };
      rules.set(name, { needs: [...known.needs, ...needs], lines: [...known.lines, ...lines] });
    }
  };
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const match = head.exec(line);
    if (/^\s+\S/.test(line)) add([], [line]);
    else if (match !== null) {
      names = (match[1] ?? '').trim().split(/\s+/);
      add(
        match[2]?.split(/\s+/).filter((need) => need !== '') ?? [],
        match[3] === undefined ? [] : [match[3]],
      );
    } else if (line.trim() !== '' && !line.startsWith('#')) names = [];
  }
  return rules;
}
