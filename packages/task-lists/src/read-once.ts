import type { ReadResult, TrackerReader } from './task-list.ts';

/**
 * Returns a wrapper for readers that remembers the last text and its reading. An edit is proven by reading the edited
 * list, so the next reading of the same text is free. For long lists, reading takes most of an edit's time.
 */
export function readOnce(): (reader: TrackerReader) => TrackerReader {
  type Read = { readonly by: TrackerReader; readonly text: string; readonly path: string };
  let last: (Read & { readonly result: ReadResult }) | null = null;
  return (by) => (text, path) => {
    if (last === null || last.by !== by || last.text !== text || last.path !== path)
      last = { by, text, path, result: by(text, path) };
    return last.result;
  };
}
