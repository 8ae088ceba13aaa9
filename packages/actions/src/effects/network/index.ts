import {
  exactField,
  type Field,
  fieldText,
  hasFlag,
  programName,
  SECRET_MARK,
  type SimpleCommand,
  shellCall,
  shownField,
  splitArguments,
} from '../../shell/index.ts';
import { under } from '../catalogue/program.ts';
import { namedFile, whoseCredentials } from '../credentials.ts';
import type { Effect, EffectPlace } from '../effect.ts';
import { hostOf, LOCAL, networkEffect } from './hosts.ts';
import {
  type Body,
  fedWith,
  fileSends,
  heldIn,
  isOpaque,
  type NetworkContext,
  type Reader,
} from './sends.ts';
import { curl, wget } from './web-clients.ts';

export function networkEffects(command: SimpleCommand, context: NetworkContext): readonly Effect[] {
  const name = programName(command.argv[0]);
  const sockets = command.writes.filter(({ head }) => /^\/dev\/(?:tcp|udp)\//.test(head));
  const devices = sockets.map(({ head }) =>
    networkEffect(name || 'shell', hostOf(head.split('/')[3] ?? ''), {
      direction: 'out',
      sends: command.argv.slice(1).some((arg) => whoseCredentials(arg, command, context.place) !== null)
        ? 'credentials'
        : fedWith(command, context),
    }),
  );
  const args = command.argv.slice(1);
  if (args.some((arg) => /^(?:--version|--help|-V)$/.test(arg.head))) return devices;
  const given =
    sockets.some(({ head }) => !LOCAL.test(head.split('/')[3] ?? '')) &&
    (command.argv.some((word) => shellCall([word]) !== null) || name === 'exec');
  const shell: readonly Effect[] = given
    ? [{ kind: 'opens_shell', by: name, shown: `${name} ${sockets.map(shownField).join(' ')}`.slice(0, 120) }]
    : [];
  return [...devices, ...shell, ...(READERS[name]?.(command, context) ?? []), ...runsAddress(command, name)];
}

/** `deno run https://…` downloads the program that it runs. */
function runsAddress(command: SimpleCommand, name: string): readonly Effect[] {
  const { argv } = command;
  if (!/^(?:deno|bun|bunx|npx|node|tsx)$/.test(name)) return [];
  const program = splitArguments(argv.slice(1)).operands.find(
    ({ head }) => !/^(?:run|x|eval|install)$/.test(head),
  );
  return program !== undefined && /^https?:\/\//.test(program.head)
    ? [{ kind: 'runs_text', by: name, shown: shownField(program).slice(0, 120), from: 'download' }]
    : [];
}

const pipe =
  (direction: 'in' | 'out'): Reader =>
  (command, context) => {
    const { operands, flags } = splitArguments(
      command.argv.slice(1),
      '-p -s -w -x -X -q -i -b -S -a -r -c'.split(' '),
    );
    const target = operands.find(({ head }) => head !== '' && !/^\d+$/.test(head));
    const host = target?.kind === 'exact' ? hostOf(target.head) : null;
    const fed = fedWith(command, context);
    const named = operands.filter((field) => whoseCredentials(field, command, context.place) !== null);
    const attached =
      !/^(?:ssh|sftp)$/.test(programName(command.argv[0])) &&
      command.argv.slice(1).some((arg) => whoseCredentials(namedFile(arg), command, context.place) !== null);
    const marked = command.argv.some((arg) => fieldText(arg).includes(SECRET_MARK));
    const sends: Body =
      named.length > 0 || attached || marked
        ? 'credentials'
        : fed === 'data' && isOpaque(command)
          ? 'file'
          : fed;
    const scans = hasFlag(flags, '-z', '-l');
    const out = fed !== 'nothing' || direction === 'out';
    return [
      networkEffect(programName(command.argv[0]), host, {
        direction: out && !scans ? 'out' : 'in',
        sends: scans ? 'nothing' : sends,
      }),
    ];
  };

/** `scp` and `rsync` take the operand with `HOST:` for the other machine. */
const copies: Reader = (command, context) => {
  const { values, operands } = splitArguments(
    command.argv.slice(1),
    '--files-from -i -P -o -l -c -F -J -e --rsh --exclude --include -f --filter'.split(' '),
  );
  const remote = (field: Field) => /^[\w.@-]+:|^rsync:\/\//.test(field.head);
  const last = operands.at(-1);
  if (last === undefined || !operands.some(remote)) return [];
  const out = remote(last);
  const listed = (values.get('--files-from') ?? [])
    .flatMap((file) => heldIn(file, command, context))
    .flatMap((text) => text.split(/[\n\0]/))
    .filter((name) => name !== '');
  const folders = out ? operands.slice(0, -1) : [];
  const sources = [
    ...folders,
    ...folders.flatMap((folder) => listed.map((name) => under(folder, exactField(name)))),
  ];
  const secret = sources.some((each) => fileSends(each, command, context) === 'credentials');
  const host = hostOf((out ? last : (operands.find(remote) ?? last)).head);
  // Copying the work tree to a machine of yours is the purpose of these programs, so it counts as data, not as files.
  return [
    networkEffect(programName(command.argv[0]), host, {
      direction: out ? 'out' : 'in',
      sends: secret ? 'credentials' : out ? 'data' : 'nothing',
    }),
  ];
};

const stores =
  (verbs: RegExp): Reader =>
  (command, context) => {
    const args = command.argv.slice(1);
    const line = args.map(fieldText).join(' ').slice(0, 2000);
    const posts =
      /^(?:issue|pr|mr|api|gist|release|snippet|discussion)\b/.test(line) && line.includes(SECRET_MARK);
    if (!verbs.test(line) && !posts) return [];
    const secret =
      posts ||
      fedWith(command, context) === 'credentials' ||
      args.some(
        (arg) => whoseCredentials(arg, command, context.place) !== null || isHome(arg, context.place),
      );
    const gist = /gist/.test(line);
    return [
      networkEffect(programName(command.argv[0]), null, {
        direction: 'out',
        sends: secret ? 'credentials' : gist ? 'file' : 'data',
      }),
    ];
  };

function isHome({ head }: Field, { home }: EffectPlace): boolean {
  const plain = head.replace(/\/+$/, '');
  return plain !== '' && (plain === home || /^\/(?:home|Users|root)(?:\/[^/]+)?$/.test(plain));
}

const remotes: Reader = (command) => {
  const { operands } = splitArguments(command.argv.slice(1), ['-C', '-c', '--git-dir', '--work-tree'], true);
  const verb = fieldText(operands[0] ?? { kind: 'exact', head: '', tail: '' });
  if (!/^(?:clone|fetch|pull|push|ls-remote|submodule|lfs)$/.test(verb)) return [];
  return [networkEffect('git', null, { direction: verb === 'push' ? 'out' : 'in', reach: 'registry' })];
};

const queries: Reader = (command) => {
  const target = splitArguments(command.argv.slice(1)).operands.at(-1);
  const marked = command.argv.some((arg) => fieldText(arg).includes(SECRET_MARK));
  const host = target?.kind === 'exact' ? hostOf(target.head) : null;
  return [
    networkEffect(programName(command.argv[0]), host, {
      direction: marked ? 'out' : 'in',
      sends: marked ? 'credentials' : 'nothing',
      ...(marked ? {} : { reach: 'registry' as const }),
    }),
  ];
};

const all = (names: string, reader: Reader) => names.split(' ').map((name) => [name, reader] as const);

const READERS: Readonly<Record<string, Reader>> = Object.fromEntries([
  ...all('curl', curl),
  ...all('wget', wget),
  ...all('nc ncat netcat telnet socat ftp tftp', pipe('in')),
  ...all('ssh sftp lftp smbclient', pipe('in')),
  ...all('mail mailx sendmail mutt msmtp swaks', pipe('out')),
  ...all('scp rsync', copies),
  ...all(
    'aws s3cmd s5cmd mc rclone gsutil gcloud az',
    stores(/\b(?:cp|sync|mv|put|copy|copyto|mirror|upload|rsync|upload-batch)\b/),
  ),
  ...all('gh glab', stores(/^(?:gist|snippet) create|^release upload/)),
  ...all('git', remotes),
  ...all('dig nslookup host ping traceroute whois', queries),
  ...all('lynx links w3m fetch aria2c', queries),
]);
