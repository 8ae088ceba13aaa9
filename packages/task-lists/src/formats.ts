import { BACKLOG_FORMAT } from './formats/backlog.ts';
import { JSON_FORMAT } from './formats/json.ts';
import { JSONL_FORMAT } from './formats/jsonl.ts';
import { MARKDOWN_FORMAT } from './formats/markdown.ts';
import { YAML_FORMAT } from './formats/yaml.ts';
import type { ReaderInput, ServiceList, TaskList, TrackerReader } from './task-list.ts';
import { type ConfiguredStates, type ConfiguredWords, wordsOfSettings, wordsWith } from './words.ts';

/** All trackers that `[tracker] kind` can name, in the order in which their files are looked for. */
const FORMATS = {
  markdown: MARKDOWN_FORMAT,
  json: JSON_FORMAT,
  yaml: YAML_FORMAT,
  jsonl: JSONL_FORMAT,
  backlog: BACKLOG_FORMAT,
  github: { storage: 'service', program: 'gh' },
  jira: { storage: 'service', program: null },
  linear: { storage: 'service', program: null },
} as const satisfies Record<string, TaskList | ServiceList>;

type Formats = typeof FORMATS;
/** Value of `[tracker] kind` besides "auto". */
export type TrackerKind = keyof Formats;
export const TRACKER_KINDS = Object.keys(FORMATS) as readonly TrackerKind[];
/** The name of a service whose issues are the tasks. */
export type Service = { [Kind in TrackerKind]: Formats[Kind] extends TaskList ? never : Kind }[TrackerKind];
/** Kinds of trackers that are files; `auto`: any of them. */
export type FileKind = 'auto' | Exclude<TrackerKind, Service>;

/** Returns whether the list is kept by a service and not in a file. */
export function isService(kind: string): kind is Service {
  return TRACKER_KINDS.some((one) => one === kind && FORMATS[one].storage === 'service');
}

/** Returns the program that asks a service; `null`: the list has an address, which is asked. */
export function programOf(kind: Service): string | null {
  return FORMATS[kind].program;
}

/** The kind of a list that is a folder with a file for each task. */
export const FOLDER_KIND: FileKind = 'backlog';

const FILE_FORMATS: readonly TaskList[] = Object.values(FORMATS).filter(
  (format) => format.storage === 'file',
);

/**
 * Returns paths at which a tracker of this kind is looked for, relative to the repository. The first file with tasks is
 * used. Some names differ only in case, for file systems that distinguish it.
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

/** Returns places where other tools keep lists of this kind, relative to the repository; `*` means any name. */
export function trackerPlaces(kind: FileKind): string[] {
  return (kind === 'auto' ? FILE_FORMATS : [FORMATS[kind]]).flatMap(({ elsewhere = [] }) => elsewhere);
}

/** Folder, relative to a list that is a folder, to which finished tasks are moved. */
const FINISHED = '../completed';

/**
 * Returns where files and folders may be that decide which tasks of a list are done, relative to the list's folder (or
 * to the list, if it is a folder): the tool's settings, and its finished tasks.
 */
export function decidingPaths(list: string, isFolder: boolean): readonly string[] {
  if (isFolder) return [FINISHED, ...(BACKLOG_FORMAT.settings?.paths(list) ?? [])];
  return FILE_FORMATS.find((format) => format.ownsPath(list))?.settings?.paths(list) ?? [];
}

/** Returns the format of a text: by `kind`, otherwise by the file's name, otherwise by how the text begins. */
function formatOf(text: string, path: string, kind: FileKind): TaskList {
  if (kind !== 'auto') return FORMATS[kind];
  if (BACKLOG_FORMAT.ownsText(text)) return BACKLOG_FORMAT;
  return (
    FILE_FORMATS.find((format) => format.ownsPath(path)) ??
    FILE_FORMATS.find((format) => format.ownsText(text)) ??
    FORMATS.markdown
  );
}

/** Settings that change how a list is read. */
export type ReadSettings = {
  /** Tag of the list to read in a file with several (`[tracker] label`); empty: the format's default. */
  readonly label?: string;
  /** Your status words (`[tracker.states]`). */
  readonly states?: ConfiguredStates;
  /**
   * Returns the text of another file, whose path is relative to the list's folder (or to the list, if it is a folder);
   * `null`: there is none.
   */
  readonly settingsAt?: (path: string) => string | null;
} & Partial<Pick<ReaderInput, 'programs'>>;

/**
 * Returns the reader for this text. It is a promise, because libraries of some formats are loaded when first needed.
 */
export async function trackerReader(
  text: string,
  path: string,
  kind: FileKind,
  { label = '', states, settingsAt = () => null, programs = [] }: ReadSettings = {},
): Promise<TrackerReader> {
  const { reader, settings } = formatOf(text, path, kind);
  const sources = states === undefined ? [] : [wordsOfSettings(states)].filter(saysSomething);
  for (const name of settings?.paths(path) ?? []) {
    const configured = settingsAt(name);
    const words = configured === null ? null : ((await settings?.load())?.(configured) ?? null);
    if (words !== null) sources.push(words);
  }
  return bound(typeof reader === 'function' ? reader : await reader.load(), label, sources, programs);
}

const saysSomething = ({ meanings }: ConfiguredWords) => Object.keys(meanings).length > 0;

const bounds = new WeakMap<TrackerReader, { readonly key: string; readonly reader: TrackerReader }>();

/** Returns the same reader for equal settings, so that it can reuse its last reading (`readOnce`). */
function bound(
  by: TrackerReader,
  tag: string,
  sources: readonly ConfiguredWords[],
  programs: readonly string[],
): TrackerReader {
  const key = JSON.stringify([tag, sources, programs]);
  const known = bounds.get(by);
  if (known?.key === key) return known.reader;
  const asked = { tag, words: wordsWith(sources), programs };
  const reader: TrackerReader = (text, path) => by(text, path, asked);
  bounds.set(by, { key, reader });
  return reader;
}

/** Returns the reader at once; `null`: the format's library would have to be loaded. */
export function loadedReader(text: string, path: string, kind: FileKind): TrackerReader | null {
  const { reader } = formatOf(text, path, kind);
  return typeof reader === 'function' ? reader : null;
}
