import { BARE_PROGRAMS } from 'ralph-actions/effects';
import { fieldText, newBudget, readScript, type SimpleCommand } from 'ralph-actions/shell';
import { nameOf } from 'ralph-kit/paths';
import { tryOr } from 'ralph-kit/try-or';
import { parse } from 'yaml';
import { calledScripts } from './package-scripts.ts';

/** Words in a text that are names of programs or files, and names of scripts in package.json. */
export type RunByHook = { readonly files: readonly string[]; readonly scripts: readonly string[] };

/**
 * The text of a git hook, or of settings that have commands. `script`: a shell script; `settings`: commands for another
 * program.
 */
export type HookText = { readonly text: string; readonly kind: 'script' | 'settings' };

/**
 * Returns what a git hook's text runs or sources, without files that are only data: none for `grep FIXME src/x.js`, and
 * the first one for `node tools/check.js src/x.js`. If the text can't be followed, returns all of its words.
 * @param root Absolute top of the work tree, in which hooks run.
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

/** Placeholders for words whose text isn't known before the script runs. */
const MARKS = /[\uE000-\uE0FF]+/g;
const plain = (text: string) => text.replaceAll(MARKS, '');

const SHELL = /^(?:ba|da|z|k|a)?sh$/;
const INTERPRETER = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|lua)$/;
/** Options with which an interpreter only checks or tests files, or has its program in the command line. */
const NO_FILE =
  /^(?:-n|-c|-e|-p|-l|-ne|-pe|-pi|-wc|-ce|-m|--check|--test|--eval|--print|--syntax-only|--lint)$/;
/** Options with which a shell only checks a script, or has its commands in an argument. */
const NO_SCRIPT = /^-\w*[nc]\w*$/;
const LOADS = /^(?:-r|--require|--import|--loader|--experimental-loader)(?:=(.*))?$/s;
/** Options of interpreters and shells whose value is the next word. */
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
  // `commands` include those in a shell's text argument.
  const read = isChecked ? (isShell ? [] : requiredIn(args)) : first === null ? fed : [first.word];
  return [program, ...loaded, ...modules, ...read];
}

/** Returns the first word that isn't an option, after a subcommand that runs a file; `null`: there is none. */
function firstOperand(args: readonly string[]): { readonly word: string; readonly at: number } | null {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const isValue = VALUED.test(word) || (LOADS.exec(word)?.[1] === undefined && LOADS.test(word));
    if (isValue) at += 1;
    else if (!word.startsWith('-') && word !== 'run') return { word, at };
  }
  return null;
}

function requiredIn(args: readonly string[]): string[] {
  return args.flatMap((arg) =>
    [
      ...arg.matchAll(/\b(?:require|import|load|exec|spawn|fork|system|run_path)\w*["'\s(]{1,3}([\w@./-]+)/g),
    ].map(([, path = '']) => path),
  );
}

function loopFiles(script: string): string[] {
  return [...script.matchAll(/\bfor\s+(\w+)\s+in\s+([^;\n]+)[;\n]/g)].flatMap(([, name = '', list = '']) => {
    const runs = new RegExp(
      `(?:^|[;&|\\n{(]|\\b(?:do|then|else|exec|source|node|bun|ruby|perl|php|python[\\d.]*)|\\b(?:ba|da|z|k)?sh|\\s\\.)\\s*["']?\\$\\{?${name}\\b`,
    );
    return runs.test(script) ? wordsOf(list) : [];
  });
}

/**
 * Returns the words of a script that may be names of programs or files, without quotation marks and similar characters.
 */
function wordsOf(text: string): string[] {
  const words = text.split(/[\s"'`;|&()<>{}$=,[\]]+/).map((word) => word.replace(/^[-!:@]+|[:.]+$/g, ''));
  return [...new Set(words.filter((word) => /^[\w@.+/:-]*\w$/.test(word)))];
}

/** Keys of settings with patterns, names and words. All other keys may have commands. */
const NO_COMMAND =
  /^(?:args|description|env|exclude\w*|extends|fail_text|files|glob|id|include|language\w*|min_version|name|only|parserPreset|ref|repo|rev|root|rules|skip\w*|stage\w*|tags|types\w*)$/;

function commandsIn(text: string): string[] {
  const settings: unknown = tryOr(null, () => parse(text));
  return settings instanceof Object ? commandsBelow(settings) : lineCommands(text);
}

function commandsBelow(settings: object): string[] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]) => {
    if (NO_COMMAND.test(key)) return [];
    if (value instanceof Object) {
      // The value of this key is a command as a list of words.
      const isWords = key === 'command' && Array.isArray(value);
      return isWords ? [value.join(' ')] : commandsBelow(value);
    }
    if (typeof value !== 'string') return [];
    const args: unknown = key === 'entry' ? (settings as { readonly args?: unknown }).args : null;
    return [[value, ...(Array.isArray(args) ? args : [])].join(' ')];
  });
}

function lineCommands(text: string): string[] {
  return [...text.matchAll(/^\s*["']?(?:run|entry|cmd|command|script)["']?\s*[:=]\s*(.+)$/gm)].map(
    ([, value = '']) => value.replace(/^(["'])(.*)\1,?$/, '$2'),
  );
}
