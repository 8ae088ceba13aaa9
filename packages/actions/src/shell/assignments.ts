import type { Assignment, Word } from 'unbash';
import { exactField, type Field, fieldText, joinFields, patternField } from './field.ts';
import { limited, valuesOf } from './shell-state.ts';
import { contextOf, type Walk, type Walker } from './walk.ts';
import { flatWord, unsplitWord } from './words/resolve-words.ts';
import type { WordContext } from './words/word-context.ts';

/** The parser takes `--files-from=<(…)` for two words; they are joined here. */
export function argumentFields(
  args: readonly (Word | Assignment)[],
  walk: Walk,
  script: Walker,
  context: WordContext,
): readonly Field[] {
  const fields: Field[] = [];
  let end = -1;
  for (const arg of args) {
    const found = arg.type === 'Assignment' ? assignmentArgument(arg, walk, script) : flatWord(arg, context);
    const last = fields.at(-1);
    const [first, ...rest] = found;
    if (first !== undefined && last?.head.endsWith('=') && arg.pos === end && /^<\(/.test(arg.text))
      fields.splice(-1, 1, joinFields(last, first), ...rest);
    else fields.push(...found);
    end = arg.end;
  }
  return fields;
}

export function assign(each: Assignment, walk: Walk, script: Walker): void {
  const context = contextOf(walk, script);
  const { state } = walk;
  if (each.index !== undefined) flatWord(each.index, context);
  if (each.value.type === 'ArrayValue') {
    const elements = each.value.elements.flatMap((word) => flatWord(word, context).map(withoutKey));
    const before = each.append === true ? (state.arrays.get(each.name) ?? []) : [];
    state.arrays.set(each.name, limited([...before, ...elements]));
    state.vars.set(each.name, limited([...before, ...elements]));
    return;
  }
  const values = unsplitWord(each.value, context);
  const whole =
    each.append === true
      ? valuesOf(state, each.name).flatMap((left) => values.map((right) => joinFields(left, right)))
      : values;
  state.vars.set(
    each.name,
    limited(each.index === undefined ? whole : [...valuesOf(state, each.name), ...whole]),
  );
}

function withoutKey(element: Field): Field {
  const [key] = /^\[[^\]]*\]\+?=/.exec(fieldText(element)) ?? [];
  return key === undefined ? element : patternField(fieldText(element).slice(key.length));
}

/** `export A=b` sets the variable; in other commands, such as `dd of=x`, it is a word. */
export function assignmentArgument(each: Assignment, walk: Walk, script: Walker): readonly Field[] {
  const context = contextOf(walk, script);
  if (each.value.type === 'ArrayValue') {
    assign(each, walk, script);
    return [];
  }
  const values = unsplitWord(each.value, context);
  return values.map((value) => joinFields(exactField(`${each.name}=`), value));
}
