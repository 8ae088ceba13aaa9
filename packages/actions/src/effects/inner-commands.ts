import {
  exactField,
  type Field,
  fieldText,
  hasFlag,
  type Inner,
  joinWithSpaces,
  programName,
  shellCall,
  splitArguments,
} from '../shell/index.ts';
import { programNamed } from './catalogue/index.ts';
import type { ProgramWithOptions } from './catalogue/program.ts';
import { containerCommand } from './containers.ts';
import { gitCommands } from './git.ts';

export function innerCommands(argv: readonly Field[]): readonly Inner[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  const program = programNamed(name);
  const known = program === undefined ? [] : [...fromOptions(name, program, args), ...wrapped(program, args)];
  return [
    ...known,
    ...packageRunner(name, args),
    ...containerCommand(argv),
    ...pythonModule(name, args),
    ...sshCommands(name, program, args),
    ...fromOperands(name, program, args),
    ...shellEscapes(name, args),
    ...(program === undefined ? behindUnknown(name, args) : []),
  ];
}

/** Programs with commands of their own, of which `!` starts a shell: `vim -c '!ls'`, `less '+!ls'`. */
const ESCAPE = /^(?:vim?|nvim|g?view|ex|less|more|most|gdb|lldb)$/;

function shellEscapes(name: string, args: readonly Field[]): Inner[] {
  if (!ESCAPE.test(name)) return [];
  return args.flatMap((arg) => {
    const [sign] = /^(?:-\w*c)?[+:]*!|^(?:-\w*c)?[+:]*call system(?:list)?\(["']/.exec(arg.head) ?? [];
    if (sign === undefined) return [];
    const head = arg.head.slice(sign.length).replace(sign.endsWith('!') ? /$/ : /["']\)[^"']*$/, '');
    return [{ kind: 'script' as const, text: { ...arg, head } }];
  });
}

/** Programs whose operands are names or texts, even when they look like commands. */
const SPEAKS_OF =
  /^(?:man|tldr|info|apropos|whatis|help|cheat|alias|hash|type|which|whereis|expr|let|logger|notify-send|say|wall|figlet|cowsay|read|xclip|pbcopy|ralph|gh|glab|git|svn|hg|jj|.*(?:test|lint|spec)|apt|apt-get|brew|dnf|yum|pacman|apk|snap|port|nix-env|sdk|nvm|cargo|go|npm|pnpm|yarn|pip3?|gem|mix|composer|dotnet|docker|podman|kubectl|helm|aws|gcloud|az|heroku|fly|flyctl|mc|s3cmd|rclone|pytest|vitest|jest|mocha|make|just|task|rake|rails|code|tee|parallel|rush)$/;
const HARMS =
  /^(?:rm|rmdir|shred|srm|unlink|truncate|dd|mkfs(?:\..*)?|mv|chmod|chown|find|git|kill|pkill|killall|reboot|shutdown|sudo|env)$/;
const READS_TEXT = /^(?:(?:ba|z|da|k|a)?sh|python[\d.]*|perl|ruby|node|php)$/;

/** An unknown program may be a wrapper, so a harmful command in its arguments is judged as if it ran. */
function behindUnknown(name: string, args: readonly Field[]): Inner[] {
  if (name === '' || SPEAKS_OF.test(name)) return [];
  const at = args.findIndex((arg, index) => {
    const next = args[index + 1];
    if (arg.kind !== 'exact' || next === undefined) return false;
    const word = programName(arg);
    return HARMS.test(word) || (READS_TEXT.test(word) && /^-\w*[cer]/.test(next.head));
  });
  const texts = shellCall([exactField(name)]) === null ? optionTexts(args) : [];
  return at < 0 ? texts : [{ kind: 'argv', argv: args.slice(at), assigned: [] }, ...texts];
}

/** Returns harmful commands in options whose names say that their value is run: `nodemon --exec …`. */
function optionTexts(args: readonly Field[]): Inner[] {
  return args.flatMap((arg, index) => {
    if (!arg.head.startsWith('-')) return [];
    const [option] = RUNS_VALUE.exec(arg.head) ?? [];
    const value = option?.endsWith('=') ? { ...arg, head: arg.head.slice(option.length) } : args[index + 1];
    const [first = ''] = value?.head.split(' ') ?? [];
    const word = programName(exactField(first));
    const harms = value?.head.includes(' ') && (HARMS.test(word) || READS_TEXT.test(word));
    return option !== undefined && value !== undefined && harms ? [{ kind: 'script', text: value }] : [];
  });
}

const RUNS_VALUE =
  /^--?(?:[\w-]+-)?(?:exec|execute|cmd|command|run|run_under|runner|shell|script|hook|on\w+|\w+\.cmd|c|x|e)(?:=|$)/;

function sshCommands(name: string, program: ProgramWithOptions | undefined, args: readonly Field[]): Inner[] {
  if (!/^(?:ssh|scp|sftp)$/.test(name)) return [];
  const { values } = splitArguments(args, program?.options ?? ['-o']);
  return (values.get('-o') ?? []).flatMap(({ head, ...rest }) => {
    const [option] = /^(?:Proxy|Local|KnownHosts)Command[= ]/i.exec(head) ?? [];
    return option === undefined
      ? []
      : [{ kind: 'script' as const, text: { ...rest, head: head.slice(option.length) } }];
  });
}

function tmuxCommands(args: readonly Field[]): Inner[] {
  const outer = splitArguments(args, ['-L', '-S', '-f', '-T'], true).operands;
  const verb = fieldText(outer[0] ?? exactField(''));
  if (!TMUX_RUNS.test(verb)) return [];
  const { operands } = splitArguments(
    outer.slice(1),
    ['-t', '-s', '-n', '-c', '-F', '-x', '-y', '-e', '-l', '-p'],
    true,
  );
  const words = operands.filter(({ head }) => !/^(?:Enter|C-m|KPEnter|Space|Escape)$/.test(head));
  return words.length === 0 ? [] : [{ kind: 'script', text: joinWithSpaces(words) }];
}

const TMUX_RUNS =
  /^(?:new(?:-session|-window)?|neww|split-window|splitw|respawn-(?:pane|window)|respawn[pw]|run(?:-shell)?|send(?:-keys)?|if(?:-shell)?|pipe-pane|pipep|(?:display-)?popup)$/;

function fromOptions(name: string, program: ProgramWithOptions, args: readonly Field[]): Inner[] {
  const { scripts } = program;
  if (scripts === undefined) return [];
  const { values, operands } = splitArguments(args, program.options, name === 'env');
  return scripts.flatMap((option) =>
    (values.get(option) ?? []).map((value) => {
      const text = { ...value, head: value.head.replace(/^exec=/, '') };
      return { kind: 'script' as const, text: name === 'env' ? joinWithSpaces([text, ...operands]) : text };
    }),
  );
}

function wrapped(program: ProgramWithOptions | undefined, args: readonly Field[]): Inner[] {
  const wraps = program?.wraps;
  if (program === undefined || wraps === undefined) return [];
  const { flags, values, operands } = splitArguments(args, program.options, true);
  if (wraps.lookups !== undefined && hasFlag(flags, ...wraps.lookups)) return [];
  // `env -` means `env -i`.
  const words = operands.slice(wraps.skip ?? (operands[0]?.head === '-' ? 1 : 0));
  const count = wraps.assigns ? words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word.head)) : 0;
  const assigned = count < 0 ? words : words.slice(0, count);
  const rest = words.slice(assigned.length);
  const argv = wraps.assigns && fieldText(rest[0] ?? exactField('')) === '--' ? rest.slice(1) : rest;
  const folder =
    wraps.folder === undefined ? undefined : (values.get(wraps.folder) ?? values.get('--chdir'))?.[0];
  if (argv.length === 0) return [];
  return [{ kind: 'argv', argv, assigned, ...(folder === undefined ? {} : { cwd: folder }) }];
}

function packageRunner(name: string, args: readonly Field[]): Inner[] {
  if (!/^(?:npm|pnpm|yarn|bun|poetry|uv|pipenv|bundle)$/.test(name)) return [];
  const { operands } = splitArguments(args, ['-p', '--package', '-C', '--dir', '--prefix'], true);
  const word = fieldText(operands[0] ?? exactField(''));
  if (/^(?:exec|x|dlx|run)$/.test(word) && !(word === 'run' && /^(?:npm|pnpm|yarn|bun)$/.test(name))) {
    return [{ kind: 'argv', argv: [exactField('npx'), ...operands.slice(1)], assigned: [] }];
  }
  return name === 'yarn' && word === 'rimraf' ? [{ kind: 'argv', argv: operands, assigned: [] }] : [];
}

/** `python -m twine upload` calls the program `twine`. */
function pythonModule(name: string, args: readonly Field[]): Inner[] {
  if (!/^(?:python|pypy)[\d.]*$/.test(name)) return [];
  const at = args.findIndex((arg) => arg.head === '-m');
  const argv = at < 0 || args.slice(0, at).some((arg) => !arg.head.startsWith('-')) ? [] : args.slice(at + 1);
  return argv.length === 0 ? [] : [{ kind: 'argv', argv, assigned: [] }];
}

function fromOperands(
  name: string,
  program: ProgramWithOptions | undefined,
  args: readonly Field[],
): Inner[] {
  if (name === 'trap') {
    const [action, ...signals] = splitArguments(args).operands;
    return action === undefined || signals.length === 0
      ? []
      : [{ kind: 'script', text: action, atEnd: true }];
  }
  if (name === 'git') return [...gitCommands(args)];
  if (name === 'tmux') return tmuxCommands(args);
  if (name === 'socat') {
    return args
      .filter((arg) => /^(?:EXEC|SYSTEM|SHELL):/i.test(arg.head))
      .map((arg) => ({
        kind: 'script' as const,
        text: { ...arg, head: arg.head.replace(/^[A-Za-z]+:/, '') },
      }));
  }
  if (program?.scriptFrom === undefined) return [];
  const { operands, flags } = splitArguments(args, program.options, true);
  const words = operands.slice(program.scriptFrom);
  if (words.length === 0) {
    // Repository hosts such as GitHub offer no shell.
    const isShell = name === 'ssh' && operands.length === 1 && !operands[0]?.head.startsWith('git@');
    return isShell && !hasFlag(flags, '-N', '-W') ? [{ kind: 'fed', elsewhere: 'machine' }] : [];
  }
  return [
    {
      kind: 'script',
      text: joinWithSpaces(words),
      ...(program.runsRemotely ? { elsewhere: 'machine' as const } : {}),
    },
  ];
}
