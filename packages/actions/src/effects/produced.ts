import { nameOf } from 'ralph-kit/paths';
import {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  hasFlag,
  type Produced,
  programName,
  type Ran,
  SECRET_MARK,
  splitArguments,
  UNKNOWN_MARK,
} from '../shell/index.ts';
import { under } from './catalogue/program.ts';

type Producer = (args: readonly Field[]) => readonly Produced[];

export function producedBy({ argv }: Ran): readonly Produced[] {
  return PRODUCERS[programName(argv[0])]?.(argv.slice(1)) ?? [];
}

const downloaded = (target: Field): Produced => ({ target, of: { text: `\uE000${DOWNLOADED_MARK}` } });
/** A target with a trailing slash stands for all files in that folder. */
const asFolder = (target: Field): Field => ({ ...target, head: `${target.head.replace(/\/$/, '')}/` });

/** Returns a reader of clients that save a download under a given name, or the last part of the address. */
const fetcher =
  (
    files: readonly string[],
    folders: readonly string[],
    savesByName: (flags: readonly string[]) => boolean,
  ) =>
  (args: readonly Field[]): readonly Produced[] => {
    const { flags, values, operands } = splitArguments(args, [...files, ...folders]);
    const of = (options: readonly string[]) => options.flatMap((each) => values.get(each) ?? []);
    const named = of(files);
    const [folder] = of(folders);
    const all = [...named, ...(named.length === 0 && savesByName(flags) ? operands.map(lastPart) : [])];
    return all.map((file) => downloaded(folder === undefined ? file : under(folder, file)));
  };

const cloned: Producer = (args) => {
  if (args[0]?.head !== 'clone') return [];
  const [url, folder] = splitArguments(args.slice(1), ['-b', '--branch', '--depth']).operands;
  if (url === undefined || !/:|^git@/.test(url.head)) return [];
  return [downloaded(asFolder(folder ?? exactField(fieldText(lastPart(url)).replace(/\.git$/, ''))))];
};

/** Returns the folder that `tar x` unpacks into. `packed` is `null` when the archive is the input. */
const untarred: Producer = ([bundle, ...rest]) => {
  if (bundle === undefined) return [];
  const dashed = bundle.head.startsWith('-') ? bundle : { ...bundle, head: `-${bundle.head}` };
  const { flags, values } = splitArguments([dashed, ...rest], ['-f', '--file', '-C', '--directory']);
  if (!hasFlag(flags, '-x', '--extract', '--get')) return [];
  const archive = (values.get('-f') ?? values.get('--file'))?.[0];
  const packed = archive === undefined || archive.head === '-' ? null : archive;
  const folder = (values.get('-C') ?? values.get('--directory'))?.[0] ?? exactField('.');
  return [{ target: asFolder(folder), of: { packed } }];
};

const unzipped: Producer = (args) => {
  const { values, operands } = splitArguments(args, ['-d']);
  const [archive] = operands;
  if (archive === undefined) return [];
  return [{ target: asFolder(values.get('-d')?.[0] ?? exactField('.')), of: { packed: archive } }];
};

const unpacked: Producer = (args) =>
  splitArguments(args).operands.map((file) => ({
    target: exactField(fieldText(file).replace(/\.(?:gz|xz|bz2)$/, '')),
    of: { packed: file },
  }));

/** Returns the copies of `cp FILE COPY`, and files that come from another machine. */
const copied: Producer = (args) => {
  const { operands } = splitArguments(args, ['-i', '-P', '-e', '-o']);
  const [copy, target] = operands;
  if (copy === undefined || target === undefined || operands.length !== 2) return [];
  if (/^[\w.@-]{2,}:(?!\/\/)/.test(copy.head))
    return [target, under(target, lastPart(copy)), asFolder(target)].map(downloaded);
  const secret = secretIn(copy);
  return [{ target, of: { copy } }, ...(secret === UNKNOWN_MARK ? [] : [{ target, of: { text: secret } }])];
};

const duplicated: Producer = (args) => {
  const of = (key: string) =>
    args.flatMap(({ head, ...rest }) => (head.startsWith(key) ? [{ ...rest, head: head.slice(3) }] : []));
  return copied([...of('if='), ...of('of=')]);
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

const all = (names: string, producer: Producer) => names.split(' ').map((name) => [name, producer] as const);

const PRODUCERS: Readonly<Record<string, Producer>> = Object.fromEntries([
  ...all(
    'curl',
    fetcher(['-o', '--output'], ['--output-dir'], (flags) => hasFlag(flags, '-O', '-J', '--remote-name')),
  ),
  ...all(
    'wget',
    fetcher(['-O', '--output-document'], ['-P', '--directory-prefix'], () => true),
  ),
  ...all('git', cloned),
  ...all('tar', untarred),
  ...all('unzip', unzipped),
  ...all('gunzip unxz bunzip2', unpacked),
  ...all('cp mv ln install scp rsync', copied),
  ...all('dd', duplicated),
  ...all('openssl gpg', encrypted),
]);

/** A copy of credentials in another form still holds them. */
function secretIn(copy: Field): string {
  const holds =
    /\.env(?!\.(?:example|sample|template|dist|defaults?|schema|test))|id_\w+|credentials|\.pem|secret/;
  return holds.test(copy.head) ? UNKNOWN_MARK + SECRET_MARK : UNKNOWN_MARK;
}

function lastPart(address: Field): Field {
  return exactField(nameOf(address.head.replace(/[?#].*$|\/+$/g, '').replace(/^[^/]*:(?!\/\/)/, '')));
}
