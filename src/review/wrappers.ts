import { hasFlag, programName, splitArguments } from './arguments.ts';
import { exactField, type Field, fieldText, joinWithSpaces } from './field.ts';
import { gitCommands } from './git-call.ts';

/** What a command runs in its turn. */
export type Inner =
  | {
      readonly kind: 'argv';
      readonly argv: readonly Field[];
      readonly cwd?: Field;
      /** `NAME=value` words in front of the command. */
      readonly assigned: readonly Field[];
    }
  /** A text that a shell reads; `elsewhere`: on another machine. */
  | { readonly kind: 'script'; readonly text: Field; readonly elsewhere?: boolean };

type Wrapper = {
  /** Options that take a value. */
  readonly valued: readonly string[];
  /** Operands in front of the command, such as the seconds of `timeout`. */
  readonly skip?: number;
  /** Options that only look something up. */
  readonly looks?: readonly string[];
  /** Option that names the folder to run in. */
  readonly folder?: string;
};

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { valued: ['-u', '--unset', '-C', '--chdir', '-S', '--split-string'], folder: '-C' },
  sudo: {
    valued: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '--user', '--group', '--chdir'],
    folder: '-D',
  },
  doas: { valued: ['-u', '-C'] },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '-n', '-p', '--class', '--classdata'] },
  chrt: { valued: [], skip: 1 },
  taskset: { valued: [], skip: 1 },
  nohup: { valued: [] },
  chronic: { valued: [] },
  unbuffer: { valued: [] },
  gosu: { valued: [], skip: 1 },
  runuser: { valued: ['-u', '-g', '-G', '-w', '--user'] },
  setsid: { valued: [] },
  stdbuf: { valued: ['-i', '-o', '-e'] },
  timeout: { valued: ['-k', '-s', '--kill-after', '--signal'], skip: 1 },
  gtimeout: { valued: ['-k', '-s', '--kill-after', '--signal'], skip: 1 },
  time: { valued: ['-f', '-o', '--format', '--output'] },
  command: { valued: [], looks: ['-v', '-V'] },
  builtin: { valued: [] },
  exec: { valued: ['-a'] },
  busybox: { valued: [], looks: ['--list', '--help'] },
  toybox: { valued: [] },
  caffeinate: { valued: ['-t', '-w'] },
  unshare: { valued: ['-S', '-G', '-R', '-w', '--wd'] },
  chroot: { valued: [], skip: 1 },
  fakeroot: { valued: ['-l', '-s', '-i'] },
  flock: { valued: ['-w', '-E', '--timeout'], skip: 1 },
  strace: { valued: ['-e', '-o', '-s', '-p', '-u', '-E'] },
  ltrace: { valued: ['-e', '-o', '-s', '-p', '-u'] },
  'systemd-run': { valued: ['-u', '--unit', '-p', '--property', '-t', '--slice', '-E', '--setenv', '-d'] },
  'xvfb-run': { valued: ['-n', '-s', '-e', '-f', '-w', '-p'] },
  npx: { valued: ['-p', '--package', '-c', '--call'] },
  bunx: { valued: [] },
  pnpx: { valued: [] },
  dotenv: { valued: ['-e', '-f'] },
};

/** Programs of which one option holds a command line. */
const SCRIPT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  env: ['-S', '--split-string'],
  npx: ['-c', '--call'],
  su: ['-c', '--command', '--session-command'],
  script: ['-c', '--command'],
  flock: ['-c', '--command'],
  runuser: ['-c', '--command'],
  'nix-shell': ['--run', '--command'],
  tar: ['-I', '--use-compress-program', '--to-command', '--checkpoint-action', '-F', '--info-script'],
  rsync: ['-e', '--rsh'],
  ncat: ['-c', '-e', '--sh-exec', '--exec'],
  nc: ['-c', '-e'],
};

/** Programs that read what follows them as a command line of their own. */
const SCRIPT_OPERANDS: Readonly<
  Record<string, { valued: readonly string[]; skip: number; elsewhere?: boolean }>
> = {
  ssh: {
    valued: [...'BbcDEeFIiJLlmOopQRSWw'].map((letter) => `-${letter}`),
    skip: 1,
    elsewhere: true,
  },
  watch: { valued: ['-n', '--interval', '-d'], skip: 0 },
  eval: { valued: [], skip: 0 },
};

/** The commands that a command runs, as they stand in its arguments. */
export function innerCommands(argv: readonly Field[]): readonly Inner[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  return [...fromOptions(name, args), ...fromWrapper(name, args), ...fromOperands(name, args)];
}

function fromOptions(name: string, args: readonly Field[]): Inner[] {
  const options = SCRIPT_OPTIONS[name];
  if (options === undefined) return [];
  const { values, operands } = splitArguments(
    args,
    [...options, ...(WRAPPERS[name]?.valued ?? [])],
    name === 'env',
  );
  return options.flatMap((option) =>
    (values.get(option) ?? []).map((value) => {
      const text = { ...value, head: value.head.replace(/^exec=/, '') };
      return { kind: 'script' as const, text: name === 'env' ? joinWithSpaces([text, ...operands]) : text };
    }),
  );
}

function fromWrapper(name: string, args: readonly Field[]): Inner[] {
  const wrapper = WRAPPERS[name];
  if (wrapper === undefined) return packageRunner(name, args);
  const { flags, values, operands } = splitArguments(args, wrapper.valued, true);
  if (wrapper.looks !== undefined && hasFlag(flags, ...wrapper.looks)) return [];
  let argv = operands.slice(wrapper.skip ?? 0);
  const assigned: Field[] = [];
  if (name === 'env' || name === 'sudo' || name === 'dotenv') {
    while (argv[0] !== undefined && /^[A-Za-z_]\w*\+?=/.test(argv[0].head)) {
      assigned.push(argv[0]);
      argv = argv.slice(1);
    }
    if (name === 'dotenv' && fieldText(argv[0] ?? exactField('')) === '--') argv = argv.slice(1);
  }
  const folder =
    wrapper.folder === undefined ? undefined : (values.get(wrapper.folder) ?? values.get('--chdir'))?.[0];
  if (argv.length === 0) return [];
  return [{ kind: 'argv', argv, assigned, ...(folder === undefined ? {} : { cwd: folder }) }];
}

/** `npm exec -- X`, `pnpm dlx X`, `yarn X`: the command comes after the word for running one. */
function packageRunner(name: string, args: readonly Field[]): Inner[] {
  if (!/^(?:npm|pnpm|yarn|bun|poetry|uv|pipenv|bundle)$/.test(name)) return [];
  const { operands } = splitArguments(args, ['-p', '--package', '-C', '--dir', '--prefix'], true);
  const word = fieldText(operands[0] ?? exactField(''));
  if (/^(?:exec|x|dlx|run)$/.test(word) && !(word === 'run' && /^(?:npm|pnpm|yarn|bun)$/.test(name))) {
    return fromWrapper('npx', operands.slice(1));
  }
  return name === 'yarn' && word === 'rimraf' ? [{ kind: 'argv', argv: operands, assigned: [] }] : [];
}

function fromOperands(name: string, args: readonly Field[]): Inner[] {
  if (name === 'trap') {
    const [action, ...signals] = splitArguments(args).operands;
    return action === undefined || signals.length === 0 ? [] : [{ kind: 'script', text: action }];
  }
  if (name === 'git') return gitCommands(args).map((text) => ({ kind: 'script', text }));
  // Each of its operands is a command line.
  if (name === 'hyperfine' || name === 'concurrently') {
    return splitArguments(args).operands.map((text) => ({ kind: 'script', text }));
  }
  if (name === 'tmux' || name === 'screen') {
    const last = args.at(-1);
    return last?.head.includes(' ') ? [{ kind: 'script', text: last }] : [];
  }
  if (name === 'socat') {
    return args
      .filter((arg) => /^(?:EXEC|SYSTEM|SHELL):/i.test(arg.head))
      .map((arg) => ({
        kind: 'script' as const,
        text: { ...arg, head: arg.head.replace(/^[A-Za-z]+:/, '') },
      }));
  }
  const reader = SCRIPT_OPERANDS[name];
  if (reader === undefined) return [];
  const words = splitArguments(args, reader.valued, true).operands.slice(reader.skip);
  if (words.length === 0) return [];
  return [{ kind: 'script', text: joinWithSpaces(words), ...(reader.elsewhere ? { elsewhere: true } : {}) }];
}
