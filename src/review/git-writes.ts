import { splitArguments } from './arguments.ts';
import { type Field, fieldText } from './field.ts';
import type { GitCall } from './git-call.ts';

/** Options that name a file or folder to be written, in the calls that have them. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  'format-patch': ['-o', '--output-directory', '--output'],
  archive: ['-o', '--output'],
  diff: ['--output'],
  log: ['--output'],
  show: ['--output'],
  apply: ['--directory'],
  config: ['-f', '--file'],
  'checkout-index': ['--prefix'],
};
const VALUED = ['-b', '-B', '-c', '-s', '--source', '--depth', '--branch', '--pathspec-from-file'];

/** Files that a call of git writes by name. What a commit, a branch or a patch in a file holds is not known. */
export function gitWrites({ verb, args }: GitCall): readonly Field[] {
  const options = OUTPUTS[verb] ?? [];
  const { values, operands, flags } = splitArguments(args, [...options, ...VALUED]);
  const outputs = options.flatMap((option) => values.get(option) ?? []);
  const first = operands[0] === undefined ? '' : fieldText(operands[0]);
  switch (verb) {
    case 'mv':
    case 'clone':
      return operands.slice(-1);
    case 'init':
    case 'checkout':
      return operands;
    case 'restore':
      return flags.includes('--staged') || flags.includes('-S') ? [] : operands;
    case 'worktree':
    case 'submodule':
      return first === 'add' ? operands.slice(1) : [];
    case 'bundle':
      return first === 'create' ? operands.slice(1, 2) : [];
    default:
      return outputs;
  }
}
