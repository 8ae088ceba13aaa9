import { exactField, type Field, fieldText, joinFields, patternField, SOME_NAME, UNKNOWN } from './field.ts';

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
/** Bounds starts times patterns; beyond it the found names are unknown. */
const MOST_NAMES = 100;
/** Matches any name, including hidden ones, which `find` returns, too. */
const ANY_NAME = patternField('[.]*');
const ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

function findStarts(args: readonly Field[]): readonly Field[] {
  const options = args.findIndex((field) => !/^-(?:[HLPE]|D.*|O\d)$/.test(fieldText(field)));
  const rest = options < 0 ? [] : args.slice(options);
  const end = rest.findIndex((field) => /^[-(!]/.test(field.head));
  const starts = end < 0 ? rest : rest.slice(0, end);
  return starts.length === 0 ? [exactField('.')] : starts;
}

/** Returns the possible values of `{}`: paths below a start, and the start itself unless a test excludes it. */
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

export function foundBelow(start: Field): Field {
  return joinFields(withSlash(start), SOME_NAME);
}

function withSlash(start: Field): Field {
  return fieldText(start).endsWith('/') ? start : joinFields(start, exactField('/'));
}

/** Returns the paths that a test by name accepts. In `find`, `*` also matches the dot of a hidden name. */
function fitting(start: Field, test: string, pattern: string): readonly Field[] {
  const sought = test.startsWith('-i') ? pattern.toLowerCase() : pattern;
  // A pattern such as `*.json` isn't narrowed: agents' settings in JSON are recognised by their folders.
  if (/^-i?name$/.test(test) && !/^\*\.jsonc?$/.test(sought))
    return [joinFields(withSlash(start), patternField(sought.replace(/^[*?]/, '[.]*')))];
  const isPath = !test.endsWith('regex') && sought.startsWith(fieldText(withSlash(start)));
  if (isPath) return [patternField(sought)];
  // A match of `*/.ssh/x` may lie in the start folder itself.
  const [below] = test.endsWith('regex') ? [] : (/(?<=^\*\/)[^*?[]+$/.exec(sought) ?? []);
  return [
    foundBelow(start),
    ...(below === undefined ? [] : [joinFields(withSlash(start), exactField(below))]),
  ];
}

function isNegated(text: readonly string[], index: number): boolean {
  return text[index - 1] === '!' || text[index - 1] === '-not';
}

/** Patterns such as `*`, `.*` and `*.*` match everything, or everything hidden. */
function isNarrow(pattern: string): boolean {
  return !/^[*.?/]*$/.test(pattern);
}

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

/** Returns whether `find` itself deletes; a `-delete` within an `-exec` is an argument of that command. */
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
