import { exactField, type Field, fieldText, joinFields, patternField, SOME_NAME, UNKNOWN } from './field.ts';

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
/** Of more starts and patterns than this, nothing is said. */
const MOST_NAMES = 100;
/** Any name: in a search, hidden ones too. */
const ANY_NAME = patternField('[.]*');
const ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** The files and folders that `find` starts at; the current folder where none is given. */
function findStarts(args: readonly Field[]): readonly Field[] {
  const options = args.findIndex((field) => !/^-(?:[HLPE]|D.*|O\d)$/.test(fieldText(field)));
  const rest = options < 0 ? [] : args.slice(options);
  const end = rest.findIndex((field) => /^[-(!]/.test(field.head));
  const starts = end < 0 ? rest : rest.slice(0, end);
  return starts.length === 0 ? [exactField('.')] : starts;
}

/** What `{}` stands for: something below a start; the start itself where no test keeps that away. */
export function foundNames(args: readonly Field[]): readonly Field[] {
  const text = args.map(fieldText);
  const patterns = text.flatMap((arg, index) => {
    const pattern = text[index + 1] ?? '';
    const passedOver = isNegated(text, index) || (text[index + 2] === '-prune' && text[index + 3] === '-o');
    return BY_NAME.has(arg) && isNarrow(pattern) && !passedOver ? [{ test: arg, pattern }] : [];
  });
  const others = text.some((arg, index) => /^-o(?:r)?$/.test(arg) && text[index - 1] !== '-prune');
  const empty = !others && text.some((arg, index) => arg === '-empty' && !isNegated(text, index));
  const deeper = text.some((arg, index) => arg === '-mindepth' && /^[1-9]/.test(text[index + 1] ?? ''));
  const starts = findStarts(args);
  if (starts.length * Math.max(1, patterns.length) > MOST_NAMES) return [UNKNOWN];
  return starts.flatMap((start) => {
    if (patterns.length > 0) return patterns.flatMap(({ test, pattern }) => fitting(start, test, pattern));
    if (empty) return [foundBelow(start)];
    if (!deeper) return [start];
    return [/^\.\/?$/.test(fieldText(start)) ? ANY_NAME : foundBelow(start)];
  });
}

/** Something below a folder. */
export function foundBelow(start: Field): Field {
  return joinFields(withSlash(start), SOME_NAME);
}

function withSlash(start: Field): Field {
  return fieldText(start).endsWith('/') ? start : joinFields(start, exactField('/'));
}

/** What a test by name lets through. In a search `*` stands for the dot of a hidden name too. */
function fitting(start: Field, test: string, pattern: string): readonly Field[] {
  const sought = test.startsWith('-i') ? pattern.toLowerCase() : pattern;
  // Settings in JSON lie among other such files, and are recognised by their folders.
  if (/^-i?name$/.test(test) && !/^\*\.jsonc?$/.test(sought))
    return [joinFields(withSlash(start), patternField(sought.replace(/^[*?]/, '[.]*')))];
  const isPath = !test.endsWith('regex') && sought.startsWith(fieldText(withSlash(start)));
  if (isPath) return [patternField(sought)];
  // `*/.ssh/x`: it may lie in the start itself.
  const [below] = test.endsWith('regex') ? [] : (/(?<=^\*\/)[^*?[]+$/.exec(sought) ?? []);
  return [
    foundBelow(start),
    ...(below === undefined ? [] : [joinFields(withSlash(start), exactField(below))]),
  ];
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
  const names = foundNames(args);
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
