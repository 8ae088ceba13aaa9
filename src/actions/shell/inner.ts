import type { Field } from './field.ts';
import type { Container, SimpleCommand } from './simple-command.ts';

/** What a command runs in its turn. */
export type Inner =
  | {
      readonly kind: 'argv';
      readonly argv: readonly Field[];
      readonly cwd?: Field;
      /** `NAME=value` words in front of the command. */
      readonly assigned: readonly Field[];
      readonly elsewhere?: Elsewhere;
    }
  /** A text that a shell reads. */
  | {
      readonly kind: 'script';
      readonly text: Field;
      readonly elsewhere?: Elsewhere;
      /** It runs when the shell that reads it ends, with the variables as they are then. */
      readonly atEnd?: true;
    }
  /** A shell that reads what the command is fed with; `read`: in a language that this makes one of a shell. */
  | { readonly kind: 'fed'; readonly elsewhere?: Elsewhere; readonly read?: (text: string) => string };

/** Where a command runs that doesn't run here: on another machine, or in a container with files of its own. */
export type Elsewhere = 'machine' | Container;

/** What a command leaves in a file. */
export type Produced = {
  readonly target: Field;
  /**
   * What it holds: a copy of another file, what was packed in one (`null`: in what the command reads), or text that is
   * known as far as its marks say.
   */
  readonly of: { readonly copy: Field } | { readonly packed: Field | null } | { readonly text: string };
};

/** A command with what it reads. */
export type Ran = Pick<SimpleCommand, 'argv' | 'input' | 'substituted'>;

/** What the shell has to ask about programs: what is known of them isn't the shell's. */
export type Programs = {
  /** The commands that a command runs, as they stand in its arguments. */
  readonly inner: (argv: readonly Field[]) => readonly Inner[];
  /** Where what it prints comes from, as marks. */
  readonly prints: (argv: readonly Field[]) => string;
  readonly produces: (command: Ran) => readonly Produced[];
  /** The text of a file that was written lately, by its absolute path. */
  readonly textAt: (path: string) => string | null;
  /** Whether a variable makes other programs run what it holds. */
  readonly runsVariable: (name: string) => boolean;
};
