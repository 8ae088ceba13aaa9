import { hasFlag, programName, splitArguments } from './arguments.ts';
import { type Denial, deny } from './denial.ts';
import { type Field, fieldText } from './field.ts';
import { FED_FILE, shellCall } from './shells.ts';
import type { SimpleCommand } from './simple-command.ts';

type Prompt = {
  readonly valued?: readonly string[];
  /** Options with which it does its work and ends. */
  readonly ends?: readonly string[];
  /** Options with which it asks whatever else was given. */
  readonly asks?: readonly string[];
  /** So many operands (a host, a database) still leave it asking. */
  readonly operands?: number;
};

const ABOUT = ['--version', '--help', '-V', '-h'];
const SCRIPT_RUNNER: Prompt = { ends: ABOUT };
const PYTHON: Prompt = {
  valued: ['-W', '-X'],
  ends: ['-c', '-m', '-V', '-h', '--version', '--help'],
  asks: ['-i'],
};
const NODE: Prompt = {
  valued: ['-r', '--require', '--import', '--loader'],
  ends: [
    '-e',
    '-p',
    '-v',
    '-h',
    '--eval',
    '--print',
    '--version',
    '--help',
    '--test',
    '--run',
    '--check',
    '-c',
  ],
  asks: ['-i', '--interactive'],
};
const DATABASE: Prompt = {
  valued: ['-h', '-U', '-p', '-d', '-u', '-P', '--host', '--port', '--user', '--username', '--dbname'],
  ends: [
    '-c',
    '-f',
    '-l',
    '-e',
    '--command',
    '--file',
    '--list',
    '--execute',
    '--eval',
    '--version',
    '--help',
    '-V',
  ],
  operands: 2,
};

/** Programs that ask for commands when they are given none. */
const PROMPTS: Readonly<Record<string, Prompt>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: { ends: ['-c', '-m', '--version', '--help'], asks: ['-i'] },
  node: NODE,
  nodejs: NODE,
  deno: { ends: ABOUT },
  'ts-node': NODE,
  perl: { valued: ['-I', '-M'], ends: ['-e', '-E', '-v', '-V', '-h', '-c', '--version', '--help'] },
  ruby: { valued: ['-I', '-r'], ends: ['-e', '-v', '-h', '--version', '--help'] },
  irb: SCRIPT_RUNNER,
  pry: SCRIPT_RUNNER,
  php: { ends: ['-r', '-f', '-v', '-i', '-m', '-l', '-S', '--version', '--help'], asks: ['-a'] },
  lua: { ends: ['-e', '-v'], asks: ['-i'] },
  R: { ends: ['-e', '-f', '--version', '--help', '--file'] },
  julia: { ends: ['-e', '-E', '--version', '--help'], asks: ['-i'] },
  ghci: { ends: ['-e', '--version', '--help'], operands: 9 },
  iex: { ends: ['-e', '--version', '--help'], operands: 9 },
  erl: { ends: ['-noshell', '-eval', '-version'], operands: 9 },
  scala: SCRIPT_RUNNER,
  psql: DATABASE,
  mysql: DATABASE,
  mariadb: DATABASE,
  sqlite3: { ends: ABOUT.concat('-version', '-help'), operands: 1 },
  mongosh: DATABASE,
  mongo: DATABASE,
  'redis-cli': { valued: ['-h', '-p', '-a', '-n', '-u'], ends: ['--version', '--help', '--pipe', '--scan'] },
  ssh: {
    valued: [...'BbcDEeFIiJLlmOopQRSWw'].map((letter) => `-${letter}`),
    ends: ['-V', '-Q', '-G', '-N', '-f'],
    operands: 1,
  },
  telnet: { operands: 2 },
  ftp: { operands: 2 },
  sftp: { valued: ['-i', '-P', '-o'], ends: ['-b'], operands: 1 },
  gdb: { ends: ['--batch', '-batch', '--version', '--help'], operands: 9 },
  lldb: { ends: ['--batch', '-b', '--version', '--help'], operands: 9 },
  su: { valued: ['-s', '-g', '-G', '-w'], ends: ['-c', '--command', '--version', '--help'], operands: 2 },
  vi: { ends: ['--version', '--help'], operands: 99 },
  vim: { ends: ['--version', '--help', '-es', '-Es'], operands: 99 },
  nvim: { ends: ['--version', '--help', '--headless', '-es'], operands: 99 },
  nano: { ends: ABOUT, operands: 99 },
  emacs: { ends: ['--version', '--help', '--batch', '-batch'], operands: 99 },
  ed: { operands: 1 },
  screen: { ends: ['-ls', '-v', '-X', '-dmS', '-dm', '-d'], operands: 0 },
  script: { ends: ['-c', '--command', '--version', '--help'], operands: 1 },
};

/** A program that waits for commands which are typed later, and are not seen by anybody; `null`: it does not wait. */
export function judgeInteractive(command: SimpleCommand): Denial | null {
  if (command.input.fed || !waits(command.argv)) return null;
  const shown = command.argv.map(fieldText).join(' ').slice(0, 120);
  return deny(
    'interactive_shell',
    `"${shown}" waits for commands that cannot be reviewed when they are typed. Give it the command in one call, as in bash -c '...' or a script file.`,
  );
}

function waits(argv: readonly Field[]): boolean {
  const shell = shellCall(argv);
  if (shell !== null) return !shell.informs && shell.text === null && shell.file === null;
  const name = programName(argv[0]);
  const args = argv.slice(1);
  if (name === 'sudo' || name === 'doas') return privileged(args);
  if (name === 'docker' || name === 'podman' || name === 'kubectl') return attached(args);
  if (name === 'bun') return args[0]?.head === 'repl';
  if (name === 'source' || name === '.') return FED_FILE.test(fieldText(args[0] ?? EMPTY));
  const prompt = PROMPTS[name] ?? PROMPTS[name.replace(/[\d.]+$/, '')];
  return prompt !== undefined && asks(prompt, args, name);
}

const EMPTY: Field = { kind: 'exact', head: '', tail: '' };

function asks(prompt: Prompt, args: readonly Field[], name: string): boolean {
  const { flags, operands } = splitArguments(
    args,
    prompt.valued ?? [],
    name !== 'ssh' && prompt.operands === undefined,
  );
  if (prompt.asks !== undefined && hasFlag(flags, ...prompt.asks)) return true;
  if (/^i?python/.test(name) && flags.includes('-m'))
    return /^(?:pdb|code)$/.test(fieldText(operands[0] ?? EMPTY));
  if (prompt.ends !== undefined && hasFlag(flags, ...prompt.ends)) return false;
  if (name === 'deno' && operands[0]?.head === 'repl') return true;
  // Hosts of repositories offer no shell.
  if (name === 'ssh' && operands[0]?.head.startsWith('git@')) return false;
  const given = operands.filter((operand) => !FED_FILE.test(fieldText(operand)));
  return given.length <= (prompt.operands ?? 0);
}

function privileged(args: readonly Field[]): boolean {
  const { flags, operands } = splitArguments(args, ['-u', '-g', '-h', '-p', '-C', '-D'], true);
  return operands.length === 0 && hasFlag(flags, '-i', '-s', '--login', '--shell');
}

/** `docker exec -it NAME bash`: a shell inside a container that takes what is typed. */
function attached(args: readonly Field[]): boolean {
  const [verb, ...rest] = args.map(fieldText);
  const opens = verb === 'exec' || verb === 'run' || verb === 'attach';
  const typed = rest.some((word) => /^-[a-zA-Z]*i[a-zA-Z]*$|^--(?:interactive|stdin)$/.test(word));
  if (!opens || !typed) return verb === 'attach';
  const last = rest.at(-1) ?? '';
  return /^(?:\S*\/)?(?:bash|sh|zsh|ash|dash|python[\d.]*|node|psql|mysql|mongosh|redis-cli|irb)$/.test(last);
}
