import { nameOf } from 'ralph-kit/paths';
import { exactField, type Field, joinFields, type SimpleCommand } from '../../shell/index.ts';

export type Call = {
  readonly name: string;
  readonly args: readonly Field[];
  readonly flags: readonly string[];
  readonly values: ReadonlyMap<string, readonly Field[]>;
  readonly operands: readonly Field[];
  readonly command: SimpleCommand;
};

type Paths = 'all' | 'first' | 'last' | ((call: Call) => readonly Field[]);

/** Every program that ralph knows has one entry (`catalogue/index.ts`). */
export type Program = {
  /** The first word may be options without a dash, as in `tar xf`. */
  readonly bundled?: true;
  readonly valued?: readonly string[];
  readonly deletes?: Paths;
  /** Operands that are written. With `last`, a folder as the target gets files with the names of the other operands. */
  readonly writes?: Paths;
  /** Options whose value is a file or folder that is written. */
  readonly into?: readonly string[];
  /** Operands that aren't written are targets of links. */
  readonly links?: true;
  readonly permissions?: 'all';
  /** `true`: no argument makes the program change anything but its output. `unless`: only these arguments do. */
  readonly readsOnly?: true | { readonly unless: RegExp };
  readonly wraps?: Wrapper;
  /** Options whose value is a command line for a shell. */
  readonly scripts?: readonly string[];
  /** Index of the first operand that belongs to a command line for a shell. */
  readonly scriptFrom?: number;
  /** The command line runs on another machine. */
  readonly elsewhere?: true;
  /** Options whose value is a program in the interpreter's own language. Without one, the interpreter reads its input. */
  readonly code?: readonly string[];
  /** When the program waits for typed commands. */
  readonly prompt?: Prompt | ((args: readonly Field[]) => boolean);
};

export type Wrapper = {
  /** Number of operands in front of the command, such as the seconds of `timeout`. */
  readonly skip?: number;
  /** Options with which the wrapper only prints something and runs nothing. */
  readonly lookups?: readonly string[];
  readonly folder?: string;
  /** `NAME=value` words may stand in front of the command. */
  readonly assigns?: true;
};

export type Prompt = {
  /** Options with which the program works and ends, without waiting. */
  readonly ends?: readonly string[];
  /** Options with which the program waits, whatever else it gets. */
  readonly asks?: readonly string[];
  /** Number of operands (a host, a database) that still leave the program waiting. Default: 0. */
  readonly operands?: number;
};

export type KnownProgram = Program & { readonly options: readonly string[] };

export function known(program: Program): KnownProgram {
  const { valued = [], into = [], scripts = [], code = [] } = program;
  return { ...program, options: [...new Set([...valued, ...into, ...scripts, ...code])] };
}

/** Returns the last operand, or the folders that `into` options name, each also as a folder that gets files with the sources' names. */
export function lastPlaces({ operands, values }: Call, into: readonly string[]): readonly Field[] {
  const folders = into.flatMap((option) => values.get(option) ?? []);
  const sources = folders.length > 0 ? operands : operands.slice(0, -1);
  const targets = folders.length > 0 ? folders : operands.slice(-1);
  return targets.flatMap((target) => [target, ...sources.map((source) => inFolder(target, source))]);
}

/** Returns the same entry for each of the names, which are separated by blanks. */
export function alike(names: string, program: Program): Readonly<Record<string, Program>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, program]));
}

export function under(folder: Field, path: Field): Field {
  if (path.head.startsWith('/')) return path;
  return joinFields(joinFields(folder, exactField('/')), path);
}

export function inFolder(folder: Field, source: Field): Field {
  return under(folder, { ...source, head: nameOf(source.head.replace(/\/+$/, '')) });
}

/** A write to these devices loses no data. */
const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd\/|tcp\/|udp\/|pts\/|shm\/)/;

export function isHarmlessDevice(target: Field): boolean {
  return HARMLESS_DEVICE.test(target.head);
}

export function isLastingDevice(target: Field): boolean {
  return target.head.startsWith('/dev/') && !isHarmlessDevice(target);
}
