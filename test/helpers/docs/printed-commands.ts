import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { buildProgram, commandIn, EVERY } from '../../../src/cli/program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Returns the text of every file below these paths whose name ends so. */
export function textsOf(paths: readonly string[], ending: RegExp): [path: string, text: string][] {
  return paths.flatMap((path) => {
    const names = path.includes('.')
      ? [path]
      : readdirSync(`${root}${path}`, { recursive: true }).map(String);
    return names
      .map((name) => (name === path ? path : `${path}/${name}`))
      .filter((name) => ending.test(name))
      .map((name): [string, string] => [name, readFileSync(`${root}${name}`, 'utf8')]);
  });
}

const PROGRAM = await buildProgram(EVERY);

/** Returns every command by its words, such as `tasks add`. */
export function commandNames(command: Command = PROGRAM): string[] {
  return command.commands.flatMap((below) => [
    below.name(),
    ...commandNames(below).map((name) => `${below.name()} ${name}`),
  ]);
}

const NAMES = new Set(commandNames().map((name) => name.split(' ')[0]));
/** Matches what may follow a command in prose: options, names, numbers, placeholders. */
const ARGUMENT =
  /^(?:-.*|\$\{.*|[A-Z#].*|\d.*|["'<[].*|kept\/\d+|r-\d.*|…|[\w./-]+\.(?:md|json|toml)|[\w]+_[\w]+)$/;

/**
 * Returns the `ralph …` lines of a text as you would paste them. Text in backticks is whole, except in source code,
 * where it may be any text; in prose a command ends where the sentence continues.
 */
export function commandsIn(text: string, isSource = false): string[] {
  return [...text.matchAll(/(?<![\w./@-])(`?)ralph ([^`\n]*?)(?=\bralph [a-z]|[`\n]|$)/g)].flatMap(
    ([, tick, rest = '']) => {
      const quote = isSource ? '' : tick;
      // The word means the program itself, as in "ralph waits for …".
      const [name = ''] = rest.split(/[\s'",.:;)|\\]/);
      if (!/^[a-z]/.test(name) || (!NAMES.has(name) && quote === '')) return [];
      const end = quote === '' ? /['"`|&>;)\\]|\s#|\.\s|,\s|:\s|:$|\.$| {2}/ : /\s#|\s[|&>]/;
      const typed = rest.split(end)[0] ?? '';
      return [quote === '' ? withoutProse(typed) : typed.trim()];
    },
  );
}

function withoutProse(line: string): string {
  const words = line.trim().split(/\s+/);
  const kept: string[] = [];
  for (const word of words) {
    const isName = NAMES.has(kept[0]) ? [...commandNames()].includes([...kept, word].join(' ')) : true;
    const isValue = /^--[\w-]+$/.test(kept.at(-1) ?? '');
    if (kept.length > 0 && !isName && !isValue && !ARGUMENT.test(word)) break;
    kept.push(word);
  }
  return kept.join(' ');
}

/** Resolves with why a command line isn't understood; `null`: it is. No command is run. */
export async function refusalOf(line: string): Promise<string | null> {
  try {
    await optionsOf(line);
    return null;
  } catch (error) {
    const { exitCode = 1, message } = error as { exitCode?: number; message: string };
    return exitCode === 0 ? null : message;
  }
}

/** Returns the options that the command of a line gets, its own and common ones. @throws CommandLineEnd */
export async function optionsOf(line: string): Promise<object> {
  const words = wordsOf(line);
  const program = await buildProgram(commandIn(words));
  let options = {};
  prepare(program, (command) => {
    options = command.optsWithGlobals();
  });
  await program.parseAsync(words, { from: 'user' });
  return options;
}

function prepare(command: Command, onCall: (command: Command) => void): void {
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  if (runs(command)) command.action(() => onCall(command));
  for (const below of command.commands) prepare(below, onCall);
}

/** Returns whether a command with subcommands can run without one; commander has no public function for that. */
function runs(command: Command): boolean {
  const { _actionHandler: own } = command as unknown as { readonly _actionHandler: unknown };
  return command.commands.length === 0 || typeof own === 'function';
}

/** Returns the words of a line in which optional parts are present and placeholders are filled in. */
function wordsOf(line: string): string[] {
  const filled = line
    // Of several alternatives, the first one is used.
    .replace(/\\?\|[^\]]*(?:\[[^\]]*\][^\]]*)*/g, '')
    .replace(/[[\]]/g, '')
    .replace(/\$\{action\}/g, 'show')
    .replace(/\$\{(?:[^{}]|\{[^}]*\})*\}?/g, '1')
    .replace(/\bTIME\b/g, '07:00')
    .replace(/<(?:n|number)>|\bN\b/g, '1')
    .replace(/…/g, 'x')
    .trim();
  return [...filled.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, one, other, plain]) => one ?? other ?? plain ?? '',
  );
}
