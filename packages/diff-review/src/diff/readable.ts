import { parsePatch } from 'ralph-kit/formats/patch';

export type Readable = {
  readonly patch: string;
  /** `read` has the files whose change is in `patch`, `skipped` those too large for it. Deleted files have their old path. */
  readonly read: readonly string[];
  readonly skipped: readonly string[];
};

/** Returns the files of a diff that fit into `most` characters, smallest first, so that a large one doesn't hide the others. */
export function readablePart(patch: string, most: number): Readable {
  const files = patch.split(/^(?=diff --(?:git|cc|combined) )/m).map((text, place) => ({ text, place }));
  let room = most;
  const fits = files
    .toSorted((one, other) => one.text.length - other.text.length || one.place - other.place)
    .filter(({ text }) => {
      room -= text.length;
      return room >= 0;
    });
  const kept = new Set(fits);
  const paths = (list: typeof files) => list.flatMap(({ text }) => pathOf(text) ?? []);
  return {
    patch: files.flatMap((one) => (kept.has(one) ? [one.text] : [])).join(''),
    read: paths(fits),
    skipped: paths(files.filter((one) => !kept.has(one))),
  };
}

function pathOf(section: string): string | null {
  const hunk = section.search(/^@@/m);
  const [file] = parsePatch(section.slice(0, hunk < 0 ? section.length : hunk));
  return file?.newPath ?? file?.oldPath ?? null;
}
