import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a damaged file is replaced with. */
export type Damage =
  | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Buffer }
  /** The bytes, followed by zeros up to this size; the file is sparse. */
  | { readonly kind: 'huge'; readonly name: string; readonly bytes: Buffer; readonly size: number }
  | { readonly kind: 'folder' | 'loop' | 'dangling' | 'pipe'; readonly name: string };

const HUGE_BYTES = 100 * 1024 * 1024;
/** One damage in so many isn't a file at all. */
const OTHER_EVERY = 25;

type Random = () => number;
type Change = (original: Buffer, random: Random) => Buffer;

const place = (bytes: Buffer, random: Random) => Math.floor(bytes.length * random());
const range = (bytes: Buffer, random: Random): [number, number] => {
  const [from = 0, to = 0] = [place(bytes, random), place(bytes, random)].sort((a, b) => a - b);
  return [from, to];
};
const noise = (length: number, random: Random) =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

const WRONG_VALUES = [
  'null',
  '[]',
  '{}',
  '"x"',
  '-1',
  '1e999',
  'true',
  '[[[[]]]]',
  '{"__proto__":{"x":1}}',
  '""',
];
const OTHER_CONTENTS = [
  'null',
  '[]',
  '{}',
  '0',
  '"text"',
  '[1,2',
  '{"tasks":null}',
  '{"version":1e99}',
  '# nothing\n',
  '= = =\n',
  '---\n- &a [*a]\n',
  `${'['.repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}`,
  `${'- '.repeat(5_000)}`,
  'a'.repeat(200_000),
  '\n'.repeat(10_000),
  '{{y}} {{{ <%z%>',
];

const CHANGES: Readonly<Record<string, Change>> = {
  truncated: (bytes, random) => bytes.subarray(0, place(bytes, random)),
  'cut at a line end': (bytes, random) => bytes.subarray(0, bytes.indexOf(0x0a, place(bytes, random)) + 1),
  'a flipped bit': (bytes, random) => {
    const copy = Buffer.from(bytes);
    const at = place(bytes, random);
    copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return copy;
  },
  'many flipped bits': (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let n = 0; n < 20; n += 1) {
      const at = place(bytes, random);
      copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    return copy;
  },
  'a part removed': (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  'a part doubled': (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  'noise in it': (bytes, random) => {
    const at = place(bytes, random);
    return Buffer.concat([
      bytes.subarray(0, at),
      noise(1 + Math.floor(random() * 40), random),
      bytes.subarray(at),
    ]);
  },
  'zeros in it': (bytes, random) => {
    const copy = Buffer.from(bytes);
    const [from, to] = range(bytes, random);
    return copy.fill(0, from, to);
  },
  'wrong types': (bytes, random) => {
    // A value after a colon or an equals sign is replaced by another one.
    const value = WRONG_VALUES[Math.floor(random() * WRONG_VALUES.length)] ?? 'null';
    const text = bytes.toString('latin1');
    const values = [
      ...text.matchAll(/([:=]\s*)("(?:[^"\\\n]|\\.)*"|-?\d[\d.]*|true|false|null|\[[^\]\n]*\])/g),
    ];
    const chosen = values[Math.floor(random() * values.length)];
    if (chosen === undefined) return Buffer.from(value);
    const at = (chosen.index ?? 0) + (chosen[1]?.length ?? 0);
    return Buffer.from(`${text.slice(0, at)}${value}${text.slice(at + (chosen[2]?.length ?? 0))}`, 'latin1');
  },
  'something else': (_, random) =>
    Buffer.from(OTHER_CONTENTS[Math.floor(random() * OTHER_CONTENTS.length)] ?? ''),
  garbage: (_, random) => noise(Math.floor(random() * 600), random),
  empty: () => Buffer.alloc(0),
  'a byte order mark': (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  'UTF-16': (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
};
const NAMES = Object.keys(CHANGES);

/** Returns damage number `number` to a file. The first two are huge, and every 25th isn't a file at all. */
export function damageOf(original: Buffer, number: number, random: Random): Damage {
  if (number === 0) return { kind: 'huge', name: '100 MB behind it', bytes: original, size: HUGE_BYTES };
  if (number === 1)
    return { kind: 'huge', name: '100 MB of zeros', bytes: Buffer.alloc(0), size: HUGE_BYTES };
  if (number % OTHER_EVERY === 2) {
    const kind = (['folder', 'loop', 'dangling'] as const)[Math.floor(number / OTHER_EVERY) % 3] ?? 'folder';
    return { kind, name: kind === 'folder' ? 'a folder' : `a ${kind} link` };
  }
  const name = NAMES[number % NAMES.length] ?? 'empty';
  return { kind: 'bytes', name, bytes: CHANGES[name]?.(original, random) ?? original };
}

/** Replaces the file with the damage. */
export function putDamage(
  path: string,
  damage: Damage,
  makePipe: (path: string) => void = () => undefined,
): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  switch (damage.kind) {
    case 'bytes':
      writeFileSync(path, damage.bytes);
      break;
    case 'huge': {
      writeFileSync(path, damage.bytes);
      const file = openSync(path, 'r+');
      ftruncateSync(file, damage.size);
      closeSync(file);
      break;
    }
    case 'folder':
      mkdirSync(join(path, 'inside'), { recursive: true });
      break;
    case 'loop':
      symlinkSync(basename(path), path);
      break;
    case 'dangling':
      symlinkSync('nowhere/at-all', path);
      break;
    case 'pipe':
      makePipe(path);
      break;
  }
}

/** Returns whether the file has other bytes than before, or isn't a file. */
export function isDamaged(original: Buffer, damage: Damage): boolean {
  return damage.kind !== 'bytes' || !damage.bytes.equals(original);
}
