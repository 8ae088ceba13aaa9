import { programName, splitArguments } from './arguments.ts';
import { type Field, fieldText } from './field.ts';

const SHELL =
  /^-?(?:r?bash|sh|zsh|dash|r?ksh|mksh|ash|fish|yash|csh|tcsh|nu|elvish|xonsh|osh|ysh|ion|murex)(?:-?[\d.]+)?$/;
export const FED_FILE = /^(?:-|\/dev\/stdin|\/dev\/tty|\/(?:dev|proc\/self)\/fd\/(?!63$)\d+)$/;

const STARTUP = ['--rcfile', '--init-file'];

export type ShellCall = {
  /** Text after `-c`, or `null`. */
  readonly text: Field | null;
  /** `$0` and the positional parameters of `text`. */
  readonly words: readonly Field[];
  /** Script file; `null` if the shell reads its input. */
  readonly file: Field | null;
  /** The shell only prints something about itself. */
  readonly informs: boolean;
  /** File that the shell reads first. */
  readonly startup: Field | null;
};

/** Returns `null` for a command that isn't a shell. */
export function shellCall(argv: readonly Field[]): ShellCall | null {
  if (!SHELL.test(programName(argv[0]))) return null;
  // `+x` switches an option off.
  const end = argv.findIndex((arg, at) => at > 0 && !/^[-+]\w/.test(arg.head));
  const args = argv.filter((arg, at) => at > 0 && !(/^\+\w$/.test(arg.head) && (end < 0 || at < end)));
  const { flags, values, operands } = splitArguments(args, ['-o', '-O', ...STARTUP], true);
  const startup = STARTUP.flatMap((option) => values.get(option) ?? [])[0] ?? null;
  const short = flags.filter((flag) => /^-[A-Za-z]+$/.test(flag)).join('');
  const informs = flags.some((flag) => flag === '--version' || flag === '--help');
  if (short.includes('c') || flags.includes('--command')) {
    const [text = null, ...words] = operands;
    return { text, words, file: null, informs, startup };
  }
  const first = operands[0] ?? null;
  const reads = first === null || short.includes('s') || FED_FILE.test(fieldText(first));
  return { text: null, words: operands, file: reads ? null : first, informs, startup };
}
