import type { SyntaxNode } from 'unbash';
import { exactField, type Field, SECRET_MARK, SOME_NAME, UNKNOWN, UNKNOWN_MARK } from './field.ts';

type Folders = readonly (string | null)[];

/** State of the shell at a point of its script. Several values mean one of them, depending on earlier branches. */
export type ShellState = {
  /** Folders that it may be in, as absolute paths; `null` is an unknown one. */
  cwds: Folders;
  /** Stack of `pushd`, the newest last. */
  folders: readonly Folders[];
  vars: Map<string, readonly Field[]>;
  /** Arrays by name; `@` has the positional parameters. */
  arrays: Map<string, readonly Field[]>;
  functions: Map<string, readonly SyntaxNode[]>;
  aliases: Map<string, string>;
};

/** Bounds the possible values of one variable; with more it is unknown. */
export const MOST_VALUES = 32;

const NAMES_WITHOUT_SLASH =
  /^(?:USER|LOGNAME|HOSTNAME|UID|EUID|PPID|RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|LINENO|BASHPID|BASH_VERSION|OSTYPE|SHLVL|[$!?#-])$/;

export function startState(cwd: string, home: string | null, tmpdir: string): ShellState {
  const vars = new Map<string, readonly Field[]>([
    ['TMPDIR', [exactField(tmpdir)]],
    // Any shell here reads a command line as the one at hand does.
    ['SHELL', [exactField('/bin/sh')]],
  ]);
  if (home !== null) vars.set('HOME', [exactField(home)]);
  return { cwds: [cwd], folders: [], vars, arrays: new Map(), functions: new Map(), aliases: new Map() };
}

export function copyState(state: ShellState): ShellState {
  return {
    cwds: state.cwds,
    folders: state.folders,
    vars: new Map(state.vars),
    arrays: new Map(state.arrays),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  };
}

export function valuesOf(state: ShellState, name: string): readonly Field[] {
  if (name === 'PWD') return state.cwds.map((cwd) => (cwd === null ? UNKNOWN : exactField(cwd)));
  const known = state.vars.get(name);
  if (known !== undefined) return known;
  if (NAMES_WITHOUT_SLASH.test(name)) return [SOME_NAME];
  const positional = state.arrays.get('@');
  if (/^[1-9]\d*$/.test(name) && positional !== undefined) {
    return [positional[Number(name) - 1] ?? exactField('')];
  }
  return [KEYS.test(name) ? { ...UNKNOWN, tail: UNKNOWN_MARK + SECRET_MARK } : UNKNOWN];
}

/** Secret keys that no request sends in plain. Other variables, such as tokens, authenticate requests. */
const KEYS = /^(?:AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|(?:\w+_)?(?:PRIVATE_KEY|SSH_KEY|MASTER_KEY))$/;

/** After a branch, the results of every way are possible. */
export function joinStates(state: ShellState, ways: readonly ShellState[]): void {
  state.cwds = fewFolders(ways.flatMap((way) => way.cwds));
  const names = new Set(ways.flatMap((way) => [...way.vars.keys()]));
  const vars = new Map<string, readonly Field[]>();
  for (const name of names) {
    vars.set(name, limited(distinctFields(ways.flatMap((way) => [...valuesOf(way, name)]))));
  }
  state.vars = vars;
  for (const way of ways) {
    for (const [name, values] of way.arrays) {
      if (name === '@') continue;
      state.arrays.set(name, limited(distinctFields([...(state.arrays.get(name) ?? []), ...values])));
    }
    for (const [name, bodies] of way.functions) {
      state.functions.set(name, [...new Set([...(state.functions.get(name) ?? []), ...bodies])]);
    }
    for (const [name, text] of way.aliases) state.aliases.set(name, text);
  }
}

export function fewFolders(folders: Folders): Folders {
  const distinct = [...new Set(folders)];
  return distinct.length > MOST_VALUES ? [null] : distinct;
}

function distinctFields(fields: readonly Field[]): Field[] {
  const seen = new Map<string, Field>();
  for (const field of fields) seen.set(`${field.kind} ${field.head}\n${field.tail}`, field);
  return [...seen.values()];
}

export function limited(fields: readonly Field[]): readonly Field[] {
  return fields.length > MOST_VALUES ? [UNKNOWN] : fields;
}
