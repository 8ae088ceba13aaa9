import { programName, splitArguments } from './arguments.ts';
import { exactField, type Field, fieldText, patternField, UNKNOWN } from './field.ts';
import { filledIn } from './find.ts';
import type { Input } from './output.ts';

/** Programs for which a complete list of files matters. */
const DELETES = /^(?:rm|rmdir|unlink|shred|srm|trash|rimraf)$/;
/** Bounds the items that are read; beyond it they are unknown. */
const MOST_ITEMS = 1000;
const XARGS_VALUED =
  '-I -n -P -L -d -s -a -E --max-args --max-procs --delimiter --process-slot-var --arg-file'.split(' ');
const PARALLEL_VALUED = '-j --jobs -I -n -N -L --colsep -a --arg-file -C --delay --timeout'.split(' ');

export function argFile(argv: readonly Field[]): Field | undefined {
  const { values } = splitArguments(
    argv.slice(1),
    programName(argv[0]) === 'xargs' ? XARGS_VALUED : PARALLEL_VALUED,
    true,
  );
  return (values.get('-a') ?? values.get('--arg-file'))?.[0];
}

export function xargsCommand(argv: readonly Field[], input: Input): readonly (readonly Field[])[] {
  const parallel = programName(argv[0]) !== 'xargs';
  const { flags, values, operands } = splitArguments(
    argv.slice(1),
    parallel ? PARALLEL_VALUED : XARGS_VALUED,
    true,
  );
  const marker = operands.findIndex((field) => /^:::/.test(field.head));
  const command = marker < 0 ? operands : operands.slice(0, marker);
  const isListed = marker >= 0 && operands[marker]?.head !== '::::';
  const listed = operands.slice(marker + 1).filter((field) => !/^:::/.test(field.head));
  const found = marker < 0 ? inputItems(input) : isListed ? listed : [UNKNOWN];
  const deletes = DELETES.test(programName(command[0]));
  if (deletes && marker < 0 && input.output.kind === 'names' && input.output.all)
    return [[...command, patternField('*')]];
  const items = found.length > MOST_ITEMS ? [UNKNOWN] : found;
  const first = command[0];
  if (first === undefined)
    return parallel ? items.map((item) => [exactField('sh'), exactField('-c'), item]) : [];
  const replaced = flags.some((flag) => /^-i|^--replace/.test(flag)) ? '{}' : undefined;
  const sign = values.has('-I') ? fieldText(values.get('-I')?.[0] ?? UNKNOWN) : replaced;
  const placed = sign ?? '{}';
  if ((sign !== undefined || parallel) && command.some((word) => fieldText(word).includes(placed))) {
    return items.flatMap((item) =>
      asShell(
        command.map((word) => filledIn(word, item, placed)),
        parallel,
      ),
    );
  }
  const all = [...command, ...items];
  return asShell(all, parallel);
}

/** `parallel` passes its words to a shell, which parses them again. */
function asShell(argv: readonly Field[], parallel: boolean): readonly (readonly Field[])[] {
  if (!parallel || !argv.some((word) => /[\s'"]/.test(word.head))) return [argv];
  const text = exactField(argv.map(fieldText).join(' '));
  const read = [exactField('sh'), exactField('-c'), text];
  return argv[0]?.head.includes(' ') ? [read] : [argv, read];
}

function inputItems(input: Input): readonly Field[] {
  const { output } = input;
  if (output.kind === 'names') return output.fields;
  if (output.kind === 'unknown' || output.kind === 'files') return [UNKNOWN];
  // With `-I` items are whole lines, otherwise words; both are returned.
  const lines = output.text.split(/[\n\0]/).filter((line) => line.trim() !== '');
  const whole = output.text.includes('\0')
    ? output.text.split('\0').filter((each) => each.trim() !== '')
    : [];
  const items = new Set([...whole, ...lines.flatMap((line) => [line.trim(), ...line.trim().split(/\s+/)])]);
  return [...items].map((text) => exactField(unquoted(text)));
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, '$2');
}
