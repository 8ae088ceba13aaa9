import { exactField, type Field, fieldText, joinFields, SOME_NAME } from './field.ts';

/** Tests by which a search takes only what is named so. */
const BY_NAME = new Set([
  '-name',
  '-iname',
  '-path',
  '-ipath',
  '-wholename',
  '-iwholename',
  '-regex',
  '-iregex',
]);
const ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** The files and folders that `find` starts at; the current folder where none is given. */
export function findStarts(args: readonly Field[]): readonly Field[] {
  const options = args.findIndex((field) => !/^-(?:[HLPE]|D.*|O\d)$/.test(fieldText(field)));
  const rest = options < 0 ? [] : args.slice(options);
  const end = rest.findIndex((field) => /^[-(!]/.test(field.head));
  const starts = end < 0 ? rest : rest.slice(0, end);
  return starts.length === 0 ? [exactField('.')] : starts;
}

/** What `{}` stands for: something below the start; the start itself where no test keeps that away. */
export function foundName(start: Field, args: readonly Field[]): Field {
  const text = args.map(fieldText);
  const narrowed = text.some(
    (arg, index) => BY_NAME.has(arg) && isNarrow(text[index + 1] ?? '') && !isNegated(text, index),
  );
  const empty = text.some((arg, index) => arg === '-empty' && !isNegated(text, index));
  const deeper = text.some((arg, index) => arg === '-mindepth' && /^[1-9]/.test(text[index + 1] ?? ''));
  return narrowed || empty || deeper ? joinFields(withSlash(start), SOME_NAME) : start;
}

function withSlash(start: Field): Field {
  return fieldText(start).endsWith('/') ? start : joinFields(start, exactField('/'));
}

function isNegated(text: readonly string[], index: number): boolean {
  return text[index - 1] === '!' || text[index - 1] === '-not';
}

/** Patterns such as `*`, `.*` and `*.*` take everything, or all that is hidden. */
function isNarrow(pattern: string): boolean {
  return !/^[*.?/]*$/.test(pattern);
}

/** The commands that a search runs, with what it finds in place of `{}`. */
export function findCommands(args: readonly Field[]): readonly (readonly Field[])[] {
  const commands: Field[][] = [];
  let current: Field[] | null = null;
  for (const arg of args) {
    const text = fieldText(arg);
    if (current === null) {
      if (ACTIONS.has(text)) current = [];
    } else if (text === ';' || (text === '+' && fieldText(current.at(-1) ?? arg).endsWith('{}'))) {
      commands.push(current);
      current = null;
    } else current.push(arg);
  }
  if (current !== null) commands.push(current);
  const names = findStarts(args).map((start) => foundName(start, args));
  return commands.map((command) =>
    command.flatMap((word) =>
      fieldText(word).includes('{}') ? names.map((name) => filledIn(word, name)) : [word],
    ),
  );
}

/** A search with `-delete` outside of the commands that it runs. */
export function findDeletes(args: readonly Field[]): boolean {
  let inside = false;
  for (const arg of args) {
    const text = fieldText(arg);
    if (ACTIONS.has(text)) inside = true;
    else if (inside && (text === ';' || text === '+')) inside = false;
    else if (!inside && text === '-delete') return true;
  }
  return false;
}

/** `{}` in a word replaced by what stands for it. */
export function filledIn(word: Field, name: Field, sign = '{}'): Field {
  const text = fieldText(word);
  if (text === sign) return name;
  if (!text.includes(sign)) return word;
  const [before = '', ...after] = text.split(sign);
  return after.reduce(
    (whole, piece) => joinFields(joinFields(whole, name), exactField(piece)),
    exactField(before),
  );
}
