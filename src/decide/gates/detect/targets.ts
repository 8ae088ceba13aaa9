import {
  type FoundGate,
  firstFile,
  formOf,
  type GateKind,
  type SeenFiles,
} from '../../../ecosystems/index.ts';
import { shellQuote } from '../../../lib/shell-quote.ts';

/** A target of a Makefile or a recipe of a justfile, and what it runs. */
export type FoundTarget = { readonly gate: FoundGate; readonly recipe: string };

const GROUPS: readonly (readonly [GateKind, readonly string[]])[] = [
  ['lint', ['lint']],
  ['format', ['format-check', 'fmt-check', 'check-format']],
  ['types', ['typecheck', 'type-check', 'types']],
  ['test', ['test', 'tests', 'check']],
];

/** What a target needs first, and its lines. */
export type Rule = { readonly needs: readonly string[]; readonly lines: readonly string[] };

/** The files of each tool, and what a line looks like that begins a target. */
const TOOLS = [
  ['make', ['GNUmakefile', 'makefile', 'Makefile'], /^([^\s:=#.][^:=#]*?)\s*::?(?!=)/],
  // A recipe that needs an argument can't be run by its name alone.
  [
    'just',
    ['justfile', 'Justfile', '.justfile'],
    /^@?([\w-]+)(?:\s+(?:[*][\w-]+|[+$]?[\w-]+=\S+))*\s*:(?!=)/,
  ],
] as const;

/** Files at the top that hold targets. */
export const TARGET_FILES: readonly string[] = TOOLS.flatMap(([, names]) => names);

/** The commands of each target of make and of each recipe of just, by its name. */
export function targetsIn(
  files: SeenFiles,
): readonly { readonly tool: string; readonly recipes: ReadonlyMap<string, Rule> }[] {
  return TOOLS.flatMap(([tool, names, head]) => {
    const file = firstFile(files, names);
    return file === null ? [] : [{ tool, recipes: rulesIn(file.text, head) }];
  });
}

/** The targets of make and the recipes of just that check something. */
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

/** Targets that call each other are followed so far. */
const DEEPEST = 5;
const CALL = /^(?:\$[({]MAKE[)}]|make|just)\s+([\w-]+)$/;

/** The commands of a recipe, with those of the recipes that it calls in their places. */
function linesOf(name: string, recipes: ReadonlyMap<string, Rule>, depth = 0): string[] {
  return (recipes.get(name)?.lines ?? []).flatMap((text) => {
    const line = bareCommand(text);
    const called = CALL.exec(line)?.[1] ?? '';
    return !recipes.has(called) || depth === DEEPEST ? [line] : linesOf(called, recipes, depth + 1);
  });
}

/** Without `@` and `-` in front: it isn't printed, its failure is ignored. */
export function bareCommand(text: string): string {
  return text.trim().replace(/^[@+-]+\s*/, '');
}

/**
 * The rules of a makefile or a justfile by name; several names may share one.
 *
 * @param head Matches the line that begins a rule: its names, then what it needs and a command, where those are asked for.
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
