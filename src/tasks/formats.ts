import type { TrackerKind } from '../domain/task.ts';
import { JSON_FORMAT } from './formats/json.ts';
import { MARKDOWN_FORMAT } from './formats/markdown.ts';
import { YAML_FORMAT } from './formats/yaml.ts';
import type { FileFormat, ServiceFormat, TrackerReader } from './tracker-format.ts';

/** Every tracker that `[tracker] kind` can name; their order is the order in which files are looked for. */
const FORMATS = {
  markdown: MARKDOWN_FORMAT,
  json: JSON_FORMAT,
  yaml: YAML_FORMAT,
  github: { kept: 'service' },
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

/** The format of a text: the `kind` where it names one, else by the file's name, else by how the text begins. */
function formatOf(text: string, path: string, kind: FileKind): FileFormat {
  if (kind !== 'auto') return FORMATS[kind];
  return (
    FILE_FORMATS.find((format) => format.ownsPath(path)) ??
    FILE_FORMATS.find((format) => format.ownsText(text)) ??
    FORMATS.markdown
  );
}

/** What reads this text. A promise, because the library of some formats is loaded when it is first needed. */
export async function trackerReader(text: string, path: string, kind: FileKind): Promise<TrackerReader> {
  const { reader } = formatOf(text, path, kind);
  return typeof reader === 'function' ? reader : reader.load();
}

/** The same without waiting; `null` for a format whose library would have to be loaded. */
export function readerAtHand(text: string, path: string, kind: FileKind): TrackerReader | null {
  const { reader } = formatOf(text, path, kind);
  return typeof reader === 'function' ? reader : null;
}
