import type { Command } from 'commander';
import type { Examples } from '../../call.ts';
import * as compare from './compare.ts';
import * as evaluation from './eval.ts';
import * as runUnit from './run-unit.ts';

export const examples: Examples = {
  ...evaluation.examples,
  ...compare.examples,
};

export function define(program: Command): void {
  const command = evaluation.define(program);
  for (const one of [compare, runUnit]) one.define(command);
}
