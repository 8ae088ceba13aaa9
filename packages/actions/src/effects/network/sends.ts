import { placedPath } from 'ralph-kit/paths';
import { FED_FILE, type Field, fieldText, SECRET_MARK, type SimpleCommand } from '../../shell/index.ts';
import { isHarmlessDevice } from '../catalogue/program.ts';
import { whoseCredentials } from '../credentials.ts';
import type { Effect, NetworkEffect } from '../effect.ts';
import { textsAt, type WrittenFiles } from '../written-files.ts';

export type NetworkContext = WrittenFiles;

export type Reader = (command: SimpleCommand, context: NetworkContext) => readonly Effect[];

export type Body = NetworkEffect['sends'];

export function strongest(bodies: readonly Body[]): Body {
  const order: readonly Body[] = ['credentials', 'file', 'data'];
  return order.find((each) => bodies.includes(each)) ?? 'nothing';
}

/** Returns what a value sends. `sign` matches the prefix of a file name, such as curl's `@`. */
export function bodyOf(value: Field, sign: RegExp, command: SimpleCommand, context: NetworkContext): Body {
  if (fieldText(value).includes(SECRET_MARK)) return 'credentials';
  if (!sign.test(value.head)) return sign.source === '^\\uE006' ? 'nothing' : 'data';
  const file = { ...value, head: value.head.replace(sign, '') };
  if (file.head === '-' || file.head === '.') {
    const fed = fedWith(command, context);
    return fed === 'nothing' ? 'data' : fed;
  }
  return fileSends(file, command, context);
}

export function fileSends(file: Field, command: SimpleCommand, { place, files }: NetworkContext): Body {
  const path = { ...file, head: file.head.replace(/;.*$/, '') };
  if (isHarmlessDevice(path)) return 'nothing';
  if (whoseCredentials(path, command, place) !== null) return 'credentials';
  const held = command.cwds.flatMap((cwd) =>
    cwd === null ? [] : (files.get(placedPath(path.head, cwd, (same) => same, false)) ?? []),
  );
  if (held.some((text) => text.includes(SECRET_MARK))) return 'credentials';
  const outside = command.cwds.some((cwd) => {
    const at = placedPath(path.head, cwd ?? '/', (same) => same, false);
    return (
      at !== place.root && !at.startsWith(`${place.root}/`) && !/^\/(?:private\/)?(?:tmp|var\/tmp)\//.test(at)
    );
  });
  return outside ? 'file' : 'data';
}

export function fedWith({ input, cwds }: SimpleCommand, context: NetworkContext): Body {
  const { output } = input;
  if (!input.fed) return 'nothing';
  if (output.kind === 'text') return output.text.includes(SECRET_MARK) ? 'credentials' : 'data';
  if (output.kind !== 'files') return 'data';
  return strongest(output.fields.map((file) => fileSends(file, { cwds } as SimpleCommand, context)));
}

/** Returns the known contents of a file: `-` is the input, `<(…)` the output of that command. */
export function heldIn(
  file: Field,
  { input, substituted, cwds }: SimpleCommand,
  written: WrittenFiles,
): readonly string[] {
  if (!FED_FILE.test(file.head) && file.head !== '/dev/fd/63') return textsAt(file, { cwds }, written);
  const output = file.head === '/dev/fd/63' ? substituted : input.output;
  return output.kind === 'text' ? [output.text] : [];
}

export function isOpaque({ input }: SimpleCommand): boolean {
  return (
    input.output.kind === 'unknown' || (input.output.kind === 'text' && /\uE000/.test(input.output.text))
  );
}
