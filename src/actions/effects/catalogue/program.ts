import { nameOf } from '../../../lib/paths.ts';
import { exactField, type Field, joinFields, type SimpleCommand } from '../../shell/index.ts';

/** A call of a program, its arguments split by what the program's entry says of its options. */
export type Call = {
  readonly name: string;
  readonly args: readonly Field[];
  readonly flags: readonly string[];
  readonly values: ReadonlyMap<string, readonly Field[]>;
  readonly operands: readonly Field[];
  readonly command: SimpleCommand;
};

type Paths = 'all' | 'first' | 'last' | ((call: Call) => readonly Field[]);

/** What is known of a program. Every program that ralph knows has one entry (`catalogue/index.ts`). */
export type Program = {
  /** Its first word may be options without a dash. */
  readonly bundled?: true;
  /** Options that take a value. */
  readonly valued?: readonly string[];
  /** Operands that are deleted or emptied. */
  readonly deletes?: Paths;
  /** Operands that are written; `last` also in a folder under the names of those before. */
  readonly writes?: Paths;
  /** Options whose value is a file or folder that is written. */
  readonly into?: readonly string[];
  /** What isn't written of its operands is what a link leads to. */
  readonly links?: true;
  /** Operands whose owner, mode or rights it changes. */
  readonly permissions?: 'all';
  /** Arguments with which it surely changes nothing, as long as its output goes nowhere: all, or but for some. */
  readonly readsOnly?: true | { readonly unless: RegExp };
  /** It runs the command that follows. */
  readonly wraps?: Wrapper;
  /** Options that hold a command line for a shell. */
  readonly scripts?: readonly string[];
  /** Operands that are a command line for a shell, from this one on. */
  readonly scriptFrom?: number;
  /** The command line runs on another machine. */
  readonly elsewhere?: true;
  /** Options that hold the text of a program in its own language; without one it reads its input. */
  readonly code?: readonly string[];
  /** It waits for typed commands, unless it is given something to do. */
  readonly prompt?: Prompt | ((args: readonly Field[]) => boolean);
};

export type Wrapper = {
  /** Operands in front of the command, such as the seconds of `timeout`. */
  readonly skip?: number;
  /** Options that only look something up. */
  readonly lookups?: readonly string[];
  /** Option that names the folder to run in. */
  readonly folder?: string;
  /** Whether `NAME=value` words may stand in front of the command. */
  readonly assigns?: true;
};

export type Prompt = {
  /** Options with which it does its work and ends. */
  readonly ends?: readonly string[];
  /** Options with which it waits whatever else was given. */
  readonly asks?: readonly string[];
  /** So many operands (a host, a database) still leave it waiting. */
  readonly operands?: number;
};

/** An entry with all its options that take a value. */
export type KnownProgram = Program & { readonly options: readonly string[] };

/** An entry as the catalogue holds it. */
export function known(program: Program): KnownProgram {
  const { valued = [], into = [], scripts = [], code = [] } = program;
  return { ...program, options: [...new Set([...valued, ...into, ...scripts, ...code])] };
}

/** The last operand, or the folders that options name: written, and in a folder under the names of the others. */
export function lastPlaces({ operands, values }: Call, into: readonly string[]): readonly Field[] {
  const folders = into.flatMap((option) => values.get(option) ?? []);
  const sources = folders.length > 0 ? operands : operands.slice(0, -1);
  const targets = folders.length > 0 ? folders : operands.slice(-1);
  return targets.flatMap((target) => [target, ...sources.map((source) => inFolder(target, source))]);
}

/** Several programs that are alike. */
export function alike(names: string, program: Program): Readonly<Record<string, Program>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, program]));
}

export function under(folder: Field, path: Field): Field {
  if (path.head.startsWith('/')) return path;
  return joinFields(joinFields(folder, exactField('/')), path);
}

/** A file or folder in a folder, under the name that it has elsewhere. */
export function inFolder(folder: Field, source: Field): Field {
  return under(folder, { ...source, head: nameOf(source.head.replace(/\/+$/, '')) });
}

/** Devices on which nothing is kept. */
const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd\/|tcp\/|udp\/|pts\/|shm\/)/;

/** Whether writing to it loses nothing. */
export function isHarmlessDevice(target: Field): boolean {
  return HARMLESS_DEVICE.test(target.head);
}

/** A device that keeps what it holds. */
export function isLastingDevice(target: Field): boolean {
  return target.head.startsWith('/dev/') && !isHarmlessDevice(target);
}
