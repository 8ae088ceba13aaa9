import type { ReviewPlace } from '../domain/review.ts';
import { hasFlag, splitArguments } from './arguments.ts';
import { exactField, type Field, fieldText } from './field.ts';
import type { SimpleCommand, Target } from './simple-command.ts';

const GLOBAL = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'];

/** What a call of git is about: its word, what follows, and the folders that it works in. */
export type GitCall = {
  readonly verb: string;
  readonly args: readonly Field[];
  readonly cwds: readonly (string | null)[];
};

export function gitCall(command: SimpleCommand): GitCall {
  const { values, operands } = splitArguments(command.argv.slice(1), GLOBAL, true);
  let cwds = command.cwds;
  for (const folder of [...(values.get('-C') ?? []), ...(values.get('--work-tree') ?? [])]) {
    cwds = cwds.map((cwd) => enter(cwd, folder));
  }
  return { verb: fieldText(operands[0] ?? exactField('')), args: operands.slice(1), cwds };
}

function enter(cwd: string | null, folder: Field): string | null {
  if (folder.kind !== 'exact') return null;
  if (folder.head.startsWith('/')) return folder.head;
  return cwd === null ? null : `${cwd}/${folder.head}`;
}

/** Files that a call of git deletes for good, or takes out of the work tree. */
export function gitDeletions(command: SimpleCommand, place: ReviewPlace): readonly Target[] {
  const { verb, args, cwds } = gitCall(command);
  const on = (targets: readonly Field[]) => targets.map((target) => ({ target, cwds }));
  switch (verb) {
    case 'rm': {
      const { flags, operands } = splitArguments(args, ['--pathspec-from-file']);
      return hasFlag(flags, '--cached', '-n', '--dry-run', '--help') ? [] : on(operands.map(pathspec));
    }
    case 'mv': {
      const { operands } = splitArguments(args);
      return on(operands.slice(0, -1));
    }
    case 'clean':
      return on(cleaned(args, cwds, place));
    case 'worktree': {
      const { operands } = splitArguments(args);
      return fieldText(operands[0] ?? exactField('')) === 'remove' ? on(operands.slice(1)) : [];
    }
    default:
      return [];
  }
}

function cleaned(args: readonly Field[], cwds: GitCall['cwds'], place: ReviewPlace): readonly Field[] {
  const { flags, values, operands } = splitArguments(args, ['-e', '--exclude']);
  const dry = hasFlag(flags, '-n', '--dry-run', '--help', '-h');
  const forced = hasFlag(flags, '-f', '--force');
  if (dry || !forced) return [];
  const excluded = [...values.values()].flat().some((field) => fieldText(field).includes('.ralph'));
  const named = operands.map(pathspec);
  const start = named.length > 0 ? named : [exactField('.')];
  const ignored = hasFlag(flags, '-x', '-X') && !excluded;
  return start.map((target) => {
    const text = fieldText(target).replace(/\/+$/, '');
    const top = /^(?:\.\/?)*$/.test(text) && cwds.every((cwd) => cwd === place.root);
    // At the top the loop's own folder is among the ignored files.
    if (top) return exactField(ignored ? '.ralph' : './x');
    return text === '.' || text === '' ? exactField('./x') : target;
  });
}

/** A pathspec of git as a path: `:/` is the top, signs stand for names. */
function pathspec(field: Field): Field {
  if (field.kind !== 'exact') return field;
  const text = field.head.replace(/^:(?:\([^)]*\)|[/!^]+)/, './');
  const at = text.search(/[*?[]/);
  return at < 0 ? exactField(text) : { kind: 'glob', head: text.slice(0, at), tail: text.slice(at) };
}
