import { isAtOrBelow } from 'ralph-kit/paths';
import { hasFlag, programName, splitArguments } from './arguments.ts';
import { unescaped } from './escapes.ts';
import {
  baseName,
  exactField,
  type Field,
  fieldText,
  HIDDEN_MARK,
  joinFields,
  joinWithSpaces,
  LONGEST_WORD,
  MADE_NAME,
  patternField,
  SOME_NAME,
  UNKNOWN,
} from './field.ts';
import { foundBelow, foundNames } from './find.ts';
import { type Input, NO_OUTPUT, type Output, UNKNOWN_OUTPUT, withSources } from './output.ts';
import { type ShellState, valuesOf } from './shell-state.ts';

const FILTERS = new Set('sort uniq head tail tac grep egrep fgrep rg cat tee shuf'.split(' '));
const NAMES_ALONE = new Set('date whoami hostname uname id nproc arch uuidgen seq wc openssl'.split(' '));

export function outputOf(argv: readonly Field[], input: Input, state: ShellState, root: string): Output {
  const [first, ...args] = argv;
  const name = programName(first);
  const { flags, operands } = splitArguments(args);
  switch (name) {
    case 'echo':
      return echo(args);
    case 'printf':
      return printf(args);
    case 'pwd':
      return names(valuesOf(state, 'PWD'));
    case 'cd':
    case 'true':
    case ':':
    case 'export':
      return NO_OUTPUT;
    case 'find':
      return names(foundNames(args));
    case 'fd':
    case 'fdfind':
      return names(operands.length > 1 ? operands.slice(1).map((folder) => foundBelow(folder)) : [SOME_NAME]);
    case 'mktemp':
      return names(mktempNames(args, fieldText(valuesOf(state, 'TMPDIR')[0] ?? UNKNOWN)));
    case 'basename':
      return names(operands.slice(0, 1).map(baseName));
    case 'dirname':
      return names(operands.map(dirName));
    case 'realpath':
    case 'readlink':
      return operands.every((field) => field.kind === 'exact') && operands.length > 0
        ? names(operands)
        : UNKNOWN_OUTPUT;
    case 'git':
      return git(
        flags,
        operands,
        state.cwds.every((cwd) => cwd !== null && isAtOrBelow(cwd, root)) ? root : null,
      );
    case 'ls':
      return listed(operands);
  }
  // Programs print shell text for their own set-up with these words, such as `brew shellenv`.
  if (operands.length <= 3 && operands.some((word) => /^(?:completions?|shellenv)$/.test(fieldText(word))))
    return NO_OUTPUT;
  const filteredInput = filteredText(name, args, input.output);
  if (filteredInput !== null) return filteredInput;
  if (NAMES_ALONE.has(name) && fieldText(args[0] ?? UNKNOWN) !== 's_client') return names([SOME_NAME]);
  if (FILTERS.has(name)) return filtered(name, flags, operands, input);
  return UNKNOWN_OUTPUT;
}

function names(fields: readonly Field[]): Output {
  return fields.length === 0 ? UNKNOWN_OUTPUT : { kind: 'names', fields };
}

function echo(args: readonly Field[]): Output {
  let rest = args;
  let escapes = false;
  while (rest[0] !== undefined && /^-[neE]+$/.test(fieldText(rest[0]))) {
    escapes ||= rest[0].head.includes('e');
    rest = rest.slice(1);
  }
  const text = fieldText(joinWithSpaces(rest));
  return { kind: 'text', text: `${escapes ? unescaped(text) : text}\n` };
}

/** `%s` and `%b` take the arguments in turn. Any other directive makes the text unknown. */
export function printf(args: readonly Field[]): Output {
  const [format, ...values] = fieldText(args[0] ?? UNKNOWN) === '--' ? args.slice(1) : args;
  if (format === undefined) return NO_OUTPUT;
  const pattern = unescaped(fieldText(format));
  const signs = pattern.match(/%[^%]/g) ?? [];
  if (signs.some((sign) => !/^%[sbdq]$/.test(sign))) return UNKNOWN_OUTPUT;
  const texts = values.map(fieldText);
  let text = '';
  do {
    text += pattern.replace(/%[sbdq%]/g, (sign) => {
      if (sign === '%%') return '%';
      const value = texts.shift() ?? '';
      return sign === '%b' ? unescaped(value) : value;
    });
  } while (texts.length > 0 && signs.length > 0 && text.length < LONGEST_WORD);
  return { kind: 'text', text };
}

/** Returns the files or folders that `mktemp` makes, whose names are new. */
export function mktempNames(args: readonly Field[], tmpdir: string): readonly Field[] {
  const { values, operands, flags } = splitArguments(args, ['-p', '--tmpdir', '--suffix']);
  const folder = values.get('-p')?.[0] ?? values.get('--tmpdir')?.[0];
  const template = operands[0];
  const stem =
    template === undefined ? exactField('tmp.') : exactField(fieldText(template).replace(/X{3,}.*$/s, ''));
  const within =
    folder ?? (template === undefined || flags.includes('-t') ? exactField(tmpdir || '/tmp') : undefined);
  const path = within === undefined ? stem : joinFields(joinFields(within, exactField('/')), stem);
  const dry = hasFlag(flags, '-u', '--dry-run');
  // A name that `mktemp -u` only prints isn't a file of the attempt.
  return [joinFields(path, dry ? joinFields(SOME_NAME, MADE_NAME) : MADE_NAME)];
}

function dirName(path: Field): Field {
  if (path.kind === 'exact') {
    const text = path.head.replace(/\/+$/, '');
    return exactField(text.includes('/') ? text.slice(0, text.lastIndexOf('/')) || '/' : '.');
  }
  const at = path.head.lastIndexOf('/');
  return path.kind === 'glob' && !path.tail.includes('/')
    ? exactField(at < 0 ? '.' : path.head.slice(0, at))
    : UNKNOWN;
}

function git(flags: readonly string[], operands: readonly Field[], root: string | null): Output {
  const words = operands.map(fieldText);
  // Without arguments, `git ls-files` prints every tracked file.
  if (words[0] === 'ls-files' && words.length === 1 && flags.every((flag) => flag === '-z')) return ALL_NAMES;
  if (words[0] === 'ls-files' || words[0] === 'diff' || words[0] === 'grep') return names([SOME_NAME]);
  if (words[0] !== 'rev-parse') return UNKNOWN_OUTPUT;
  if (flags.includes('--show-toplevel')) return root === null ? UNKNOWN_OUTPUT : names([exactField(root)]);
  return words.length > 1 ? names([SOME_NAME]) : UNKNOWN_OUTPUT;
}

/** A list that leaves nothing out. */
const ALL_NAMES: Output = { kind: 'names', fields: [SOME_NAME], all: true };

function listed(operands: readonly Field[]): Output {
  if (operands.length === 0) return ALL_NAMES;
  if (operands.every((field) => field.kind === 'glob')) return names(operands);
  const [folder, ...others] = operands;
  if (folder === undefined || others.length > 0) return UNKNOWN_OUTPUT;
  // A listing of another folder usually means the entries there, though it prints only their names.
  const isElsewhere = folder.kind === 'exact' && /^(?:\/|\.\.(?:\/|$))/.test(folder.head);
  return names(isElsewhere ? [SOME_NAME, patternField(`${folder.head.replace(/\/+$/, '')}/*`)] : [SOME_NAME]);
}

function filtered(name: string, flags: readonly string[], operands: readonly Field[], input: Input): Output {
  const searches = /grep$|^rg$/.test(name);
  const reads = searches ? operands.slice(1) : operands;
  if (searches && flags.some((flag) => /^-[a-zA-Z]*[lL]|^--files/.test(flag))) {
    return names(
      reads.length === 0
        ? [SOME_NAME]
        : reads.map((field) => joinFields({ ...field, kind: 'glob' }, SOME_NAME)),
    );
  }
  if (name === 'tee') return input.output;
  // Part of a line is another word.
  if (hasFlag(flags, '-o', '-c', '--only-matching', '--bytes')) return UNKNOWN_OUTPUT;
  const own = reads.filter((field) => !/^[+-]?\d+$|^-$/.test(fieldText(field)));
  if (own.length > 0) return { kind: 'files', fields: own };
  const keepsAll = /^(?:sort|uniq|tac|cat|shuf)$/.test(name);
  return input.output.kind === 'names' && !keepsAll ? names(input.output.fields) : input.output;
}

const HIDDEN: Output = withSources(UNKNOWN_OUTPUT, HIDDEN_MARK);
const UNPACKS = /^(?:gunzip|zcat|gzcat|bunzip2|bzcat|unxz|xzcat|unzstd|zstdcat|uudecode|base32|rev)$/;
const PACKS = /^(?:gzip|bzip2|xz|zstd|lz4|brotli|xxd|openssl)$/;
const WHITE_SPACE = /^(?:\\[nrt0]+|\[:space:\]|\s)+$/;

function filteredText(name: string, args: readonly Field[], input: Output): Output | null {
  const { flags, operands } = splitArguments(args);
  if (/^g?base64$/.test(name)) {
    if (!hasFlag(flags, '-d', '-D', '--decode')) return null;
    const text = operands.length === 0 && input.kind === 'text' ? decodeBase64(input.text) : null;
    return text === null ? HIDDEN : { kind: 'text', text };
  }
  if (name === 'tr') {
    if (operands.every((field) => WHITE_SPACE.test(fieldText(field)))) return input;
    return input.kind === 'text' || !hasFlag(flags, '-c', '-C', '-s') ? HIDDEN : UNKNOWN_OUTPUT;
  }
  const unpacks = UNPACKS.test(name) || (PACKS.test(name) && hasFlag(flags, '-d', '-r', '--decompress'));
  return unpacks ? HIDDEN : null;
}

/** Returns base64 text decoded byte by byte, as paths and commands are ASCII; `null` if it isn't base64. */
function decodeBase64(text: string): string | null {
  const packed = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const digits = packed.replace(/=+$/, '');
  return /^[A-Za-z0-9+/]+$/.test(digits) && digits.length % 4 !== 1 ? atob(digits) : null;
}
