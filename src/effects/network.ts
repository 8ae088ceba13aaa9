import { placedPath } from '../lib/paths.ts';
import {
  type CommandFiles,
  type Field,
  fieldText,
  hasFlag,
  programName,
  SECRET_MARK,
  type SimpleCommand,
  shellCall,
  shownField,
  splitArguments,
} from '../shell/index.ts';
import { whoseCredentials } from './credentials.ts';
import type { Effect, EffectPlace, NetworkEffect } from './effect.ts';

const LOCAL =
  /^(?:localhost|127(?:\.\d+){0,3}|0(?:\.0){0,3}|\[?::1\]?|[\w-]+\.(?:localhost|local|test|internal)|host\.docker\.internal|)$/i;
/** Where package managers and toolchains get what they install, and where repositories lie. */
const REGISTRY =
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|pypi\.org|pythonhosted\.org|crates\.io|rust-lang\.org|golang\.org|go\.dev|rubygems\.org|maven\.org|gradle\.org|nuget\.org|packagist\.org|getcomposer\.org|hex\.pm|jsr\.io|deno\.(?:land|com)|nodejs\.org|debian\.org|ubuntu\.com|docker\.(?:io|com)|ghcr\.io|quay\.io|github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org)$/i;

/** The host that an address names: `https://user@host:443/path`, `host:port/path`, `user@host:path`; `null`: none. */
export function hostOf(address: string): string | null {
  const [, host] =
    /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]*\]|[\w.-]+)/i.exec(address.trim()) ?? [];
  if (host === undefined || host === '') return /^:\d|^:\//.test(address) ? 'localhost' : null;
  return host.toLowerCase();
}

/** A request of which nothing more is known than where it goes. */
export function networkEffect(
  by: string,
  host: string | null = null,
  more: Partial<Pick<NetworkEffect, 'direction' | 'reach' | 'sends'>> = {},
): NetworkEffect {
  const reach = host !== null && LOCAL.test(host) ? 'local' : 'external';
  return { ...{ kind: 'network', by, direction: 'in', host, reach, sends: 'nothing' }, ...more };
}

/** What a tool of the agent asks the network for: an address, or the words of a search. */
export function requestEffect(by: string, asked: string): NetworkEffect {
  return networkEffect(by, /^\S+$/.test(asked) && /[.:]/.test(asked) ? hostOf(asked) : null);
}

export type NetworkContext = { readonly place: EffectPlace; readonly files: CommandFiles };

/** What a command asks of other machines and sends there. */
export function networkEffects(command: SimpleCommand, context: NetworkContext): readonly Effect[] {
  const name = programName(command.argv[0]);
  const sockets = command.writes.filter(({ head }) => /^\/dev\/(?:tcp|udp)\//.test(head));
  const devices = sockets.map(({ head }) =>
    networkEffect(name || 'shell', hostOf(head.split('/')[3] ?? ''), {
      direction: 'out',
      sends: fedWith(command, context),
    }),
  );
  const args = command.argv.slice(1);
  if (args.some((arg) => /^(?:--version|--help|-V)$/.test(arg.head))) return devices;
  const given =
    sockets.some(({ head }) => !LOCAL.test(head.split('/')[3] ?? '')) &&
    (shellCall(command.argv) !== null || name === 'exec');
  const shell: readonly Effect[] = given
    ? [{ kind: 'opens_shell', by: name, shown: `${name} ${sockets.map(shownField).join(' ')}`.slice(0, 120) }]
    : [];
  return [...devices, ...shell, ...(READERS[name]?.(command, context) ?? []), ...runsAddress(command, name)];
}

/** `deno run https://…`: the program itself comes from the network. */
function runsAddress({ argv }: SimpleCommand, name: string): readonly Effect[] {
  if (!/^(?:deno|bun|bunx|npx|node|tsx)$/.test(name)) return [];
  const program = splitArguments(argv.slice(1)).operands.find(
    ({ head }) => !/^(?:run|x|eval|install)$/.test(head),
  );
  return program !== undefined && /^https?:\/\//.test(program.head)
    ? [{ kind: 'runs_text', by: name, shown: shownField(program).slice(0, 120), from: 'download' }]
    : [];
}

type Reader = (command: SimpleCommand, context: NetworkContext) => readonly Effect[];

const CURL_VALUED = [
  ...[
    '-X',
    '--request',
    '-H',
    '--header',
    '-u',
    '--user',
    '-A',
    '--user-agent',
    '-e',
    '--referer',
    '-b',
    '--cookie',
  ],
  ...[
    '-o',
    '--output',
    '--output-dir',
    '-D',
    '--dump-header',
    '-c',
    '--cookie-jar',
    '-w',
    '--write-out',
    '-m',
  ],
  ...[
    '--max-time',
    '--connect-timeout',
    '--retry',
    '--retry-delay',
    '-x',
    '--proxy',
    '--cacert',
    '-E',
    '--cert',
    '--key',
  ],
  ...[
    '-r',
    '--range',
    '-K',
    '--config',
    '--resolve',
    '--url',
    '-y',
    '-Y',
    '--limit-rate',
    '--unix-socket',
    '-z',
  ],
];
const CURL_DATA = [
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-ascii',
  '--data-urlencode',
  '--json',
];
const CURL_FILES = ['-F', '--form', '-T', '--upload-file'];

const curl: Reader = (command, context) => {
  const { flags, values, operands } = splitArguments(command.argv.slice(1), [
    ...CURL_VALUED,
    ...CURL_DATA,
    ...CURL_FILES,
  ]);
  const of = (names: readonly string[]) => names.flatMap((each) => values.get(each) ?? []);
  const method = of(['-X', '--request']).map(fieldText).at(-1)?.toUpperCase() ?? '';
  const data = of(CURL_DATA);
  const uploads = of(['-T', '--upload-file']);
  const forms = of(['-F', '--form']);
  const bodies: Body[] = [
    ...data.map((value) => bodyOf(value, /^[\w.-]*@/, command, context)),
    ...uploads.map((value) => bodyOf({ ...value, head: `@${value.head}` }, /^@/, command, context)),
    ...forms.map((value) => bodyOf(value, /^[^=]*=[@<]/, command, context)),
  ];
  const raw = uploads.length > 0 || forms.some(({ head }) => /^[^=]*=@/.test(head));
  const binary = of(['--data-binary', '-d', '--data']).some(({ head }) => head === '@-');
  const sends = strongest([...bodies, ...operands.map((url) => bodyOf(url, /^\uE006/, command, context))]);
  const heavy =
    sends === 'data' && (raw || (binary && fedWith(command, context) !== 'nothing' && isOpaque(command)));
  const gets = hasFlag(flags, '-G', '--get') && sends !== 'credentials';
  const out = (bodies.length > 0 && !gets) || /^(?:POST|PUT|PATCH|DELETE)$/.test(method);
  return [...operands, ...of(['--url'])].flatMap((url) =>
    request(command, url, { method, out, sends: heavy ? 'file' : sends }),
  );
};

type Body = NetworkEffect['sends'];

function strongest(bodies: readonly Body[]): Body {
  const order: readonly Body[] = ['credentials', 'file', 'data'];
  return order.find((each) => bodies.includes(each)) ?? 'nothing';
}

/** What a value sends; behind a sign it names a file. */
function bodyOf(value: Field, sign: RegExp, command: SimpleCommand, context: NetworkContext): Body {
  if (fieldText(value).includes(SECRET_MARK)) return 'credentials';
  if (!sign.test(value.head)) return sign.source === '^\\uE006' ? 'nothing' : 'data';
  const file = { ...value, head: value.head.replace(sign, '') };
  if (file.head === '-' || file.head === '.') {
    const fed = fedWith(command, context);
    return fed === 'nothing' ? 'data' : fed;
  }
  return fileSends(file, command, context);
}

function fileSends(file: Field, command: SimpleCommand, { place, files }: NetworkContext): Body {
  const path = { ...file, head: file.head.replace(/;.*$/, '') };
  if (whoseCredentials(path, command, place) !== null) return 'credentials';
  const held = command.cwds.flatMap((cwd) =>
    cwd === null ? [] : (files.get(placedPath(path.head, cwd, (same) => same, false)) ?? []),
  );
  if (held.some((text) => text.includes(SECRET_MARK))) return 'credentials';
  const outside = command.cwds.some((cwd) => {
    const at = placedPath(path.head, cwd ?? '/', (same) => same, false);
    return (
      at !== place.root && !at.startsWith(`${place.root}/`) && !/^\/(?:private\/)?(?:tmp|var\/tmp)\//.test(at)
    );
  });
  return outside ? 'file' : 'data';
}

/** What a command gets on its input and may send on. */
function fedWith({ input, cwds }: SimpleCommand, context: NetworkContext): Body {
  const { output } = input;
  if (!input.fed) return 'nothing';
  if (output.kind === 'text') return output.text.includes(SECRET_MARK) ? 'credentials' : 'data';
  if (output.kind !== 'files') return 'data';
  return strongest(output.fields.map((file) => fileSends(file, { cwds } as SimpleCommand, context)));
}

/** Whether it isn't known what a command is fed with. */
function isOpaque({ input }: SimpleCommand): boolean {
  return (
    input.output.kind === 'unknown' || (input.output.kind === 'text' && /\uE000/.test(input.output.text))
  );
}

const SEARCH_PORTS = /:(?:9200|9300|7700|8108|5984|8086|2379|8500|8200|15672|8098|9090|6333)(?:\/|$)/;
const SWEEPING = /\/(?:_all|\*)|[^?]*\*|\/_delete_by_query|\/_close\b|\/_flush_all|\/admin\/delete/;

function request(
  command: SimpleCommand,
  url: Field,
  { method, out, sends }: { method: string; out: boolean; sends: Body },
): readonly Effect[] {
  const name = programName(command.argv[0]);
  const address = fieldText(url);
  const host = url.kind === 'exact' || /^[a-z]+:\/\/[^/]*\//i.test(url.head) ? hostOf(url.head) : null;
  const reach =
    host !== null && LOCAL.test(host)
      ? 'local'
      : host !== null && REGISTRY.test(host) && !out
        ? 'registry'
        : 'external';
  const effect = networkEffect(name, host, { direction: out ? 'out' : 'in', reach, sends });
  const shown = `${method} ${shownField(url)}`.trim().slice(0, 120);
  const store = reach !== 'local' || SEARCH_PORTS.test(address) || SWEEPING.test(address);
  const gone = (method === 'DELETE' && store) || /\/_delete_by_query|\/_close\b/.test(address);
  return gone ? [effect, { kind: 'destroys', by: name, shown, what: 'remote' }] : [effect];
}

const wget: Reader = (command, context) => {
  const valued = [
    '-O',
    '-P',
    '-U',
    '--header',
    '-o',
    '-a',
    '-t',
    '-T',
    '-e',
    '-i',
    '-Q',
    '--user',
    '--password',
  ];
  const { values, operands, flags } = splitArguments(command.argv.slice(1), [
    ...valued,
    ...['--post-file', '--post-data', '--body-file', '--body-data', '--method'],
  ]);
  // Long options may be cut short: `--post-f`.
  const cut = command.argv
    .slice(1)
    .flatMap((arg) => /^--(?:post-f|body-f)[a-z]*=(.*)$/s.exec(arg.head)?.[1] ?? []);
  const filed = [...(values.get('--post-file') ?? []), ...(values.get('--body-file') ?? [])];
  const named = [...filed, ...cut.map((head) => ({ kind: 'exact' as const, head, tail: '' }))];
  const data = [...(values.get('--post-data') ?? []), ...(values.get('--body-data') ?? [])];
  const method = values.get('--method')?.map(fieldText)[0]?.toUpperCase() ?? '';
  const uploads = named.map(
    (file) => (fileSends(file, command, context) === 'credentials' ? 'credentials' : 'file') as Body,
  );
  const sends = strongest([
    ...uploads,
    ...data.map((value) => bodyOf(value, /^\uE006./, command, context)),
    ...urlSecrets(operands),
  ]);
  const out =
    named.length > 0 ||
    data.length > 0 ||
    /^(?:POST|PUT|PATCH|DELETE)$/.test(method) ||
    hasFlag(flags, '--post-data');
  return operands.flatMap((url) => request(command, url, { method, out, sends }));
};

function urlSecrets(urls: readonly Field[]): readonly Body[] {
  return urls.some((url) => fieldText(url).includes(SECRET_MARK)) ? ['credentials'] : [];
}

/** httpie and xh: `http POST host name=value @file`. */
const http: Reader = (command, context) => {
  const { operands } = splitArguments(command.argv.slice(1), ['-a', '--auth', '--session', '-o', '--output']);
  const words = operands.map(fieldText);
  const named = /^[A-Za-z]+$/.test(words[0] ?? '') && words.length > 1 ? (words[0] ?? '').toUpperCase() : '';
  const [url, ...items] = named === '' ? operands : operands.slice(1);
  if (url === undefined) return [];
  const files = items.filter(({ head }) => /^(?:[\w-]+)?[@]/.test(head));
  const sends = strongest([
    ...files.map(
      (each) =>
        (bodyOf(each, /^[\w-]*@/, command, context) === 'credentials' ? 'credentials' : 'file') as Body,
    ),
    ...(command.input.fed && command.input.output.kind !== 'unknown' ? [fedWith(command, context)] : []),
    ...(items.some(({ head }) => /^[\w-]+:?=/.test(head)) ? ['data' as const] : []),
  ]);
  const out = /^(?:POST|PUT|PATCH|DELETE)$/.test(named) || files.length > 0 || sends === 'data';
  return request(command, url, { method: named, out, sends });
};

/** Programs to which what they are fed with goes out. */
const pipe =
  (direction: 'in' | 'out'): Reader =>
  (command, context) => {
    const { operands, flags } = splitArguments(command.argv.slice(1), [
      '-p',
      '-s',
      '-w',
      '-x',
      '-X',
      '-q',
      '-i',
      '-b',
      '-S',
      '-a',
      '-r',
      '-c',
    ]);
    const target = operands.find(({ head }) => head !== '' && !/^\d+$/.test(head));
    const host = target?.kind === 'exact' ? hostOf(target.head) : null;
    const fed = fedWith(command, context);
    const named = operands.filter((field) => whoseCredentials(field, command, context.place) !== null);
    const attached =
      !/^(?:ssh|sftp)$/.test(programName(command.argv[0])) &&
      command.argv.slice(1).some((arg) => whoseCredentials(arg, command, context.place) !== null);
    const marked =
      command.argv.some((arg) => fieldText(arg).includes(SECRET_MARK)) || putsSecret(command, context);
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

/** `put FILE` in what a client of files is fed with. */
function putsSecret({ input, cwds }: SimpleCommand, { place }: NetworkContext): boolean {
  if (input.output.kind !== 'text') return false;
  const named = [...input.output.text.matchAll(/^\s*m?put\s+(?:-\w+\s+)?(\S+)/gm)].map(
    ([, path]) => path ?? '',
  );
  return named.some(
    (path) => whoseCredentials({ kind: 'exact', head: path, tail: '' }, { cwds }, place) !== null,
  );
}

/** `scp`, `rsync`: files go to where a host stands in front of a colon. */
const copies: Reader = (command, context) => {
  const { operands } = splitArguments(command.argv.slice(1), [
    '-i',
    '-P',
    '-o',
    '-l',
    '-c',
    '-F',
    '-J',
    '-e',
    '--rsh',
    '--exclude',
    '--include',
    '-f',
    '--filter',
  ]);
  const remote = (field: Field) => /^[\w.@-]+:|^rsync:\/\//.test(field.head);
  const last = operands.at(-1);
  if (last === undefined || !operands.some(remote)) return [];
  const out = remote(last);
  const sources = out ? operands.slice(0, -1) : [];
  const secret = sources.some((each) => fileSends(each, command, context) === 'credentials');
  const host = hostOf((out ? last : (operands.find(remote) ?? last)).head);
  // A copy of what lies in the work tree to a machine of yours is what these are for.
  return [
    networkEffect(programName(command.argv[0]), host, {
      direction: out ? 'out' : 'in',
      sends: secret ? 'credentials' : out ? 'data' : 'nothing',
    }),
  ];
};

/** Uploads to a store or a paste: what is named goes out. */
const stores =
  (verbs: RegExp): Reader =>
  (command, context) => {
    const args = command.argv.slice(1);
    const line = args.map(fieldText).join(' ').slice(0, 2000);
    if (!verbs.test(line)) return [];
    const secret =
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

const looks: Reader = (command) => {
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

/** `python3 -m http.server` with a folder outside of the work tree gives it to everybody. */
const serves: Reader = (command, { place }) => {
  const args = command.argv.slice(1);
  const line = args.map(fieldText).join(' ');
  if (!/-m (?:http\.server|SimpleHTTPServer)/.test(line)) return [];
  const { values } = splitArguments(args, ['-d', '--directory', '-b', '--bind', '-m']);
  const folders = [...(values.get('-d') ?? []), ...(values.get('--directory') ?? [])];
  const cwds = command.cwds.some(
    (cwd) => cwd !== null && cwd !== place.root && !cwd.startsWith(`${place.root}/`) && !/^\/tmp/.test(cwd),
  );
  const outside = folders.some(
    ({ head }) => head.startsWith('/') && !head.startsWith(place.root) && !head.startsWith('/tmp'),
  );
  return [
    networkEffect('http.server', 'localhost', {
      direction: 'out',
      sends: outside || (cwds && folders.length === 0) ? 'credentials' : 'nothing',
    }),
  ];
};

const all = (names: string, reader: Reader) => names.split(' ').map((name) => [name, reader] as const);

const READERS: Readonly<Record<string, Reader>> = Object.fromEntries([
  ...all('curl', curl),
  ...all('wget', wget),
  ...all('http https xh xhs', http),
  ...all('nc ncat netcat telnet socat ftp tftp', pipe('in')),
  ...all('ssh sftp', pipe('in')),
  ...all('mail mailx sendmail mutt msmtp swaks', pipe('out')),
  ...all('scp rsync', copies),
  ...all(
    'aws s3cmd s5cmd mc rclone gsutil gcloud az',
    stores(/\b(?:cp|sync|mv|put|copy|copyto|mirror|upload|rsync|upload-batch)\b/),
  ),
  ...all('gh glab', stores(/^(?:gist|snippet) create|^release upload/)),
  ...all('git', remotes),
  ...all('dig nslookup host ping traceroute whois', looks),
  ...all('lynx links w3m fetch aria2c', looks),
  ...all('python python3', serves),
]);
