import { nameOf } from '../../lib/paths.ts';
import {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  HIDDEN_MARK,
  hasFlag,
  type Produced,
  programName,
  type Ran,
  SECRET_MARK,
  splitArguments,
  UNKNOWN_MARK,
} from '../shell/index.ts';
import { under } from './catalogue/program.ts';
import { asksOutside, fetchedFiles } from './code/fetched.ts';
import { inlineCode } from './code/inline-code.ts';
import { stringLiterals } from './code/literals.ts';

const downloaded = (target: Field): Produced => ({ target, of: { text: `\uE000${DOWNLOADED_MARK}` } });
/** With a slash at its end it stands for all that lies in it. */
const asFolder = (target: Field): Field => ({ ...target, head: `${target.head.replace(/\/$/, '')}/` });

/** What a command leaves in files: downloads, what it unpacks, and copies of what is known. */
export function producedBy(command: Ran): readonly Produced[] {
  const name = programName(command.argv[0]);
  const args = command.argv.slice(1);
  return PRODUCERS[name]?.(args) ?? savedByCode(command);
}

/** The quick look: without one of these nothing is fetched. */
const FETCHES = /https?:|urlretrieve|getstore|DownloadFile/;

/** What a program in another language fetches into files. */
function savedByCode(command: Ran): readonly Produced[] {
  const { argv, input } = command;
  const fed = input.output.kind === 'text' && FETCHES.test(input.output.text);
  if (!fed && !argv.some(({ head }) => FETCHES.test(head)) && command.substituted.kind !== 'text') return [];
  const codes = inlineCode(command).map(fieldText).filter(asksOutside);
  return codes.flatMap((code) => fetchedFiles(code, stringLiterals(code)).map(exactField).map(downloaded));
}

type Producer = (args: readonly Field[]) => readonly Produced[];

const curl: Producer = (args) => {
  const { flags, values, operands } = splitArguments(args, ['-o', '--output', '--output-dir']);
  const named = [...(values.get('-o') ?? []), ...(values.get('--output') ?? [])];
  const remote = hasFlag(flags, '-O', '--remote-name', '--remote-name-all', '-J')
    ? operands.map(lastPart)
    : [];
  const [folder] = values.get('--output-dir') ?? [];
  return [...named, ...remote].map((file) => downloaded(folder === undefined ? file : under(folder, file)));
};

/** Clients that save under the name that the address ends in, or where an option says. */
const fetcher =
  (files: readonly string[], folders: readonly string[], others: readonly string[] = []): Producer =>
  (args) => {
    const { values, operands } = splitArguments(args, [...files, ...folders, ...others]);
    const of = (options: readonly string[]) => options.flatMap((each) => values.get(each) ?? []);
    const named = of(files);
    const [folder] = of(folders);
    return (named.length > 0 ? named : operands.map(lastPart)).map((file) =>
      downloaded(folder === undefined ? file : under(folder, file)),
    );
  };

/** `git clone ADDRESS [FOLDER]`, and the same of others. */
const clone =
  (verb: RegExp): Producer =>
  (args) => {
    if (!verb.test(fieldText(args[0] ?? exactField('')))) return [];
    const [url, folder] = splitArguments(args.slice(1), ['-b', '--branch', '--depth', '-r', '-u']).operands;
    if (url === undefined || !/:|^git@/.test(url.head)) return [];
    return [downloaded(asFolder(folder ?? exactField(fieldText(lastPart(url)).replace(/\.git$/, ''))))];
  };

/** What lies at a provider, or on another machine. */
const ADDRESS = /^(?:[\w.@-]{2,}|\[[^\]]*\]):(?!\/\/)|^(?:s3|gs|az|abfss?|https?|ftps?|sftp|rsync|scp):\/\//;

/** `scp HOST:FILE… PLACE`: the last place may be a file, or a folder that files go to under their names. */
const copies =
  (valued: readonly string[]): Producer =>
  (args) => {
    const { flags, operands } = splitArguments(args, valued);
    const sources = operands.slice(0, -1).filter(({ head }) => ADDRESS.test(head));
    const target = operands.at(-1);
    if (target === undefined || sources.length === 0 || ADDRESS.test(target.head)) return [];
    const whole =
      hasFlag(flags, '-r', '-R', '-a', '--recursive', '--archive') ||
      operands.slice(0, 2).some(({ head }) => /^(?:sync|rsync|mirror|copy)$/.test(head));
    const files = [target, ...sources.map((source) => under(target, lastPart(source)))];
    return [...files, ...(whole ? [asFolder(target)] : [])].map(downloaded);
  };

/** `gh release download -p NAME`: by its pattern, or all of them. */
const released: Producer = (args) => {
  const { values, operands } = splitArguments(args, [
    ...['-O', '--output', '-D', '--dir', '-p', '--pattern', '-n', '--name', '-R', '--repo'],
  ]);
  const words = operands.map(fieldText).join(' ');
  const of = (...options: string[]) => options.flatMap((each) => values.get(each) ?? []);
  const folder = of('-D', '--dir')[0] ?? exactField('.');
  if (/^repo clone\b/.test(words)) {
    const [repository = exactField(''), target] = operands.slice(2);
    return [downloaded(asFolder(target ?? lastPart(repository)))];
  }
  if (!/^(?:release|run) download\b/.test(words)) return [];
  const named = [...of('-O', '--output'), ...of('-p', '--pattern').map((file) => under(folder, file))];
  return (named.length > 0 ? named : [asFolder(folder)]).map(downloaded);
};

/** `tar x`: what comes out is what was in it; from its input, with `null`. */
const tar: Producer = (args) => {
  const [bundle] = args;
  const dashed =
    bundle === undefined || bundle.head.startsWith('-')
      ? args
      : [{ ...bundle, head: `-${bundle.head}` }, ...args.slice(1)];
  const { flags, values } = splitArguments(dashed, [
    '-f',
    '--file',
    '-C',
    '--directory',
    '-I',
    '--use-compress-program',
  ]);
  if (!hasFlag(flags, '-x', '--extract', '--get')) return [];
  const archive = (values.get('-f') ?? values.get('--file'))?.[0];
  const packed = archive === undefined || archive.head === '-' ? null : archive;
  const folder = (values.get('-C') ?? values.get('--directory'))?.[0] ?? exactField('.');
  return [{ target: asFolder(folder), of: { packed } }];
};

/** Others that unpack the file that they are given; with a verb, behind it. */
const unpacks =
  (folders: readonly string[], verb?: RegExp): Producer =>
  (args) => {
    const { values, operands } = splitArguments(args, folders);
    const [first, second] = operands;
    const named = verb?.test(first?.head ?? '') ? second : undefined;
    const archive = verb === undefined ? first : named;
    if (archive === undefined) return [];
    const folder = folders.flatMap((each) => values.get(each) ?? [])[0] ?? exactField('.');
    return [{ target: asFolder(folder), of: { packed: archive } }];
  };

/** `gunzip FILE.gz`: the file without the ending. */
const unzipped: Producer = (args) =>
  splitArguments(args).operands.map((file) => ({
    target: exactField(fieldText(file).replace(/\.(?:gz|xz|bz2|zst|lz4|Z)$/, '')),
    of: { packed: file },
  }));

const copied: Producer = (args) => {
  const { operands } = splitArguments(args);
  const [copy, target] = operands;
  if (operands.length !== 2 || copy === undefined || target === undefined) return [];
  const secret = secretIn(copy);
  return [{ target, of: { copy } }, ...(secret === UNKNOWN_MARK ? [] : [{ target, of: { text: secret } }])];
};

const duplicated: Producer = (args) => {
  const of = (key: string) => args.find(({ head }) => head.startsWith(key));
  const [copy, target] = [of('if='), of('of=')].map((field) =>
    field === undefined ? undefined : { ...field, head: field.head.slice(3) },
  );
  return copy === undefined || target === undefined ? [] : copied([copy, target]);
};

const encrypted: Producer = (args) => {
  const { values, operands } = splitArguments(args, ['-in', '-out', '-o', '--output', '-k', '-pass']);
  const target = ['-out', '-o', '--output'].flatMap((each) => values.get(each) ?? [])[0];
  const copy = values.get('-in')?.[0] ?? operands.at(-1);
  if (target === undefined || copy === undefined) return [];
  return [
    { target, of: { copy } },
    { target, of: { text: secretIn(copy) } },
  ];
};

const SSH_VALUED = [
  '-i',
  '-P',
  '-p',
  '-o',
  '-F',
  '-J',
  '-e',
  '--rsh',
  '--exclude',
  '--include',
  '-l',
  '-c',
  '-S',
];
const all = (names: string, producer: Producer) => names.split(' ').map((name) => [name, producer] as const);

const PRODUCERS: Readonly<Record<string, Producer>> = Object.fromEntries([
  ...all('curl', curl),
  ...all('wget', fetcher(['-O', '--output-document'], ['-P', '--directory-prefix'], ['-U', '--header'])),
  ...all('aria2c', fetcher(['-o', '--out'], ['-d', '--dir'])),
  ...all('lwp-download', (args) => splitArguments(args).operands.slice(-1).map(lastPart).map(downloaded)),
  ...all('fetch axel', fetcher(['-o', '--output'], [])),
  ...all('http https httpie xh xhs', (args) => {
    const { values } = splitArguments(args, ['-o', '--output']);
    return ['-o', '--output'].flatMap((each) => values.get(each) ?? []).map(downloaded);
  }),
  ...all('git hg', clone(/^clone$/)),
  ...all('svn', clone(/^(?:export|checkout|co)$/)),
  ...all('scp rsync sftp', (args) => {
    const remote = copies(SSH_VALUED)(args);
    return remote.length > 0 ? remote : copied(splitArguments(args, SSH_VALUED).operands);
  }),
  ...all('dd', duplicated),
  ...all(
    'aws gsutil gcloud azcopy rclone s3cmd s5cmd mc kubectl',
    copies(['--profile', '--region', '--endpoint-url', '-c', '-n']),
  ),
  ...all('gh glab', released),
  ...all('tar bsdtar gtar', tar),
  ...all('unzip', unpacks(['-d'])),
  ...all('7z 7za 7zr unrar', unpacks(['-o'], /^[xe]$/)),
  ...all('gunzip unxz bunzip2 unzstd uncompress', unzipped),
  ...all('mkfifo', (args) => args.map((target) => ({ target, of: { text: `\uE000${HIDDEN_MARK}` } }))),
  ...all('cp mv ln install', copied),
  ...all('openssl gpg', encrypted),
]);

/** A copy of credentials in another form holds them as well. */
function secretIn(copy: Field): string {
  const holds =
    /\.env(?!\.(?:example|sample|template|dist|defaults?|schema|test))|id_\w+|credentials|\.pem|secret/;
  return holds.test(copy.head) ? UNKNOWN_MARK + SECRET_MARK : UNKNOWN_MARK;
}

/** The file that an address ends in. */
function lastPart(address: Field): Field {
  return exactField(nameOf(address.head.replace(/[?#].*$|\/+$/g, '').replace(/^[^/]*:(?!\/\/)/, '')));
}
