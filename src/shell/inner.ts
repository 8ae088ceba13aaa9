import type { Field } from './field.ts';

/** What a command runs in its turn. */
export type Inner =
  | {
      readonly kind: 'argv';
      readonly argv: readonly Field[];
      readonly cwd?: Field;
      /** `NAME=value` words in front of the command. */
      readonly assigned: readonly Field[];
    }
  /** A text that a shell reads; `elsewhere`: on another machine. */
  | { readonly kind: 'script'; readonly text: Field; readonly elsewhere?: boolean };

/** The commands that a command runs, as they stand in its arguments: what is known of programs isn't the shell's. */
export type InnerCommands = (argv: readonly Field[]) => readonly Inner[];
