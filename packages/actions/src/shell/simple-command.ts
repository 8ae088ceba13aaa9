import type { Field } from './field.ts';
import type { Input, Output } from './output.ts';

/** `workdir`: folder that a command starts in, if known. `lasts`: the container existed before and stays. */
export type Container = { readonly workdir: string; readonly lasts: boolean };

/** One command of a script, its words as far as they are known. A wrapped command is listed beside its wrapper. */
export type SimpleCommand = {
  readonly argv: readonly Field[];
  /** `writes` are the files that redirects write to; with `empties` their content is lost although nothing is written. */
  readonly writes: readonly Field[];
  readonly empties: boolean;
  /** Folders that the command may run in; `null` is an unknown one. */
  readonly cwds: readonly (string | null)[];
  readonly input: Input;
  readonly git: { readonly workTrees: readonly Field[]; readonly otherFolder: boolean };
  /** Container in which the command runs, on other files; `null` on this machine. */
  readonly contained: Container | null;
  /** Output of `<(…)` in the arguments. */
  readonly substituted: Output;
  readonly environment: readonly (readonly [name: string, values: readonly Field[]])[];
};

/** Text that runs as commands and can't be read. `from` is its source; `bomb` is a function that starts itself more than once. */
export type UnreadText = { readonly from: 'download' | 'unknown' | 'bomb'; readonly shown: string };
