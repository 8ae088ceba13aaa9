import { LONGEST_COMMAND } from '../shell/index.ts';
import { programNamed } from './catalogue/index.ts';

const GIT_READERS = new Set(
  'blame cat-file describe diff grep log ls-files ls-tree merge-base rev-list rev-parse shortlog show status'.split(
    ' ',
  ),
);
/** `sed -n '1,20p' FILE` is the only form of sed that is known to change nothing. */
const PRINTED_LINES = /^(['"]?)(?:\d+|\$)(?:,(?:\d+|\$))?p\1$/;

/** Returns whether a command line certainly only reads: plain lists and pipes of known programs. Anything else returns `false`. */
export function readsOnly(command: string): boolean {
  if (command.length > LONGEST_COMMAND) return false;
  const text = command.replace(/\s2>(?:&1|\s?\/dev\/null)(?=\s|$)/g, ' ').trim();
  if (text === '' || /[<>`(){}\\\n\r]|\$[^,p]/.test(text) || /(?:^|[^&])&(?:[^&]|$)/.test(text)) return false;
  return text.split(/&&|\|\||[|;]/).every(simpleReads);
}

function simpleReads(part: string): boolean {
  const [program = '', ...args] = part.trim().split(/\s+/);
  if (program === 'git') return gitReads(args);
  if (program === 'sed') return args[0] === '-n' && PRINTED_LINES.test(args[1] ?? '');
  const only = programNamed(program)?.readsOnly;
  if (only === undefined || only === true) return only === true;
  return !args.some((arg) => only.unless.test(arg.replace(/^['"]/, '')));
}

function gitReads(args: readonly string[]): boolean {
  const [verb = ''] = args.filter((arg) => arg !== '--no-pager');
  return (
    GIT_READERS.has(verb) && !args.some((arg) => /^(?:-o|--output|--ext-diff|--textconv|-O|--open)/.test(arg))
  );
}
