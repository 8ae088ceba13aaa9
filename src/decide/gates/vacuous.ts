import { bareCommand, type Rule, rulesIn } from './detect/targets.ts';

const NO_CHECK =
  /^(?:(?:exec |command )?(?:\/(?:usr\/)?bin\/)?(?::|true)|(?:echo|printf)\b[^|&`]*|(?:set|shopt|cd|export|umask|readonly|sleep|pwd|date|declare|local)\b[^|&`]*|[A-Za-z_]\w*=[^\s`]*|(?:node|bun) (?:-e|--eval|-p) (['"])\s*\1)$/;
const ENDS_WELL =
  /^(?:exec )?(?:exit|return)(?: 0)?$|^(?:node|bun) (?:-e|--eval) (['"])\s*process\.exit\(0?\);?\s*\1$|^trap (['"]?)exit(?: 0)?;?\2 (?:0|EXIT)$/;
/** Matches `true || the check`, where the check never runs. */
const NEVER_REACHED = /^(?::|true|(?:echo|printf)\b[^|&`]*)\s*\|\|/;
const SHELL_WORD = /^(?:if|then|else|elif|do|fi|done|while|\{|\}|\()\s*/;

/**
 * Returns why a shell command checks nothing; `null`: it may check something. Weaker checks are only reported as
 * changes.
 */
export function vacuousShell(text: string, depth = 0): string | null {
  const parts = shellParts(text);
  if (parts.length === 0) return 'is empty';
  for (const part of parts) {
    if (ENDS_WELL.test(part)) return `runs \`${shown(part)}\` before it checks anything`;
    if (NO_CHECK.test(part) && !/\$\(/.test(part)) continue;
    if (NEVER_REACHED.test(part)) continue;
    const inner = /^(?:\S*\/)?(?:ba|da|z|k)?sh -e?c (['"])(.*)\1$/.exec(part)?.[2];
    if (inner === undefined || depth > 2) return null;
    const why = vacuousShell(inner, depth + 1);
    if (why === null) return null;
  }
  return `checks nothing, it only runs \`${shown(parts.join('; '))}\``;
}

function shellParts(text: string): string[] {
  return text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(?:^|\s)#.*$/, '').split(/;|&&/))
    .map((part) => {
      let bare = part.trim().replace(/\s+/g, ' ');
      while (SHELL_WORD.test(bare)) bare = bare.replace(SHELL_WORD, '');
      return bare.replace(/\s*[})]$/, '').replace(/\s*(?:\d?>{1,2}|&>)\s*[^\s|&;]+$/, '');
    })
    .filter((part) => part !== '');
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const CODE_ENDS_WELL =
  /^(?:process\.exit\((?:0)?\)|(?:sys\.)?exit\((?:0|None)?\)|quit\(\)|os\._exit\(0\)|raise SystemExit(?:\((?:0|None)?\))?|exit(?: 0)?|Deno\.exit\(0?\))\s*;?$/;
const CODE_SAYS = /^(?:console\.\w+|print|puts|process\.stdout\.write)\b[^;]*;?$/;
const CODE_IMPORTS =
  /^(?:import\b|from\b.*\bimport\b|(?:const|let|var)\b.*=\s*(?:await )?(?:require|import)\b|require\b)/;

/** Returns why a script in JavaScript, Python or Ruby checks nothing; `null`: it may check something. */
function vacuousCode(text: string): string | null {
  const lines = text
    .replace(/\/\*[\s\S]*?\*\/|^\s*("""|''')[\s\S]*?\1/gm, '')
    .split('\n')
    .map((line) => line.replace(/^#.*|(?:^|\s)(?:\/\/|#).*$/, '').trim())
    .filter((line) => line !== '' && !/^(['"])use strict\1;?$/.test(line));
  if (lines.length === 0) return 'is empty';
  const acting = lines.filter((line) => !CODE_SAYS.test(line));
  const first = acting.find((line) => !CODE_IMPORTS.test(line));
  if (first !== undefined && CODE_ENDS_WELL.test(first)) return `runs \`${first}\` before it checks anything`;
  return acting.length === 0 ? 'checks nothing, it only prints' : null;
}

/** Programs that read a script themselves, for which its first line is just a comment. */
export const READS_SCRIPTS = /^(?:(?:ba|da|z|k)?sh|\.|source|node|bun|deno|tsx|ts-node|python[\d.]*|ruby)$/;
/** Matches a first line that names a program which always succeeds, whatever the script contains. */
const IDLE_INTERPRETER =
  /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s*)?)?(?:\S*\/)?(true|:|echo|printf|cat|tee|head|tail|wc|ls|sleep)(?:\s|$)/;

/**
 * Returns why a gate's script checks nothing; `null`: it may check something, or no program reads it.
 * @param by Program that runs the script.
 */
export function vacuousScript(path: string, text: string, by: string): string | null {
  if (text.trim() === '') return 'is empty';
  const first = READS_SCRIPTS.test(by) ? '' : (/^#!.*/.exec(text)?.[0] ?? '');
  const idle = IDLE_INTERPRETER.exec(first)?.[1];
  if (idle !== undefined) return `is run by \`${idle}\`, which checks nothing`;
  const kind = `${first} ${first === '' ? `${by} ${/\.\w+$/.exec(path)?.[0] ?? ''}` : ''}`;
  if (/\b(?:ba|da|z|k)?sh\b|\.bash\b|(?:^|\s)(?:\.|source)\s/.test(kind))
    return vacuousShell(text.replace(/^#!.*/, ''));
  if (/\b(?:node|bun|deno|tsx|ts-node|python[\d.]*|ruby)\b|\.(?:[cm]?[jt]s|py|rb)\b/.test(kind))
    return vacuousCode(text);
  return null;
}

/** Deepest chain of rules that require each other. */
const DEEPEST = 5;

const RULE = /^([^\s:=#.][^:=#]*?)\s*::?(?!=)\s*([^#;]*)(?:;(.*))?/;

/**
 * Returns why `make TARGETS` or `just TARGETS` checks nothing; `null`: it may check something. Recipes may be indented
 * with any white space.
 */
export function vacuousRecipe(text: string, targets: readonly string[]): string | null {
  const shell = /^\s*(?:export\s+)?SHELL\s*[:?!]?=\s*(.*)$/m.exec(text)?.[1]?.trim();
  if (shell !== undefined && !/sh(?:\s|$)/.test(shell)) return `runs its recipes by ${shell}`;
  if (/^\.IGNORE\s*:/m.test(text)) return 'ignores every error (`.IGNORE`)';
  if (/^\s*(?:export\s+)?MAKEFLAGS\s*[:+?]?=\s*-?\w*[inqt]/m.test(text)) return 'sets MAKEFLAGS';
  const rules = rulesIn(text, RULE);
  const [first] = rules.keys();
  const wanted = targets.length > 0 ? targets : first === undefined ? [] : [first];
  const reasons = wanted.map((target) => vacuousRule(rules, target, 0));
  return reasons.length > 0 && reasons.every((why) => why !== null) ? (reasons[0] ?? null) : null;
}

/** Returns whether a makefile declares a target as phony, so that no file has its name. */
export function isPhony(text: string, target: string): boolean {
  return [...text.matchAll(/^\.PHONY\s*:(.*)$/gm)].some(([, names = '']) =>
    names.trim().split(/\s+/).includes(target),
  );
}

function vacuousRule(rules: ReadonlyMap<string, Rule>, target: string, depth: number): string | null {
  const rule = rules.get(target);
  if (rule === undefined || depth > DEEPEST) return null;
  if (rule.needs.some((need) => vacuousRule(rules, need, depth + 1) === null)) return null;
  const why = vacuousShell(rule.lines.map(bareCommand).join('\n'));
  return why === null ? null : `has a rule \`${target}\` that ${why}`;
}
