import { exactField, type Field, fieldText, hasFlag, splitArguments } from '../../shell/index.ts';
import { editedInPlace } from './files.ts';
import { type Call, entriesFor, type Program, type Prompt } from './program.ts';

const ABOUT_LONG = ['--version', '--help'];
const ABOUT = [...ABOUT_LONG, '-V', '-h'];
const SSH = [...'BbcDEeFIiJLlmOopQRSWw'].map((letter) => `-${letter}`);
const TIMEOUT: Program = { wraps: { skip: 1 }, valued: ['-k', '-s', '--kill-after', '--signal'] };
const IN_CONTAINER: Program = { prompt: attached, writes: copiedOut };

const WRAPPERS: Readonly<Record<string, Program>> = {
  env: {
    wraps: { folder: '-C', assigns: true },
    valued: ['-u', '--unset', '-C', '--chdir'],
    scripts: ['-S', '--split-string'],
    readsOnly: { unless: /./ },
  },
  sudo: {
    wraps: { folder: '-D', assigns: true },
    valued: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '--user', '--group', '--chdir'],
    prompt: privileged,
  },
  doas: { wraps: {}, valued: ['-u', '-C'], prompt: privileged },
  nice: { wraps: {}, valued: ['-n', '--adjustment'] },
  ionice: { wraps: {}, valued: ['-c', '-n', '-p', '--class', '--classdata'] },
  ...entriesFor('chrt taskset gosu chroot softlimit setuidgid arch-chroot', { wraps: { skip: 1 } }),
  ...entriesFor(
    'nohup chronic unbuffer setsid builtin toybox bunx pnpx linux32 linux64 catchsegv eatmydata',
    {
      wraps: {},
    },
  ),
  ...entriesFor('pkexec run0', { wraps: {}, valued: ['--user', '-u', '-D', '--unit'] }),
  runuser: {
    wraps: {},
    valued: ['-u', '-g', '-G', '-w', '--user'],
    scripts: ['-c', '--command'],
  },
  stdbuf: { wraps: {}, valued: ['-i', '-o', '-e'] },
  ...entriesFor('timeout gtimeout', TIMEOUT),
  expect: { scripts: ['-c'] },
  time: { wraps: {}, valued: ['-f', '-o', '--format', '--output'] },
  command: { wraps: { lookups: ['-v', '-V'] } },
  exec: { wraps: {}, valued: ['-a'] },
  busybox: { wraps: { lookups: ['--list', '--help'] } },
  caffeinate: { wraps: {}, valued: ['-t', '-w'] },
  unshare: { wraps: {}, valued: ['-S', '-G', '-R', '-w', '--wd'] },
  fakeroot: { wraps: {}, valued: ['-l', '-s', '-i'] },
  flock: { wraps: { skip: 1 }, valued: ['-w', '-E', '--timeout'], scripts: ['-c', '--command'] },
  strace: { wraps: {}, valued: ['-e', '-o', '-s', '-p', '-u', '-E'] },
  'systemd-run': {
    wraps: {},
    valued: ['-u', '--unit', '-p', '--property', '-t', '--slice', '-E', '--setenv', '-d'],
  },
  'xvfb-run': { wraps: {}, valued: ['-n', '-s', '-e', '-f', '-w', '-p'] },
  npx: { wraps: {}, valued: ['-p', '--package'], scripts: ['-c', '--call'] },
  dotenv: { wraps: { assigns: true }, valued: ['-e', '-f'] },
  ...entriesFor('watch watchexec concurrently cross-env-shell hyperfine', {
    scriptFrom: 0,
    valued: ['-n', '--interval', '-d', '-e', '-w', '-c', '-r', '-m'],
  }),
  eval: { scriptFrom: 0 },
  ssh: {
    scriptFrom: 1,
    runsRemotely: true,
    valued: SSH,
    prompt: { exitingOptions: ['-V', '-Q', '-G', '-N', '-f'], operands: 1 },
  },
  ansible: { scripts: ['-a', '--args'], runsRemotely: true },
  entr: { wraps: {}, scripts: ['-s'] },
  su: {
    valued: ['-s', '-g', '-G', '-w'],
    scripts: ['-c', '--command', '--session-command'],
    prompt: { exitingOptions: ['-c', '--command', '--version', '--help'], operands: 2 },
  },
  script: {
    scripts: ['-c', '--command'],
    prompt: { exitingOptions: ['-c', '--command', '--version', '--help'], operands: 1 },
  },
  tcpdump: { scripts: ['-z'], valued: ['-i', '-w', '-r', '-c', '-G', '-C'] },
  ncat: { scripts: ['-c', '-e', '--sh-exec', '--exec'] },
  nc: { scripts: ['-c', '-e'] },
  screen: {
    wraps: { lookups: ['-ls', '-list', '-v', '-X', '-r', '-x'] },
    valued: ['-S', '-dmS', '-DmS', '-p', '-c', '-e', '-s', '-t', '-T', '-h', '-X'],
    prompt: { exitingOptions: ['-ls', '-v', '-X', '-dmS', '-dm', '-d'], operands: 0 },
  },
  ...entriesFor('docker podman nerdctl kubectl oc', IN_CONTAINER),
};

const PYTHON: Program = {
  valued: ['-W', '-X'],
  code: ['-c'],
  prompt: { exitingOptions: ['-c', '-m', '-V', '-h', '--version', '--help'], waitingOptions: ['-i'] },
};
const NODE: Program = {
  valued: ['-r', '--require', '--import', '--loader', '-C', '--conditions'],
  code: ['-e', '-p', '-pe', '--eval', '--print'],
};
const NODE_PROMPT: Prompt = {
  exitingOptions: '-e -p -v -h -c --eval --print --version --help --test --run --check'.split(' '),
  waitingOptions: ['-i', '--interactive'],
};
const DATABASE: Program = {
  valued: ['-h', '-U', '-p', '-d', '-u', '-P', '--host', '--port', '--user', '--username', '--dbname'],
  prompt: {
    exitingOptions: [
      '-c',
      '-f',
      '-l',
      '-e',
      '-V',
      '--command',
      '--file',
      '--list',
      '--execute',
      '--eval',
      ...ABOUT_LONG,
    ],
    operands: 2,
  },
};

const INTERPRETERS: Readonly<Record<string, Program>> = {
  ...entriesFor('python pypy', PYTHON),
  ipython: {
    code: ['-c'],
    prompt: { exitingOptions: ['-c', '-m', '--version', '--help'], waitingOptions: ['-i'] },
  },
  ...entriesFor('node nodejs ts-node', { ...NODE, prompt: NODE_PROMPT }),
  ...entriesFor('tsx zx', NODE),
  bun: { ...NODE, prompt: ([verb]) => verb?.head === 'repl' },
  deno: { ...NODE, prompt: denoAsks },
  perl: {
    valued: ['-I', '-M'],
    code: ['-e', '-E'],
    writes: editedInPlace,
    prompt: { exitingOptions: ['-e', '-E', '-v', '-V', '-h', '-c', '--version', '--help'] },
  },
  ruby: {
    valued: ['-I', '-r', '-C'],
    code: ['-e'],
    writes: editedInPlace,
    prompt: { exitingOptions: ['-e', '-v', '-h', '--version', '--help'] },
  },
  php: {
    valued: ['-d', '-c'],
    code: ['-r', '-B', '-R', '-E'],
    prompt: {
      exitingOptions: ['-r', '-B', '-R', '-f', '-v', '-i', '-m', '-l', '-S', '--version', '--help'],
      waitingOptions: ['-a'],
    },
  },
  ...entriesFor('lua luajit', {
    valued: ['-l'],
    code: ['-e'],
    prompt: { exitingOptions: ['-e', '-v'], waitingOptions: ['-i'] },
  }),
  ...entriesFor('Rscript rscript', { code: ['-e'] }),
  osascript: { valued: ['-l'], code: ['-e'] },
  ...entriesFor('groovy elixir octave clojure bb racket guile sbcl ocaml kotlin swift julia scala', {
    code: ['-e', '-c', '-E', '--eval', '-eval'],
  }),
  ...entriesFor('irb pry', { prompt: { exitingOptions: ABOUT } }),
  R: { code: ['-e'], prompt: { exitingOptions: ['-e', '-f', '--version', '--help', '--file'] } },
  ...entriesFor('psql mysql mariadb', DATABASE),
  ...entriesFor('mongosh mongo', { ...DATABASE, code: ['--eval'] }),
  sqlite3: { prompt: { exitingOptions: [...ABOUT, '-version', '-help'], operands: 1 } },
  'redis-cli': {
    valued: ['-h', '-p', '-a', '-n', '-u'],
    prompt: { exitingOptions: ['--version', '--help', '--pipe', '--scan'] },
  },
  sftp: { valued: ['-i', '-P', '-o'], prompt: { exitingOptions: ['-b'], operands: 1 } },
};

export const RUNNERS: Readonly<Record<string, Program>> = { ...WRAPPERS, ...INTERPRETERS };

/** `deno` alone opens a prompt, as `deno repl` does. */
function denoAsks(args: readonly Field[]): boolean {
  const { flags, operands } = splitArguments(args, [], true);
  return !hasFlag(flags, ...ABOUT) && (operands[0]?.head === 'repl' || operands.length === 0);
}

function privileged(args: readonly Field[]): boolean {
  const { flags, operands } = splitArguments(args, ['-u', '-g', '-h', '-p', '-C', '-D'], true);
  return operands.length === 0 && hasFlag(flags, '-i', '-s', '--login', '--shell');
}

/** Returns the files that containers write on this machine: `docker cp NAME:/a FILE`, `docker save -o FILE IMAGE`. */
function copiedOut({ args, operands }: Call): readonly Field[] {
  const words = operands.filter(({ head }) => !/^(?:container|compose|image)$/.test(head));
  const verb = fieldText(words[0] ?? exactField(''));
  if (verb === 'cp')
    return words
      .slice(1)
      .slice(-1)
      .filter(({ head }) => !/^[^/.~]*:/.test(head));
  if (verb !== 'save' && verb !== 'export') return [];
  const at = args.findIndex(({ head }) => /^(?:-o|--output)(?:=|$)/.test(head));
  const given = args[at];
  if (given === undefined) return [];
  return given.head.includes('=')
    ? [{ ...given, head: given.head.replace(/^[^=]*=/, '') }]
    : args.slice(at + 1, at + 2);
}

/** Returns whether a call such as `docker exec -it NAME bash` opens a shell in a container that takes typed commands. */
function attached(args: readonly Field[]): boolean {
  const [verb, ...rest] = args.map(fieldText);
  const opens = verb === 'exec' || verb === 'run' || verb === 'attach';
  const typed = rest.some((word) => /^-[a-zA-Z]*i[a-zA-Z]*$|^--(?:interactive|stdin)$/.test(word));
  if (!opens || !typed) return verb === 'attach';
  const last = rest.at(-1) ?? '';
  return /^(?:\S*\/)?(?:bash|sh|zsh|ash|dash|python[\d.]*|node|psql|mysql|mongosh|redis-cli|irb)$/.test(last);
}
