import type { ReviewPlace } from '../domain/review.ts';
import { hasFlag, splitArguments } from './arguments.ts';
import { exactField, type Field, fieldText, patternField } from './field.ts';
import { type GitCall, gitCall } from './git-call.ts';
import type { SimpleCommand, Target } from './simple-command.ts';

/** Files that a call of git deletes for good, or takes out of the work tree. */
export function gitDeletions(command: SimpleCommand, place: ReviewPlace): readonly Target[] {
  const call = gitCall(command);
  const { verb, args, cwds } = call;
  const on = (targets: readonly Field[]) => targets.map((target) => ({ target, cwds }));
  switch (verb) {
    case 'rm': {
      const { flags, operands } = splitArguments(args, ['--pathspec-from-file']);
      return hasFlag(flags, '--cached', '-n', '--dry-run', '--help')
        ? []
        : on(operands.flatMap((each) => pathspec(each, place) ?? []));
    }
    case 'mv': {
      const { operands } = splitArguments(args);
      return on(operands.slice(0, -1));
    }
    case 'clean':
      return on(cleaned(call, place));
    case 'stash':
      // With ignored files, the loop's own folder goes too.
      return hasFlag(splitArguments(args, ['-m', '--message']).flags, '-a', '--all')
        ? on([exactField('.ralph')])
        : [];
    case 'worktree': {
      const { operands } = splitArguments(args);
      return fieldText(operands[0] ?? exactField('')) === 'remove' ? on(operands.slice(1)) : [];
    }
    default:
      return [];
  }
}

function cleaned({ args, cwds, foreign, settings }: GitCall, place: ReviewPlace): readonly Field[] {
  const { flags, values, operands } = splitArguments(args, ['-e', '--exclude']);
  const dry = hasFlag(flags, '-n', '--dry-run', '--help', '-h');
  const forced =
    hasFlag(flags, '-f', '--force') || settings.some((each) => /^clean\.requireforce=/i.test(each.head));
  if (dry || !forced) return [];
  const excluded = [...values.values()].flat().some((field) => fieldText(field).includes('.ralph'));
  const named = operands.flatMap((each) => pathspec(each, place) ?? []);
  const start = named.length > 0 ? named : [exactField('.')];
  const ignored = (foreign || hasFlag(flags, '-x', '-X')) && !excluded;
  return start.map((target) => {
    const text = fieldText(target).replace(/\/+$/, '');
    const top = text === place.root || (/^(?:\.\/?)*$/.test(text) && cwds.every((cwd) => cwd === place.root));
    // At the top the loop's own folder is among the ignored files.
    if (top) return exactField(`${place.root}/${ignored ? '.ralph' : 'x'}`);
    return text === '.' || text === '' ? exactField('./x') : target;
  });
}

/** A pathspec of git as a path: `:/` is the top, signs stand for names; `null`: it only leaves something out. */
function pathspec(field: Field, place: ReviewPlace): Field | null {
  if (field.kind !== 'exact') return field;
  const [, words = '', signs = '', rest = ''] = /^:(?:\(([^)]*)\)|([/!^]+))(.*)$/s.exec(field.head) ?? [];
  if (words === '' && signs === '') return patternField(field.head);
  if (/exclude/.test(words) || /[!^]/.test(signs)) return null;
  const top = signs !== '' || /top/.test(words);
  return patternField(top ? `${place.root}/${rest}` : rest || '.');
}
