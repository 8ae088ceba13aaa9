import { shellQuote } from '../../../lib/shell-quote.ts';
import { type FoundGate, firstFile, type GateKind, type SeenFiles } from './found.ts';
import { formOf } from './script.ts';

/** A target of a Makefile or a recipe of a justfile, and what it runs. */
export type FoundTarget = { readonly gate: FoundGate; readonly recipe: string };

const GROUPS: readonly (readonly [GateKind, readonly string[]])[] = [
  ['lint', ['lint']],
  ['format', ['format-check', 'fmt-check', 'check-format']],
  ['types', ['typecheck', 'type-check', 'types']],
  ['test', ['test', 'tests', 'check']],
];

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
): readonly { readonly tool: string; readonly recipes: ReadonlyMap<string, string> }[] {
  return TOOLS.flatMap(([tool, names, head]) => {
    const file = firstFile(files, names);
    return file === null ? [] : [{ tool, recipes: recipesOf(file.text, head) }];
  });
}

/** The targets of make and the recipes of just that check something. */
export function targetGates(files: SeenFiles): FoundTarget[] {
  return targetsIn(files).flatMap(({ tool, recipes }) => chosen(tool, recipes));
}

function chosen(tool: string, recipes: ReadonlyMap<string, string>): FoundTarget[] {
  return GROUPS.flatMap(([kind, names]) => {
    const name = names.find((one) => recipes.has(one));
    const recipe = name === undefined ? undefined : recipes.get(name);
    if (name === undefined || recipe === undefined) return [];
    const lines = linesOf(recipe, recipes);
    const kinds = lines.map((line) => formOf(line, new Map()).kind);
    if (kinds.some((form) => form === 'other' || form === 'unusable')) return [];
    const run = `${kinds.includes('with_ci') ? 'CI=1 ' : ''}${tool} ${shellQuote(name)}`;
    return [{ gate: { kind, name, run, tool }, recipe: lines.join('\n') }];
  });
}

/** Targets that call each other are followed so far. */
const DEEPEST = 5;
const CALL = /^(?:\$[({]MAKE[)}]|make|just)\s+([\w-]+)$/;

/** The commands of a recipe, with those of the recipes that it calls in their places. */
function linesOf(recipe: string, recipes: ReadonlyMap<string, string>, depth = 0): string[] {
  return recipe.split('\n').flatMap((text) => {
    const line = text.trim().replace(/^[@+-]+\s*/, '');
    const called = recipes.get(CALL.exec(line)?.[1] ?? '');
    return called === undefined || depth === DEEPEST ? [line] : linesOf(called, recipes, depth + 1);
  });
}

/** The commands of each target, by its name; several may share them. */
function recipesOf(text: string, head: RegExp): ReadonlyMap<string, string> {
  const recipes = new Map<string, string>();
  let names: readonly string[] = [];
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (/^\s+\S/.test(line)) {
      for (const name of names) recipes.set(name, `${recipes.get(name) ?? ''}${line}\n`);
      continue;
    }
    const match = head.exec(line);
    if (match === null) {
      if (line.trim() !== '' && !line.startsWith('#')) names = [];
      continue;
    }
    names = (match[1] ?? '').trim().split(/\s+/);
    for (const name of names) recipes.set(name, recipes.get(name) ?? '');
  }
  return recipes;
}
