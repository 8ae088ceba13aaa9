import { hollowShell } from './hollow.ts';

/** Rules that stand for one another are followed so far. */
const DEEPEST = 5;

type Rule = { readonly needs: readonly string[]; readonly recipe: readonly string[] };

/**
 * Why `make TARGETS` checks nothing by this makefile; `null` where it may. The same reading serves for `just`, whose
 * recipes are indented by any white space.
 */
export function hollowRecipe(text: string, targets: readonly string[]): string | null {
  const shell = /^\s*(?:export\s+)?SHELL\s*[:?!]?=\s*(.*)$/m.exec(text)?.[1]?.trim();
  if (shell !== undefined && !/sh(?:\s|$)/.test(shell)) return `runs its recipes by ${shell}`;
  if (/^\.IGNORE\s*:/m.test(text)) return 'ignores every error (`.IGNORE`)';
  if (/^\s*(?:export\s+)?MAKEFLAGS\s*[:+?]?=\s*-?\w*[inqt]/m.test(text)) return 'sets MAKEFLAGS';
  const rules = rulesOf(text);
  const [first] = rules.keys();
  const wanted = targets.length > 0 ? targets : first === undefined ? [] : [first];
  const reasons = wanted.map((target) => hollowRule(rules, target, 0));
  return reasons.length > 0 && reasons.every((why) => why !== null) ? (reasons[0] ?? null) : null;
}

/** Whether a makefile says that a target isn't a file. */
export function isPhony(text: string, target: string): boolean {
  return [...text.matchAll(/^\.PHONY\s*:(.*)$/gm)].some(([, names = '']) =>
    names.trim().split(/\s+/).includes(target),
  );
}

function hollowRule(rules: ReadonlyMap<string, Rule>, target: string, depth: number): string | null {
  const rule = rules.get(target);
  if (rule === undefined || depth > DEEPEST) return null;
  if (rule.needs.some((need) => hollowRule(rules, need, depth + 1) === null)) return null;
  const why = hollowShell(rule.recipe.join('\n'));
  return why === null ? null : `has a rule \`${target}\` that ${why}`;
}

function rulesOf(text: string): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  let names: readonly string[] = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    if (/^\s+\S/.test(line)) {
      for (const name of names) add(rules, name, [], [line]);
      continue;
    }
    const head = /^([^\s:=#.][^:=#]*?)\s*::?(?!=)\s*([^#;]*)(?:;(.*))?/.exec(line);
    if (head === null) {
      if (line.trim() !== '' && !line.startsWith('#')) names = [];
      continue;
    }
    names = (head[1] ?? '').split(/\s+/);
    const needs = (head[2] ?? '')
      .trim()
      .split(/\s+/)
      .filter((need) => need !== '');
    for (const name of names) add(rules, name, needs, head[3] === undefined ? [] : [head[3]]);
  }
  return rules;
}

function add(
  rules: Map<string, Rule>,
  name: string,
  needs: readonly string[],
  recipe: readonly string[],
): void {
  const known = rules.get(name) ?? { needs: [], recipe: [] };
  rules.set(name, {
    needs: [...known.needs, ...needs],
    recipe: [...known.recipe, ...recipe.map(withoutSigns)],
  });
}

/** `@` and `-` in front of a command: it isn't printed, its failure is ignored. */
function withoutSigns(command: string): string {
  return command.trim().replace(/^[@+-]+\s*/, '');
}
