import type { ParameterOperation } from 'unbash';
import { exactField, type Field, fieldText, joinWithSpaces, UNKNOWN } from './field.ts';
import type { WordContext } from './word-context.ts';

type Operation<Type extends ParameterOperation['type']> = Extract<ParameterOperation, { type: Type }>;
export type Change = Operation<'Slice'> | Operation<'CaseModification'> | Operation<'Replace'>;

/** `${x:1:2}`, `${x^^}` and `${x/a/b}`, where the value and what is done to it are known. */
export function changed(field: Field, change: Change, context: WordContext): Field {
  if (field.kind !== 'exact') return UNKNOWN;
  const text = field.head;
  switch (change.type) {
    case 'Slice':
      return sliced(text, change, context);
    case 'CaseModification':
      return change.operand === undefined ? exactField(inOtherCase(text, change.operator)) : UNKNOWN;
    case 'Replace': {
      const [pattern, replacement] = [change.pattern, change.replacement].map((word) =>
        joinWithSpaces(context.resolve(word)[0] ?? []),
      );
      if (pattern?.kind !== 'exact' || pattern.head === '' || replacement === undefined) return UNKNOWN;
      const sign = pattern.head;
      // The text may hold signs of `String.replace`.
      const by = () => fieldText(replacement);
      if (change.operator === '//') return exactField(text.split(sign).join(by()));
      if (change.operator === '/') return exactField(text.replace(sign, by));
      const fits = change.operator === '/#' ? text.startsWith(sign) : text.endsWith(sign);
      if (!fits) return field;
      return exactField(
        change.operator === '/#' ? by() + text.slice(sign.length) : text.slice(0, -sign.length) + by(),
      );
    }
  }
}

function sliced(text: string, { offset, length }: Operation<'Slice'>, context: WordContext): Field {
  const [from, count] = [offset, length].map((word) =>
    word === undefined
      ? Number.POSITIVE_INFINITY
      : Number(fieldText(context.resolve(word)[0]?.[0] ?? UNKNOWN)),
  );
  if (from === undefined || count === undefined || Number.isNaN(from) || Number.isNaN(count)) return UNKNOWN;
  const start = from < 0 ? Math.max(0, text.length + from) : from;
  return exactField(text.slice(start, count < 0 ? count : start + count));
}

function inOtherCase(text: string, operator: Operation<'CaseModification'>['operator']): string {
  switch (operator) {
    case '^^':
      return text.toUpperCase();
    case ',,':
      return text.toLowerCase();
    case '^':
      return text.slice(0, 1).toUpperCase() + text.slice(1);
    case ',':
      return text.slice(0, 1).toLowerCase() + text.slice(1);
  }
}
