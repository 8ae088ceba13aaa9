import { parse } from 'yaml';
import { BARE_PROGRAMS } from '../../actions/effects/index.ts';
import { fieldText, newBudget, readScript, type SimpleCommand } from '../../actions/shell/index.ts';
import { nameOf } from '../../lib/paths.ts';
import { tryOr } from '../../lib/try-or.ts';
import { calledScripts } from './package-scripts.ts';

/** What a text runs: words that name a program or a file, and entries of the scripts of a package.json. */
export type RunByHook = { readonly files: readonly string[]; readonly scripts: readonly string[] };

/** `script`: of the shell; `settings`: of a program that runs what they name. */
export type HookText = { readonly text: string; readonly kind: 'script' | 'settings' };

/**
 * What a text of a git hook runs or sources, and not what it names as data: of `grep FIXME src/x.js` nothing, of
 * `node tools/check.js src/x.js` the first file. Where the text can't be followed, all words of it.
 *
 * @param root Absolute top of the work tree, where hooks run.
 */
export function runByHook({ text, kind }: HookText, root: string): RunByHook {
  const script = kind === 'script' ? text : commandsIn(text).join('\n');
  const start = { cwd: root, home: null, root, tmpdir: '/tmp' };
  const { commands, complete } = readScript(script, start, newBudget(), BARE_PROGRAMS);
  if (!complete) {
    const words = wordsOf(script);
    return { files: words, scripts: words };
  }
  const calls = commands.map((command) => ({
    command,
    words: command.argv.map((one) => plain(fieldText(one))),
  }));
  const below = (word: string) => (word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word);
  const files = [...calls.flatMap(({ command, words }) => filesOf(words, command)), ...loopFiles(script)];
  return {
    files: [...new Set(files.map(below).filter((word) => word !== ''))],
    scripts: calls.flatMap(({ words: [program = '', ...args] }) => [
      ...(calledScripts(program, args)?.names ?? []),
    ]),
  };
}

/** Marks of what isn't known before it runs. */
const MARKS = /[\uE000-\uE0FF]+/g;
const plain = (text: string) => text.replaceAll(MARKS, '');

const SHELL = /^(?:ba|da|z|k|a)?sh$/;
const INTERPRETER = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|lua)$/;
/** An interpreter checks the syntax of the files, or tests them, or its program stands in the command. */
const NO_FILE =
  /^(?:-n|-c|-e|-p|-l|-ne|-pe|-pi|-wc|-ce|-m|--check|--test|--eval|--print|--syntax-only|--lint)$/;
/** The same of a shell. */
const NO_SCRIPT = /^-\w*[nc]\w*$/;
const LOADS = /^(?:-r|--require|--import|--loader|--experimental-loader)(?:=(.*))?$/s;
/** Options of interpreters and shells whose value is a word of its own. */
const VALUED = /^(?:-o|-O|-C|-W|-X|-I|--conditions|--env-file|--init-file|--rcfile)$/;

function filesOf([program = '', ...args]: readonly string[], { input }: SimpleCommand): readonly string[] {
  const name = nameOf(program);
  if (name === '.' || name === 'source') return args.slice(0, 1);
  const isShell = SHELL.test(name);
  if (!isShell && !INTERPRETER.test(name)) return [program];
  const loaded = args.flatMap((arg, at) => {
    const [option, value] = LOADS.exec(arg) ?? [];
    return option === undefined ? [] : [value ?? args[at + 1] ?? ''];
  });
  const module = /^python/.test(name) ? args[args.indexOf('-m') + 1] : undefined;
  const modules = args.includes('-m') && module !== undefined ? [`${module.replaceAll('.', '/')}.py`] : [];
  const first = firstOperand(args);
  const fed = input.output.kind === 'files' ? input.output.fields.map((one) => plain(fieldText(one))) : [];
  const options = args.slice(0, first?.at ?? args.length);
  const isChecked = options.some((arg) => (isShell ? NO_SCRIPT : NO_FILE).test(arg));
  // What a shell is given as a text is among the commands.
  const read = isChecked ? (isShell ? [] : requiredIn(args)) : first === null ? fed : [first.word];
  return [program, ...loaded, ...modules, ...read];
}

/** The first word that is no option, behind a verb that runs a file. */
function firstOperand(args: readonly string[]): { readonly word: string; readonly at: number } | null {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const isValue = VALUED.test(word) || (LOADS.exec(word)?.[1] === undefined && LOADS.test(word));
    if (isValue) at += 1;
    else if (!word.startsWith('-') && word !== 'run') return { word, at };
  }
  return null;
}

/** Files that a program in the command itself loads. */
function requiredIn(args: readonly string[]): string[] {
  return args.flatMap((arg) =>
    [
      ...arg.matchAll(/\b(?:require|import|load|exec|spawn|fork|system|run_path)\w*["'\s(]{1,3}([\w@./-]+)/g),
    ].map(([, path = '']) => path),
  );
}

/** Files of a loop over names that runs each of them. */
function loopFiles(script: string): string[] {
  return [...script.matchAll(/\bfor\s+(\w+)\s+in\s+([^;\n]+)[;\n]/g)].flatMap(([, name = '', list = '']) => {
    const runs = new RegExp(
      `(?:^|[;&|\\n{(]|\\b(?:do|then|else|exec|source|node|bun|ruby|perl|php|python[\\d.]*)|\\b(?:ba|da|z|k)?sh|\\s\\.)\\s*["']?\\$\\{?${name}\\b`,
    );
    return runs.test(script) ? wordsOf(list) : [];
  });
}

/** Words of a script that may name a program or a file, quotation marks and the like taken off. */
function wordsOf(text: string): string[] {
  const words = text.split(/[\s"'`;|&()<>{}$=,[\]]+/).map((word) => word.replace(/^[-!:@]+|[:.]+$/g, ''));
  return [...new Set(words.filter((word) => /^[\w@.+/:-]*\w$/.test(word)))];
}

/** Under these names settings hold patterns, names and words; under all others a command may stand. */
const NO_COMMAND =
  /^(?:args|description|env|exclude\w*|extends|fail_text|files|glob|id|include|language\w*|min_version|name|only|parserPreset|ref|repo|rev|root|rules|skip\w*|stage\w*|tags|types\w*)$/;

/** Commands that settings name, with the arguments that stand beside them. */
function commandsIn(text: string): string[] {
  const settings: unknown = tryOr(null, () => parse(text));
  return settings instanceof Object ? commandsBelow(settings) : lineCommands(text);
}

function commandsBelow(settings: object): string[] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]) => {
    if (NO_COMMAND.test(key)) return [];
    if (value instanceof Object) {
      // A command as a list of its words.
      const isWords = key === 'command' && Array.isArray(value);
      return isWords ? [value.join(' ')] : commandsBelow(value);
    }
    if (typeof value !== 'string') return [];
    const args: unknown = key === 'entry' ? (settings as { readonly args?: unknown }).args : null;
    return [[value, ...(Array.isArray(args) ? args : [])].join(' ')];
  });
}

/** Of settings in another format. */
function lineCommands(text: string): string[] {
  return [...text.matchAll(/^\s*["']?(?:run|entry|cmd|command|script)["']?\s*[:=]\s*(.+)$/gm)].map(
    ([, value = '']) => value.replace(/^(["'])(.*)\1,?$/, '$2'),
  );
}
