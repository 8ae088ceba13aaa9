import {
  fieldText,
  hasFlag,
  programName,
  type SimpleCommand,
  shownField,
  splitArguments,
} from '../shell/index.ts';
import type { Effect } from './effect.ts';

const AS_OTHER = /^(?:sudo|doas|pkexec|run0|runas|gosu|su|runuser|machinectl)$/;
const INFORMS = /^(?:-l|-ll|-v|-k|-K|-V|-h|--list|--validate|--version|--help|--reset-timestamp)$/;

export function rightsEffects({ argv, input }: SimpleCommand): readonly Effect[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  const shown = argv.map(shownField).join(' ').slice(0, 120);
  const gets = (how: 'command' | 'lasting'): readonly Effect[] => [
    { kind: 'privileges', by: name, shown, how },
  ];
  if (AS_OTHER.test(name)) {
    const { flags, operands } = splitArguments(
      args,
      ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '-c'],
      true,
    );
    if (operands.length === 0 && flags.length > 0 && flags.every((flag) => INFORMS.test(flag))) return [];
    const first = fieldText(operands[0] ?? { kind: 'exact', head: '', tail: '' });
    const asks = hasFlag(flags, '-i', '-s', '--login', '--shell') || /^(?:ba|z|da)?sh$/.test(first);
    // The input of a shell is judged as commands of its own.
    const shell = /^(?:su|visudo|passwd)$/.test(first) || (asks && !input.fed);
    return gets(
      operands.length === 0 ||
        (shell && !operands.slice(1).some(({ head }) => head === '-c' || !/^-/.test(head)))
        ? 'lasting'
        : 'command',
    );
  }
  if (name === 'chmod' && args.some((arg) => /^[ugoa]*\+\w*s|^[2467]\d{3}$/.test(arg.head)))
    return gets('lasting');
  if (name === 'setcap') return gets('lasting');
  return name === 'nsenter' ? gets('lasting') : [];
}
