import type { ParsedScript, Word, WordPart } from 'unbash';
import {
  exactField,
  type Field,
  fieldText,
  joinFields,
  joinWithSpaces,
  patternField,
  SOME_NAME,
  UNKNOWN,
} from '../field.ts';
import type { Output } from '../output.ts';
import { MOST_VALUES, type ShellState, valuesOf } from '../shell-state.ts';
import { expandBraces } from './braces.ts';
import { type Expanded, expandParameter } from './parameters.ts';
import type { WordContext } from './word-context.ts';

type Way = { readonly fields: readonly Field[]; readonly cutBefore: boolean; readonly cutAfter: boolean };

export function resolveWord(word: Word, context: WordContext): readonly (readonly Field[])[] {
  if (!context.spend(1 + word.text.length / 50 + (word.parts?.length ?? 0) / 2)) return [[UNKNOWN]];
  return expandBraces(word, context).flatMap((each) => resolvePlain(each, context));
}

export function flatWord(word: Word, context: WordContext): readonly Field[] {
  return resolveWord(word, context).flat();
}

/** Returns a word in places without word splitting: an assignment, a redirect's target. */
export function unsplitWord(word: Word, context: WordContext): readonly Field[] {
  return resolveWord(word, context).map((fields) => joinWithSpaces(fields));
}

function resolvePlain(word: Word, context: WordContext): readonly (readonly Field[])[] {
  const home = tilde(word.text, context.state);
  const text = home === null ? word.value : word.value.slice(home.length);
  const parts = word.parts ?? [];
  if (parts.length === 0)
    return [[home === null ? exactField(text) : joinFields(home.field, exactField(text))]];
  const ways = parts.map((part, index) =>
    index === 0 && home !== null && part.type === 'Literal'
      ? [plain(joinFields(home.field, exactField(part.value.slice(home.length))))]
      : resolvePart(part, context, false),
  );
  return joinWays(ways).map((way) => way.fields);
}

export function resolveText(parts: readonly WordPart[], context: WordContext): Field {
  const ways = joinWays(parts.map((part) => resolvePart(part, context, true)));
  const only = ways.length === 1 ? ways[0] : undefined;
  return only === undefined ? UNKNOWN : joinWithSpaces(only.fields);
}

function tilde(text: string, state: ShellState): { field: Field; length: number } | null {
  const [whole, name = '', user = ''] = /^([A-Za-z_]\w*=)?~([\w.+-]*)(?=\/|$)/.exec(text) ?? [];
  if (whole === undefined) return null;
  const length = whole.length;
  // A tilde after `name=` counts, too, as in `dd if=~/x`.
  if (name !== '') {
    const behind = tilde(whole.slice(name.length), state);
    return behind === null ? null : { field: joinFields(exactField(name), behind.field), length };
  }
  if (user === '') return { field: valuesOf(state, 'HOME')[0] ?? UNKNOWN, length };
  if (user === '+') return { field: valuesOf(state, 'PWD')[0] ?? UNKNOWN, length };
  if (user === '-') return { field: valuesOf(state, 'OLDPWD')[0] ?? UNKNOWN, length };
  const home = valuesOf(state, 'HOME')[0] ?? UNKNOWN;
  // Home folders of other users are always outside of the repository.
  return { field: home.head.endsWith(`/${user}`) ? home : exactField(`/~${user}`), length };
}

function resolvePart(part: WordPart, context: WordContext, quoted: boolean): readonly Way[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [plain(exactField(part.value))];
    case 'Glob':
      return [plain(patternField(part.value))];
    case 'ExtendedGlob':
      // `!(…)` matches everything but its patterns.
      return [plain(part.operator === '!' ? patternField('*') : SOME_NAME)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinWays(part.parts.map((child) => resolvePart(child, context, true)));
    case 'BraceExpansion':
      context.runBelow(part);
      return [plain(UNKNOWN)];
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return waysOf(expandParameter(part, context, quoted), context, quoted);
    case 'CommandExpansion':
      return waysOf(expandedOutput(part.script, context, quoted), context, quoted);
    case 'ArithmeticExpansion':
      context.runBelow(part);
      return [plain(SOME_NAME)];
    case 'ProcessSubstitution':
      if (part.script !== undefined) context.run(part.script);
      return [plain(exactField('/dev/fd/63'))];
  }
}

function expandedOutput(script: ParsedScript | undefined, context: WordContext, quoted: boolean): Expanded {
  const output: Output = script === undefined ? { kind: 'unknown' } : context.run(script);
  switch (output.kind) {
    case 'text':
      return { ways: [[exactField(output.text.replace(/(?<!\n)\n+$/, ''))]] };
    case 'names':
      return { ways: quoted ? output.fields.map((field) => [field]) : [output.fields] };
    case 'files':
    case 'unknown':
      return { ways: [[UNKNOWN]] };
  }
}

function waysOf(expanded: Expanded, context: WordContext, quoted: boolean): Way[] {
  if (quoted) {
    const count = expanded.ways.reduce((sum, fields) => sum + fields.length, 0);
    if (!context.spend(count)) return [plain(UNKNOWN)];
    return expanded.ways.map((fields) => ({ fields, cutBefore: false, cutAfter: false }));
  }
  const separator = separatorOf(context.state);
  if (separator === null) return [plain(UNKNOWN)];
  return expanded.ways.map((fields) => {
    const length = fields.reduce((sum, field) => sum + field.head.length + field.tail.length, 0);
    if (!context.spend(fields.length + length / 10)) return plain(UNKNOWN);
    const split = fields.map((field) => splitField(field, separator));
    return {
      fields: split.flatMap((way) => way.fields),
      cutBefore: split[0]?.cutBefore ?? false,
      cutAfter: split.at(-1)?.cutAfter ?? false,
    };
  });
}

function separatorOf({ vars }: ShellState): string | null {
  const [separator = exactField(' \t\n'), ...others] = vars.get('IFS') ?? [];
  return separator.kind === 'exact' && others.length === 0 ? separator.head : null;
}

/** Unquoted text is split at the characters of `IFS`, and its wildcards match names. */
function splitField(field: Field, separator: string): Way {
  if (field.kind === 'glob') return plain(field);
  const text = [...fieldText(field)].map((sign) => (separator.includes(sign) ? '\0' : sign)).join('');
  return {
    fields: text
      .split('\0')
      .filter((each) => each !== '')
      .map(patternField),
    cutBefore: text.startsWith('\0'),
    cutAfter: text.endsWith('\0'),
  };
}

function plain(field: Field): Way {
  return { fields: [field], cutBefore: false, cutAfter: false };
}

function joinWays(parts: readonly (readonly Way[])[]): readonly Way[] {
  let joined: readonly Way[] = [{ fields: [], cutBefore: false, cutAfter: false }];
  for (const ways of parts) {
    joined = joined.flatMap((left) => ways.map((right) => joinWay(left, right)));
    if (joined.length > MOST_VALUES) return [plain(UNKNOWN)];
  }
  return joined;
}

function joinWay(left: Way, right: Way): Way {
  const cutBefore = left.cutBefore || (left.fields.length === 0 && (right.cutBefore || left.cutAfter));
  const last = left.fields.at(-1);
  const [first, ...rest] = right.fields;
  if (first === undefined)
    return { ...left, cutBefore, cutAfter: left.cutAfter || right.cutBefore || right.cutAfter };
  const apart = last === undefined || left.cutAfter || right.cutBefore;
  const fields = apart
    ? [...left.fields, first, ...rest]
    : [...left.fields.slice(0, -1), joinFields(last, first), ...rest];
  return { fields, cutBefore, cutAfter: right.cutAfter };
}
