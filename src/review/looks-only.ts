/** Programs that change nothing whatever their arguments, as long as their output goes nowhere. */
const LOOKERS = new Set(
  'basename cat cd cmp column comm cut date df diff dirname du echo egrep env false fgrep grep head hexdump id jq ls md5sum nl od printf pwd readlink realpath rg sha1sum sha256sum stat strings tail test tr tree true type uname wc which whoami'.split(
    ' ',
  ),
);
const GIT_LOOKERS = new Set(
  'blame cat-file describe diff grep log ls-files ls-tree merge-base rev-list rev-parse shortlog show status'.split(
    ' ',
  ),
);
/** Of programs that mostly look: arguments by which they do more. */
const MORE: Readonly<Record<string, RegExp>> = {
  find: /^-(?:delete|exec|execdir|ok|okdir|fls|fprint|fprintf|fprint0)/,
  sort: /^-[a-zA-Z]*o|^--output|^--compress/,
  env: /./,
  date: /^(?:-s|--set)/,
  tree: /^-o/,
  rg: /^--(?:pre|hostname-bin)/,
  uniq: /^[^-]/,
};

/** The one use of sed that is known to change nothing: `sed -n '1,20p' FILE`. */
const PRINTED_LINES = /^(['"]?)(?:\d+|\$)(?:,(?:\d+|\$))?p\1$/;

/**
 * Whether a command line of the shell surely only looks. Plain lists and pipes of known programs alone: whatever needs
 * more understanding does not pass.
 */
export function looksOnly(command: string): boolean {
  const text = command.replace(/\s2>(?:&1|\s?\/dev\/null)(?=\s|$)/g, ' ').trim();
  if (text === '' || /[<>`(){}\\\n\r]|\$[^,p]/.test(text) || /(?:^|[^&])&(?:[^&]|$)/.test(text)) return false;
  return text.split(/&&|\|\||[|;]/).every(simpleLooks);
}

function simpleLooks(part: string): boolean {
  const [program = '', ...args] = part.trim().split(/\s+/);
  const more = Object.hasOwn(MORE, program) ? MORE[program] : undefined;
  if (more !== undefined && args.some((arg) => more.test(arg.replace(/^['"]/, '')))) return false;
  if (program === 'git') return gitLooks(args);
  if (program === 'sed') return args[0] === '-n' && PRINTED_LINES.test(args[1] ?? '');
  return LOOKERS.has(program) || ['find', 'sort', 'uniq'].includes(program);
}

function gitLooks(args: readonly string[]): boolean {
  const [verb = ''] = args.filter((arg) => arg !== '--no-pager');
  return (
    GIT_LOOKERS.has(verb) && !args.some((arg) => /^(?:-o|--output|--ext-diff|--textconv|-O|--open)/.test(arg))
  );
}
