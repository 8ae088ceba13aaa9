import type { TrackerKind } from '../domain/task.ts';
import { BACKLOG_FORMAT } from './formats/backlog.ts';
import { JSON_FORMAT } from './formats/json.ts';
import { JSONL_FORMAT } from './formats/jsonl.ts';
import { MARKDOWN_FORMAT } from './formats/markdown.ts';
import { YAML_FORMAT } from './formats/yaml.ts';
import type { FileFormat, ServiceFormat, TrackerReader } from './tracker-format.ts';

/** Every tracker that `[tracker] kind` can name; their order is the order in which files are looked for. */
const FORMATS = {
  markdown: MARKDOWN_FORMAT,
  json: JSON_FORMAT,
  yaml: YAML_FORMAT,
  jsonl: JSONL_FORMAT,
  backlog: BACKLOG_FORMAT,
  github: { kept: 'service' },
  jira: { kept: 'service' },
  linear: { kept: 'service' },
} as const satisfies Record<TrackerKind, FileFormat | ServiceFormat>;

type Formats = typeof FORMATS;
/** The kinds of tracker that are files, and `auto` for any of them. */
export type FileKind =
  | 'auto'
  | { [Kind in TrackerKind]: Formats[Kind] extends FileFormat ? Kind : never }[TrackerKind];

const FILE_FORMATS: readonly FileFormat[] = Object.values(FORMATS).filter((format) => format.kept === 'file');

/**
 * The paths where a tracker of this kind is looked for, relative to the repository, in this order; the first file that
 * holds tasks is taken. Names that differ in case alone serve systems that tell them apart.
 */
export function trackerCandidates(kind: FileKind): string[] {
  const formats = kind === 'auto' ? FILE_FORMATS : [FORMATS[kind]];
  const names = [
    ...formats.flatMap((format) => format.names),
    ...formats.flatMap((format) => format.laterNames),
  ];
  const inFolder = names.filter((name) => !name.startsWith('./')).map((name) => `.ralph/${name}`);
  return [...inFolder, ...names.map((name) => name.replace(/^\.\//, ''))];
}

/** Where other tools keep lists of this kind, relative to the repository; `*` stands for any name. */
export function trackerPlaces(kind: FileKind): string[] {
  return (kind === 'auto' ? FILE_FORMATS : [FORMATS[kind]]).flatMap(({ elsewhere = [] }) => elsewhere);
}

/** The format of a text: the `kind` where it names one, else by the file's name, else by how the text begins. */
function formatOf(text: string, path: string, kind: FileKind): FileFormat {
  if (kind !== 'auto') return FORMATS[kind];
  if (BACKLOG_FORMAT.ownsText(text)) return BACKLOG_FORMAT;
  return (
    FILE_FORMATS.find((format) => format.ownsPath(path)) ??
    FILE_FORMATS.find((format) => format.ownsText(text)) ??
    FORMATS.markdown
  );
}

/**
 * What reads this text. A promise, because the library of some formats is loaded when it is first needed.
 *
 * @param tag The list to take of a file with several (`[tracker] label`); empty: the one that its format says.
 */
export async function trackerReader(
  text: string,
  path: string,
  kind: FileKind,
  tag = '',
): Promise<TrackerReader> {
  const { reader } = formatOf(text, path, kind);
  return withTag(typeof reader === 'function' ? reader : await reader.load(), tag);
}

let last: { readonly reader: TrackerReader; readonly tag: string; readonly bound: TrackerReader } | null =
  null;

/** The same reader each time, so that what it read last is known (`readOnce`). */
function withTag(reader: TrackerReader, tag: string): TrackerReader {
  if (tag === '') return reader;
  if (last?.reader !== reader || last.tag !== tag)
    last = { reader, tag, bound: (text, path) => reader(text, path, tag) };
  return last.bound;
}

/** The same without waiting; `null` for a format whose library would have to be loaded. */
export function readerAtHand(text: string, path: string, kind: FileKind): TrackerReader | null {
  const { reader } = formatOf(text, path, kind);
  return typeof reader === 'function' ? reader : null;
}
