import type { ParsedScript, SyntaxNode, Word } from 'unbash';
import type { Field } from '../field.ts';
import type { Output } from '../output.ts';
import type { ShellState } from '../shell-state.ts';

export type WordContext = {
  readonly state: ShellState;
  readonly run: (script: ParsedScript) => Output;
  /** Walks the scripts below a node whose value isn't needed. */
  readonly runBelow: (node: SyntaxNode) => void;
  readonly resolve: (word: Word) => readonly (readonly Field[])[];
  /** Spends steps of the budget; returns `false` when too few are left. */
  readonly spend: (steps: number) => boolean;
};
