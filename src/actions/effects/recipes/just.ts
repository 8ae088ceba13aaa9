import { filled, neededLines } from './targets.ts';

const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.+)$/;
const ALIAS = /^alias\s+([\w-]+)\s*:=\s*([\w-]+)/;
/** `@name param default='x' *rest: need (other "a") && after` */
const HEAD =
  /^@?([A-Za-z_][\w-]*)((?:\s+[$*+]{0,2}[A-Za-z_][\w-]*(?:\s*=\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|[^\s:'"`]+))?)*)\s*:(?!=)(.*)$/;
const PARAMETER = /[$*+]{0,2}([A-Za-z_][\w-]*)(?:\s*=\s*('[^'\n]*'|"[^"\n]*"|`[^`\n]*`|[^\s:'"`]+))?/g;

type Recipe = {
  needs: readonly string[];
  lines: string[];
  parameters: readonly (readonly [string, string | null])[];
};

/** The command lines that just runs for the words that it is given: recipes, each with its arguments behind it. */
export function justRecipes(text: string, words: readonly string[]): readonly string[] {
  const { recipes, variables, first } = recipesIn(text);
  const [wanted = first, ...given] = words;
  const start = words.filter((word) => recipes.has(word));
  const parameters = recipes.get(wanted)?.parameters ?? [];
  const values = new Map(variables);
  for (const [at, [name, preset]] of parameters.entries()) {
    const rest = at === parameters.length - 1 ? given.slice(at).join(' ') : given[at];
    const value = rest === undefined || rest === '' ? preset : rest;
    if (value !== null) values.set(name, value);
  }
  // Commands in values run whatever is asked for.
  const evaluated = [...variables.values()].flatMap((value) =>
    [...value.matchAll(/\$\uE008\(([^)]*)\)/g)].map(([, line = '']) => line),
  );
  const asked = start.length > 0 ? start : [wanted];
  return [...evaluated, ...neededLines(asked, recipes)].map((line) => asShell(line, values));
}

function recipesIn(text: string): {
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly variables: ReadonlyMap<string, string>;
  /** What is run where nothing is asked for. */
  readonly first: string;
} {
  const recipes = new Map<string, Recipe>();
  const variables = new Map<string, string>();
  let current: Recipe | null = null;
  let first: string | null = null;
  for (const line of text.replace(/\\\n[ \t]*/g, ' ').split('\n')) {
    if (/^\s/.test(line)) {
      current?.lines.push(line.trim());
      continue;
    }
    const [, variable, value] = ASSIGNMENT.exec(line) ?? [];
    const [, alias, target = ''] = ALIAS.exec(line) ?? [];
    const [, name, parameters = '', needs = ''] = HEAD.exec(line) ?? [];
    if (alias !== undefined) recipes.set(alias, { needs: [target], lines: [], parameters: [] });
    else if (variable !== undefined && value !== undefined) variables.set(variable, asWritten(value));
    else if (name !== undefined) {
      current = {
        needs: needs.replace(/"[^"]*"|'[^']*'/g, ' ').match(/[A-Za-z_][\w-]*/g) ?? [],
        lines: [],
        parameters: [...parameters.matchAll(PARAMETER)].map(
          ([, parameter = '', preset]) =>
            [parameter, preset === undefined ? null : asWritten(preset)] as const,
        ),
      };
      first ??= name;
      recipes.set(name, current);
    }
  }
  for (const recipe of recipes.values()) recipe.lines = asOneScript(recipe.lines);
  return { recipes, variables, first: first ?? '' };
}

/** With `#!` in front the lines are one program; a shell's is read by a shell. */
function asOneScript(lines: string[]): string[] {
  return lines[0]?.startsWith('#!') === true ? [lines.join('\n')] : lines;
}

/** An expression as the shell would write it: texts and names that are put together; a command in backticks is marked. */
function asWritten(expression: string): string {
  const parts =
    expression.match(/'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|[A-Za-z_][\w-]*\([^()\n]*\)|[A-Za-z_][\w-]*|[+/]/g) ?? [];
  return parts
    .map((part) => {
      if (part === '+') return '';
      if (part === '/') return part;
      if (/^['"]/.test(part)) return part.slice(1, -1);
      if (part.startsWith('`')) return `$\uE008(${part.slice(1, -1)})`;
      const [, call, inner = ''] = /^([\w-]+)\(([^)]*)\)$/.exec(part) ?? [];
      if (call === undefined) return `{{${part}}}`;
      const [first = ''] = inner.match(/'[^']*'|"[^"]*"/) ?? [];
      const text = first.slice(1, -1);
      if (/^env(?:_var)?(?:_or_default)?$/.test(call)) return `\${${text}}`;
      if (call === 'shell') return `$\uE008(${text})`;
      return call === 'home_directory' || call === 'home_dir' ? '$HOME' : `\${${call}}`;
    })
    .join('');
}

function asShell(line: string, values: ReadonlyMap<string, string>): string {
  const plain = line.replace(/^[@-]+/, '').replace(/\{\{\{\{/g, '\uE009');
  const named = plain.replace(/\{\{\s*([^{}]*[^{}\s\w-][^{}]*?)\s*\}\}/g, (_, each: string) =>
    asWritten(each),
  );
  return filled(named, /\{\{\s*([\w-]+)\s*\}\}/g, values)
    .replaceAll('\uE008', '')
    .replaceAll('\uE009', '{{');
}
