import type { ParsedScript, SyntaxNode, Word } from 'unbash';
import type { Field } from '../field.ts';
import type { Output } from '../output.ts';
import type { ShellState } from '../shell-state.ts';

/** What words are resolved with. */
export type WordContext = {
  readonly state: ShellState;
  /** Walks a script inside the word and gives what it prints. */
  readonly run: (script: ParsedScript) => Output;
  /** Walks the scripts that lie anywhere below a node whose value is not needed. */
  readonly runBelow: (node: SyntaxNode) => void;
  /** The ways in which a word inside the word may come out. */
  readonly resolve: (word: Word) => readonly (readonly Field[])[];
  /** Pays for steps; `false`: there are none left. */
  readonly spend: (steps: number) => boolean;
};
