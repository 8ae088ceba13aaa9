import {
  exactField,
  type Field,
  fieldText,
  type Inner,
  joinWithSpaces,
  splitArguments,
} from '../../shell/index.ts';

type Reader = (args: readonly Field[]) => readonly Inner[];

const script = (text: Field): Inner => ({ kind: 'script', text });
const call = (argv: readonly Field[]): readonly Inner[] =>
  argv.length === 0 ? [] : [{ kind: 'argv', argv, assigned: [] }];
const isText = ({ head }: Field) => /\s/.test(head);

/** Languages of files by their endings, where a program runs whatever it is given. */
const INTERPRETERS: readonly (readonly [file: RegExp, interpreter: string])[] = [
  [/\.(?:[cm]?js|[cm]?ts|jsx|tsx)$/, 'node'],
  [/\.py$/, 'python3'],
  [/\.(?:ba|z)?sh$/, 'bash'],
  [/\.rb$/, 'ruby'],
  [/\.pl$/, 'perl'],
  [/\.php$/, 'php'],
];

/** A file with its arguments, as its language runs it; else a program. */
function started(words: readonly Field[]): readonly Inner[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  if (isText(first)) return [script(joinWithSpaces(words))];
  const interpreter = INTERPRETERS.find(([file]) => file.test(first.head))?.[1];
  return call(interpreter === undefined ? words : [exactField(interpreter), first, ...rest]);
}

/** `VERB FILE ARGUMENTS`, or a command in an option with these behind it. */
const manager =
  (verbs: RegExp | null, commands: readonly string[], valued: readonly string[]): Reader =>
  (args) => {
    const { values, operands } = splitArguments(args, [...commands, ...valued]);
    const hasVerb = verbs?.test(operands[0]?.head ?? '') ?? false;
    if (verbs !== null && !hasVerb && /^[a-z]+$/i.test(operands[0]?.head ?? '')) return [];
    const words = hasVerb ? operands.slice(1) : operands;
    const given = commands.flatMap((option) => values.get(option) ?? []);
    return given.length > 0 ? given.map((text) => script(joinWithSpaces([text, ...words]))) : started(words);
  };

/** All words are one command line. */
const oneText =
  (valued: readonly string[]): Reader =>
  (args) => {
    const { operands } = splitArguments(args, valued, true);
    return operands.length === 0 ? [] : [script(joinWithSpaces(operands))];
  };

/** Each word is a command line; `npm:NAME` is a script of the package. */
const eachText =
  (valued: readonly string[]): Reader =>
  (args) =>
    splitArguments(args, valued).operands.map(({ head, ...rest }) =>
      script({ ...rest, head: head.replace(/^(npm|yarn|pnpm|bun|node|deno):/, '$1 run ') }),
    );

const NODEMON = [
  '-w',
  '--watch',
  '-e',
  '--ext',
  '-i',
  '--ignore',
  '-d',
  '--delay',
  '-V',
  '--signal',
  '--config',
];

const READERS: readonly (readonly [programs: RegExp, reader: Reader])[] = [
  [
    /^pm2(?:-runtime|-dev)?$/,
    manager(
      /^(?:start|restart|reload|startOrRestart|startOrReload)$/,
      [],
      [
        ...[
          '-n',
          '--name',
          '-i',
          '--instances',
          '-o',
          '--output',
          '-e',
          '--error',
          '-l',
          '--log',
          '-c',
          '--cron',
        ],
        ...[
          '--interpreter',
          '--node-args',
          '--env',
          '--namespace',
          '--cwd',
          '--max-memory-restart',
          '-u',
          '--user',
        ],
      ],
    ),
  ],
  [
    /^forever$/,
    manager(
      /^(?:start|restart)$/,
      ['-c', '--command'],
      [
        ...[
          '-m',
          '-l',
          '-o',
          '-e',
          '-p',
          '--uid',
          '--workingDir',
          '--sourceDir',
          '--pidFile',
          '--killSignal',
        ],
      ],
    ),
  ],
  [/^nodemon$/, manager(null, ['-x', '--exec'], NODEMON)],
  [/^(?:supervisor|node-supervisor)$/, manager(null, ['-x', '--exec'], NODEMON)],
  [/^(?:node-dev|ts-node-dev|tsnd)$/, manager(null, [], ['-r', '--require', '-P', '--project'])],
  [
    /^watchexec$/,
    oneText([
      '-e',
      '--exts',
      '-w',
      '--watch',
      '-i',
      '--ignore',
      '-f',
      '--filter',
      '-d',
      '--debounce',
      '-s',
      '--signal',
      '--shell',
      '-E',
      '--env',
      '--on-busy-update',
      '-o',
    ]),
  ],
  [/^cross-env-shell$/, oneText([])],
  [
    /^(?:concurrently|conc)$/,
    eachText([
      '-n',
      '--names',
      '-c',
      '--prefix-colors',
      '-p',
      '--prefix',
      '-m',
      '--max-processes',
      '--restart-tries',
      '--default-input-target',
    ]),
  ],
  [
    /^hyperfine$/,
    eachText([
      '-n',
      '--command-name',
      '-w',
      '--warmup',
      '-r',
      '--runs',
      '-m',
      '-M',
      '--export-json',
      '--export-markdown',
    ]),
  ],
  [/^(?:start-server-and-test|start-test|server-test)$/, (args) => args.filter(isText).map(script)],
  [
    /^pipx$/,
    ([verb, ...rest]) => (verb?.head === 'run' ? call(splitArguments(rest, ['--spec'], true).operands) : []),
  ],
  [/^(?:lerna|yarn|pnpm|rush)$/, inEach],
  [/^cargo$/, watchedByCargo],
];

/** `lerna exec TEXT`, `yarn workspaces foreach exec …`: in each of the packages. */
function inEach(args: readonly Field[]): readonly Inner[] {
  const { operands } = splitArguments(args, [
    '--scope',
    '--ignore',
    '--concurrency',
    '--from',
    '--include',
    '--exclude',
    '-j',
    '--filter',
  ]);
  const at = operands.findIndex((word) => fieldText(word) === 'exec');
  if (at < 0 || !operands.slice(0, at).every((word) => /^(?:workspaces?|foreach|ws)$/.test(fieldText(word))))
    return [];
  const words = operands.slice(at + 1);
  return words.length === 1 ? words.map(script) : call(words);
}

/** `cargo watch -s TEXT`, `cargo watch -- COMMAND`. */
function watchedByCargo([verb, ...args]: readonly Field[]): readonly Inner[] {
  if (verb?.head !== 'watch') return [];
  const { values } = splitArguments(args, ['-s', '--shell', '-x', '--exec', '-w', '-i', '-d']);
  const texts = [...(values.get('-s') ?? []), ...(values.get('--shell') ?? [])];
  const end = args.findIndex((arg) => arg.head === '--');
  return [...texts.map(script), ...(end < 0 ? [] : call(args.slice(end + 1)))];
}

/** The commands that a program is told to start, keep up, or run again. */
export function managedCommands(name: string, args: readonly Field[]): readonly Inner[] {
  return READERS.find(([programs]) => programs.test(name))?.[1](args) ?? [];
}
