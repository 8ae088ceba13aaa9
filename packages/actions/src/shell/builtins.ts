import { programName, splitArguments } from './arguments.ts';
import { exactField, type Field, fieldText, UNKNOWN } from './field.ts';
import { type Output, sourcesOf, UNKNOWN_OUTPUT } from './output.ts';
import { printf } from './outputs.ts';
import { fewFolders, limited, MOST_VALUES, type ShellState, valuesOf } from './shell-state.ts';

/** Applies the changes of a shell builtin to the state: folder, variables, aliases. */
export function changeState(argv: readonly Field[], state: ShellState, input: Output = UNKNOWN_OUTPUT): void {
  const args = argv.slice(1);
  switch (programName(argv[0])) {
    case 'cd':
    case 'chdir':
      changeFolder(splitArguments(args).operands, state);
      return;
    case 'pushd':
      state.folders = [...state.folders, state.cwds].slice(-MOST_VALUES);
      changeFolder(splitArguments(args).operands, state);
      return;
    case 'popd':
      state.cwds = state.folders.at(-1) ?? [null];
      state.folders = state.folders.slice(0, -1);
      return;
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      declare(args, state);
      return;
    case 'read':
      readVariables(args, state, input);
      return;
    case 'mapfile':
    case 'readarray':
      for (const name of [...variableNames(args).slice(-1), 'MAPFILE']) {
        forget(name, state);
        if (input.kind === 'text') state.arrays.set(name, limited(linesOf(input.text).map(exactField)));
      }
      return;
    case 'getopts':
      for (const name of variableNames(args)) forget(name, state);
      return;
    case 'printf':
      if (args[0]?.head === '-v' && args[1] !== undefined) {
        const made = printf(args.slice(2));
        forget(args[1].head, state);
        if (made.kind === 'text') state.vars.set(args[1].head, [exactField(made.text)]);
      }
      return;
    case 'unset':
      for (const arg of args) {
        state.vars.delete(arg.head);
        state.functions.delete(arg.head);
      }
      return;
    case 'set':
      setPositional(args, state);
      return;
    case 'shift': {
      const count = args[0] === undefined ? 1 : Number(args[0].head);
      const words = state.arrays.get('@');
      if (words !== undefined) state.arrays.set('@', words.slice(Number.isInteger(count) ? count : 1));
      return;
    }
    case 'alias':
    case 'hash':
      nameCommand(args, state);
      return;
  }
}

function changeFolder(operands: readonly Field[], state: ShellState): void {
  const target = operands[0] ?? valuesOf(state, 'HOME')[0] ?? UNKNOWN;
  const targets = target.kind === 'exact' && target.head === '-' ? valuesOf(state, 'OLDPWD') : [target];
  const places = targets.map(enteredFolder);
  state.vars.set('OLDPWD', valuesOf(state, 'PWD'));
  state.cwds = fewFolders(
    state.cwds.flatMap((cwd) => places.map((place) => (place === null ? null : inFolder(cwd, place)))),
  );
}

/** Returns one folder that a pattern may match: a deletion there stands for all of them. */
function enteredFolder(target: Field): string | null {
  if (target.kind === 'exact') return target.head;
  return target.kind === 'glob' && !target.tail.includes('..') ? `${target.head}x` : null;
}

function inFolder(cwd: string | null, folder: string): string | null {
  if (folder.startsWith('/')) return folder;
  return cwd === null ? null : `${cwd}/${folder}`;
}

function declare(args: readonly Field[], state: ShellState): void {
  // The value's case changes, or it becomes the name of another variable.
  const changes = args.some((arg) => /^-[a-zA-Z]*[lun]/.test(arg.head));
  const values = new Map<string, Field[]>();
  for (const arg of args) {
    const match = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/.exec(arg.head);
    if (match === null) continue;
    const [, name = '', append = '', head = ''] = match;
    const value = changes || append !== '' ? UNKNOWN : { ...arg, head };
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  for (const [name, found] of values) state.vars.set(name, limited(found));
}

/** `read a b` assigns a word each, and the rest of the line to the last one. Each line of a longer input is possible. */
function readVariables(args: readonly Field[], state: ShellState, input: Output): void {
  const { operands, flags } = splitArguments(args, ['-d', '-n', '-N', '-p', '-t', '-u', '-a', '-i']);
  const names = variableNames(operands);
  const [separator = exactField(' \t\n')] = state.vars.get('IFS') ?? [];
  const known = input.kind === 'text' && separator.kind === 'exact' && flags.length <= 1;
  const lines = known ? linesOf(input.text).map((line) => wordsOf(line, separator.head)) : [];
  for (const [at, name] of (names.length === 0 ? ['REPLY'] : names).entries()) {
    forget(name, state);
    if (input.kind === 'names') state.vars.set(name, limited(input.fields));
    const last = at >= names.length - 1;
    const values = lines.map((words) => (last ? words.slice(at).join(' ') : (words[at] ?? '')));
    if (known) state.vars.set(name, limited(values.map(exactField)));
    const sources = sourcesOf(input);
    if (sources !== '') state.vars.set(name, [{ ...UNKNOWN, tail: UNKNOWN.tail + sources }]);
  }
}

/** Returns the words of a line as `read` splits it. An empty `IFS` splits nothing. */
function wordsOf(line: string, separator: string): readonly string[] {
  if (separator === '') return [line];
  const words = [...line].map((sign) => (separator.includes(sign) ? '\0' : sign)).join('');
  return words.split('\0').filter((word) => word !== '');
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n+$/, '').split('\n');
}

function variableNames(args: readonly Field[]): readonly string[] {
  return args.map((arg) => arg.head).filter((text) => /^[A-Za-z_]\w*$/.test(text));
}

function forget(name: string, state: ShellState): void {
  state.vars.set(name, [UNKNOWN]);
  state.arrays.delete(name);
}

function setPositional(args: readonly Field[], state: ShellState): void {
  const from = args.findIndex((arg) => !/^[-+]\w/.test(arg.head));
  if (from < 0) return;
  state.arrays.set('@', limited(args[from]?.head === '--' ? args.slice(from + 1) : args.slice(from)));
}

function nameCommand(args: readonly Field[], state: ShellState): void {
  if (args[0]?.head === '-p' && args[1] !== undefined && args[2] !== undefined) {
    state.aliases.set(args[2].head, fieldText(args[1]));
    return;
  }
  for (const arg of args) {
    const at = arg.head.indexOf('=');
    if (at > 0) state.aliases.set(arg.head.slice(0, at), fieldText({ ...arg, head: arg.head.slice(at + 1) }));
  }
}
