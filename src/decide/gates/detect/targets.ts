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

/** The targets of make and the recipes of just that check something. */
export function targetGates(files: SeenFiles): FoundTarget[] {
  const makefile = firstFile(files, ['GNUmakefile', 'makefile', 'Makefile']);
  const justfile = firstFile(files, ['justfile', 'Justfile', '.justfile']);
  return [
    ...(makefile === null ? [] : chosen('make', recipesOf(makefile.text, /^([^\s:=#.][^:=#]*?)\s*::?(?!=)/))),
    // A recipe that needs an argument can't be run by its name alone.
    ...(justfile === null
      ? []
      : chosen(
          'just',
          recipesOf(justfile.text, /^@?([\w-]+)(?:\s+(?:[*][\w-]+|[+$]?[\w-]+=\S+))*\s*:(?!=)/),
        )),
  ];
}

function chosen(tool: string, recipes: ReadonlyMap<string, string>): FoundTarget[] {
  return GROUPS.flatMap(([kind, names]) => {
    const name = names.find((one) => recipes.has(one));
    const recipe = name === undefined ? undefined : recipes.get(name);
    if (name === undefined || recipe === undefined) return [];
    const lines = recipe.split('\n').map((line) => line.trim().replace(/^[@+-]+\s*/, ''));
    if (lines.some((line) => ['other', 'unusable'].includes(formOf(line, new Map()).kind))) return [];
    return [{ gate: { kind, name, run: `${tool} ${shellQuote(name)}`, tool }, recipe }];
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
