import type { Field } from './field.ts';
import type { Container, SimpleCommand } from './simple-command.ts';

export type Inner =
  | {
      readonly kind: 'argv';
      readonly argv: readonly Field[];
      readonly cwd?: Field;
      /** `NAME=value` words in front of the command. */
      readonly assigned: readonly Field[];
      readonly elsewhere?: Elsewhere;
    }
  | {
      readonly kind: 'script';
      readonly text: Field;
      readonly elsewhere?: Elsewhere;
      /** The text runs when the shell ends, with the variables of that time. */
      readonly atEnd?: true;
    }
  /** A shell that reads the command's input. `read` turns text in the program's own language into shell text. */
  | { readonly kind: 'fed'; readonly elsewhere?: Elsewhere; readonly read?: (text: string) => string };

/** Place of a command that doesn't run on this machine's files: another machine, or a container. */
export type Elsewhere = 'machine' | Container;

export type Produced = {
  readonly target: Field;
  /** Content: a copy of a file, the unpacked content of one (`null`: of the input), or text with marks for unknown sources. */
  readonly of: { readonly copy: Field } | { readonly packed: Field | null } | { readonly text: string };
};

export type Ran = Pick<SimpleCommand, 'argv' | 'input' | 'substituted'>;

export type Programs = {
  readonly inner: (argv: readonly Field[]) => readonly Inner[];
  /** Returns the sources of a program's output, as marks. */
  readonly prints: (argv: readonly Field[]) => string;
  readonly produces: (command: Ran) => readonly Produced[];
  readonly textAt: (path: string) => string | null;
  readonly runsVariable: (name: string) => boolean;
};
