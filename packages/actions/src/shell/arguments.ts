import { type Field, fieldText } from './field.ts';

export type Arguments = {
  /** Options as written, without their values. */
  readonly flags: readonly string[];
  /** Values by option as written (`-o`, `--output`). */
  readonly values: ReadonlyMap<string, readonly Field[]>;
  readonly operands: readonly Field[];
};

/**
 * Splits arguments into options, their values and operands. `valued` lists the options with a value: `-o` also as `-oVALUE` and at the end
 * of a cluster (`-xo VALUE`), `--output` also as `--output=VALUE`. With `leading`, options end at the first operand, as for wrappers.
 */
export function splitArguments(
  args: readonly Field[],
  valued: readonly string[] = [],
  leading = false,
): Arguments {
  const flags: string[] = [];
  const operands: Field[] = [];
  const values = new Map<string, Field[]>();
  const keep = (name: string, value: Field): void =>
    void values.set(name, [...(values.get(name) ?? []), value]);
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index];
    if (arg === undefined) break;
    const text = fieldText(arg);
    if (text === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!arg.head.startsWith('-') || text === '-') {
      operands.push(...(leading ? args.slice(index) : [arg]));
      if (leading) break;
      continue;
    }
    const { name, attached } = valuedOption(arg, valued);
    const cluster =
      name !== null && !name.startsWith('--') ? arg.head.slice(0, arg.head.indexOf(name[1] ?? '', 1)) : '';
    if (cluster.length > 1) flags.push(cluster);
    flags.push(name ?? text);
    if (name === null) continue;
    const next = attached ?? args[index + 1];
    if (attached === null) index += 1;
    if (next !== undefined) keep(name, next);
  }
  return { flags, values, operands };
}

function valuedOption(
  arg: Field,
  valued: readonly string[],
): { name: string | null; attached: Field | null } {
  const { head } = arg;
  if (valued.includes(head) && arg.tail === '') return { name: head, attached: null };
  const equals = head.indexOf('=');
  if (head.startsWith('--')) {
    const name = equals < 0 ? head : head.slice(0, equals);
    if (equals < 0 || !valued.includes(name)) return { name: null, attached: null };
    return { name, attached: { ...arg, head: head.slice(equals + 1) } };
  }
  for (let at = 1; at < head.length; at += 1) {
    const name = `-${head[at]}`;
    if (!valued.includes(name)) continue;
    const rest = head.slice(at + 1);
    return { name, attached: rest === '' && arg.tail === '' ? null : { ...arg, head: rest } };
  }
  return { name: null, attached: null };
}

/** Returns whether one of the options is given, also within a cluster of short ones. */
export function hasFlag(flags: readonly string[], ...names: readonly string[]): boolean {
  return flags.some((flag) =>
    names.some((name) =>
      name.startsWith('--') || name.length > 2
        ? flag === name || flag.startsWith(`${name}=`)
        : flag === name || (/^-[A-Za-z0-9]+$/.test(flag) && flag.includes(name.slice(1))),
    ),
  );
}

/** GNU tools with a prefix, on systems whose own tools differ: `gfind`, `gsed`. */
const GNU =
  /^g(?=(?:find|xargs|rm|rmdir|mv|cp|dd|ln|tee|truncate|shred|unlink|chmod|chown|install|sort|head|tail|base64|env|timeout|nice|nohup|stdbuf|mkdir|touch|cat|echo|printf|tr|realpath|readlink|split|date|seq|wc|ls|sed|tar)$)/;

/** Names by word, as every reader of a command asks for its program. */
const NAMES = new WeakMap<Field, string>();

export function programName(word: Field | undefined): string {
  if (word === undefined || word.kind !== 'exact') return '';
  const known = NAMES.get(word);
  if (known !== undefined) return known;
  const name = word.head
    .slice(word.head.lastIndexOf('/') + 1)
    .replace(GNU, '')
    .replace(/(?<=.)\.(?:exe|traditional|openbsd)$/, '');
  NAMES.set(word, name);
  return name;
}
