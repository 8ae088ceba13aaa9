import type { ParameterExpansionPart, SimpleExpansionPart } from 'unbash';
import {
  baseName,
  exactField,
  type Field,
  HIDDEN_MARK,
  joinFields,
  joinWithSpaces,
  SOME_NAME,
  UNKNOWN,
} from '../field.ts';
import { valuesOf } from '../shell-state.ts';
import type { WordContext } from './word-context.ts';

export type Expanded = { readonly ways: readonly (readonly Field[])[] };

export function expandParameter(
  part: SimpleExpansionPart | ParameterExpansionPart,
  context: WordContext,
  quoted: boolean,
): Expanded {
  if (part.type === 'SimpleExpansion') return plainValue(part.text.slice(1), context, quoted);
  const { parameter, prefix, index, operation } = part;
  if (prefix === '#') return one(SOME_NAME);
  if (prefix === '!') {
    context.runBelow(part);
    return changed(plainValue(parameter, context, quoted));
  }
  const value =
    index === undefined ? plainValue(parameter, context, quoted) : elements(parameter, index.text, context);
  if (operation === undefined) return value;
  switch (operation.type) {
    case 'Default':
      return withDefault(value, operation.operator, context.resolve(operation.operand), context, parameter);
    case 'Remove': {
      const [pattern = UNKNOWN] = context.resolve(operation.operand).map(joinWithSpaces);
      return {
        ways: value.ways.map((way) => way.map((field) => removed(field, operation.operator, pattern))),
      };
    }
    default:
      context.runBelow(part);
      // `"${@:2}"` drops words, not characters.
      return /^[@*]$/.test(index?.text ?? parameter) ? one(UNKNOWN) : changed(value);
  }
}

/** Returns the value of `${x:1}`, `${x/a/b}`, `${x^^}` and `${!x}`, which can reveal text hidden in a known one. */
function changed({ ways }: Expanded): Expanded {
  const isKnown = ways.flat().some(({ kind }) => kind === 'exact');
  return one(isKnown ? { ...UNKNOWN, tail: UNKNOWN.tail + HIDDEN_MARK } : UNKNOWN);
}

function one(field: Field): Expanded {
  return { ways: [[field]] };
}

function plainValue(name: string, context: WordContext, quoted: boolean): Expanded {
  if (name === '@' || name === '*') return elements('@', name, context);
  if (name === 'IFS') return one(context.state.vars.get('IFS')?.[0] ?? exactField(quoted ? ' \t\n' : ' '));
  return { ways: valuesOf(context.state, name).map((field) => [field]) };
}

function elements(name: string, index: string, context: WordContext): Expanded {
  const known = context.state.arrays.get(name);
  if (known === undefined) return name === '@' ? one(UNKNOWN) : plainValue(name, context, true);
  return { ways: index === '@' || index === '*' ? [known] : known.map((field) => [field]) };
}

function withDefault(
  value: Expanded,
  operator: string,
  operand: readonly (readonly Field[])[],
  context: WordContext,
  name: string,
): Expanded {
  const set = context.state.vars.has(name) || (/^(?:\d+|[@*])$/.test(name) && context.state.arrays.has('@'));
  const empty = value.ways.every((way) => way.every((field) => field.kind === 'exact' && field.head === ''));
  if (operator.endsWith('?')) return value;
  if (operator.endsWith('+')) return { ways: [...operand, []] };
  if (!set) return { ways: [...operand, [UNKNOWN]] };
  return empty ? { ways: operand } : value;
}

/** Returns the value of `${name%pattern}` and similar for the usual patterns: plain text, and part of a path. */
function removed(field: Field, operator: string, pattern: Field): Field {
  const sign = pattern.head + pattern.tail;
  if (sign === '*/' && operator === '##') return baseName(field);
  if (field.kind === 'glob' && pattern.kind === 'exact' && !sign.includes('/') && operator.startsWith('%')) {
    return joinFields({ ...field, tail: '' }, SOME_NAME);
  }
  if (field.kind !== 'exact') return UNKNOWN;
  const text = field.head;
  if (sign === '/*' && operator === '%') return exactField(text.replace(/\/[^/]*$/, ''));
  if (sign === '.*' && operator === '%') return exactField(text.replace(/\.[^.]*$/, ''));
  if (pattern.kind !== 'exact') return UNKNOWN;
  if (operator.startsWith('%'))
    return exactField(text.endsWith(sign) ? text.slice(0, text.length - sign.length) : text);
  return exactField(text.startsWith(sign) ? text.slice(sign.length) : text);
}
