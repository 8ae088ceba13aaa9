/** Programs that change nothing whatever their arguments, as long as their output goes nowhere. */
const LOOKERS = new Set(
  'basename cat cd cmp column comm cut date df diff dirname du echo egrep env false fgrep file grep head hexdump id jq less ls md5sum nl od printf pwd readlink realpath rg sha1sum sha256sum stat strings tail test tr tree true type uname uniq wc which whoami'.split(
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
  sort: /^(?:-o|--output)/,
  sed: /^(?:-[a-zA-Z]*i|--in-place|-f|--file)|\b[we]\s|^[we]\b/,
  env: /./,
  date: /^(?:-s|--set)/,
  tree: /^-o/,
  rg: /^--pre/,
};

/**
 * Whether a command line of the shell surely only looks. Plain lists and pipes of known programs alone: whatever needs
 * more understanding does not pass.
 */
export function looksOnly(command: string): boolean {
  const text = command.replace(/\s2>(?:&1|\s?\/dev\/null)(?=\s|$)/g, ' ').trim();
  if (text === '' || /[<>`$(){}\\\n\r]/.test(text) || /(?:^|[^&])&(?:[^&]|$)/.test(text)) return false;
  return text.split(/&&|\|\||[|;]/).every(simpleLooks);
}

function simpleLooks(part: string): boolean {
  const [program = '', ...args] = part.trim().split(/\s+/);
  const more = Object.hasOwn(MORE, program) ? MORE[program] : undefined;
  if (more !== undefined && args.some((arg) => more.test(arg.replace(/^['"]/, '')))) return false;
  if (program === 'git') return gitLooks(args);
  return LOOKERS.has(program) || program === 'find' || program === 'sed' || program === 'sort';
}

function gitLooks(args: readonly string[]): boolean {
  const [verb = ''] = args.filter((arg) => arg !== '--no-pager');
  return (
    GIT_LOOKERS.has(verb) && !args.some((arg) => /^(?:-o|--output|--ext-diff|--textconv|-O|--open)/.test(arg))
  );
}
