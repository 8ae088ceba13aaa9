import type { Field } from './field.ts';
import type { Input, Output } from './output.ts';

/** `workdir`: the folder that a command starts in, as far as it is known. `lasts`: the container ran before, and stays when the command ends. */
export type Container = { readonly workdir: string; readonly lasts: boolean };

/** One command of a script, with its words as far as they are known. Wrapped commands stand beside their wrapper. */
export type SimpleCommand = {
  readonly argv: readonly Field[];
  /** Files that redirects write to; `empties`: their old content is lost although nothing is written. */
  readonly writes: readonly Field[];
  readonly empties: boolean;
  /** Folders that it may run in; `null`: one that is not known. */
  readonly cwds: readonly (string | null)[];
  readonly input: Input;
  /** What variables tell git: the tops of its work tree, and whether its own folder lies elsewhere. */
  readonly git: { readonly workTrees: readonly Field[]; readonly otherFolder: boolean };
  /** It runs in a container, on files of its own. `null`: it runs here. */
  readonly contained: Container | null;
  /** What `<(…)` among its arguments prints. */
  readonly substituted: Output;
  /** Variables that make other programs run what they hold. */
  readonly environment: readonly (readonly [name: string, values: readonly Field[]])[];
};

/**
 * A text that is run as commands and can't be read; `from`: where it comes from, as far as that is known; `bomb`: a
 * function that starts itself more than once.
 */
export type UnreadText = { readonly from: 'download' | 'unknown' | 'bomb'; readonly shown: string };
