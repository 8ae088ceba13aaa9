import { fieldText, programName, type SimpleCommand, shownField } from '../shell/index.ts';
import { isHarmlessDevice } from './catalogue/program.ts';
import type { Effect } from './effect.ts';

/** What never ends, written to a file. */
export function endless(command: SimpleCommand, commands: readonly SimpleCommand[]): readonly Effect[] {
  const { argv } = command;
  const name = programName(argv[0]);
  if (
    !/^(?:yes|cat|seq|dd)$/.test(name) ||
    (name === 'cat' && !argv.some(({ head }) => head.startsWith('/dev/')))
  )
    return [];
  const args = argv.slice(1).map(fieldText);
  const source = /^\/dev\/(?:zero|u?random)$/;
  const without = (word: RegExp) => !args.some((arg) => word.test(arg));
  // The redirect may belong to what wraps it.
  const around = commands.filter((each) => each.argv.some((word) => word.head === argv[0]?.head));
  const writes = around.flatMap((each) => each.writes);
  const toFile = writes.some((target) => !isHarmlessDevice(target) && !target.head.startsWith('/dev/fd'));
  const never =
    (toFile &&
      (name === 'yes' ||
        (name === 'cat' && args.some((arg) => source.test(arg))) ||
        (name === 'seq' && !without(/^inf/i)))) ||
    (name === 'dd' &&
      !without(/^if=\/dev\/(?:zero|u?random)$/) &&
      without(/^count=/) &&
      !without(/^of=(?!\/dev\/null)/));
  return never ? [{ kind: 'exhausts', by: name, shown: argv.map(shownField).join(' ').slice(0, 120) }] : [];
}
