import type { Command } from 'commander';
import type { Examples } from '../../call.ts';
import * as diff from './diff.ts';
import * as explain from './explain.ts';
import * as hook from './hook.ts';
import * as log from './log.ts';
import * as rules from './rules.ts';

export const examples: Examples = {
  ...diff.examples,
  ...explain.examples,
  ...hook.examples,
  ...log.examples,
  ...rules.examples,
};

/** Defines the commands below `review`. None of them decides for you. */
export function define(program: Command): void {
  const review = program.command('review');
  for (const one of [explain, diff, log, rules, hook]) one.define(review);
}
