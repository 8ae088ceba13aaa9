import { fieldText, hasFlag, type SimpleCommand, splitArguments } from '../shell/index.ts';
import { whoseCredentials } from './credentials.ts';
import type { Effect, EffectPlace } from './effect.ts';
import { gitCall } from './git.ts';

const PUSH_VALUED = ['-o', '--push-option', '--receive-pack', '--exec', '--repo'];

export function sharedByGit(command: SimpleCommand, place: EffectPlace): readonly Effect[] {
  const { verb, args, cwds } = gitCall(command);
  const shown = `git ${verb} ${args.map(fieldText).join(' ')}`.slice(0, 120);
  const shares = (what: 'keys' | 'remote' | 'push', name: string): readonly Effect[] => [
    { kind: 'shares', by: 'git', shown, what, name },
  ];
  switch (verb) {
    case 'add':
    case 'stage':
    case 'commit': {
      const { flags, operands } = splitArguments(args, ['-m', '-F', '-C', '-c', '--message', '--file']);
      const ignored = verb !== 'commit' && hasFlag(flags, '-f', '--force');
      const everything =
        operands.some(({ head }) => /^(?:\.|\*|:\/)$/.test(head)) || hasFlag(flags, '-A', '--all');
      const secret = operands.some((each) => whoseCredentials(each, { cwds }, place) !== null);
      return secret || (ignored && everything) ? shares('keys', '') : [];
    }
    case 'remote': {
      const { operands } = splitArguments(args, ['-t', '-m']);
      const [does = '', name = ''] = operands.map(fieldText);
      return /^(?:add|set-url)$/.test(does) && name !== '' ? shares('remote', name) : [];
    }
    case 'push': {
      const { values, operands } = splitArguments(args, PUSH_VALUED);
      const [target] = [...(values.get('--repo') ?? []), ...operands];
      return shares('push', target === undefined ? 'origin' : fieldText(target));
    }
    default:
      return [];
  }
}
