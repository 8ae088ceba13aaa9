import picomatch from 'picomatch';

/** The paths that a task is expected to stay within. */
export type ExpectedPaths = {
  /** As the task writes them, without those that take paths away. */
  readonly listed: readonly string[];
  readonly matches: (path: string) => boolean;
};

/** In characters; the matcher refuses patterns of more than 65,536. */
const LONGEST = 1000;
const GLOB = /[*?[\]{}()!]/;

/**
 * `null` where the task says nothing. A folder's name matches all below it, `!glob` takes paths away, and a bare file
 * name matches in every folder.
 */
export function expectedPathsOf({
  expectedPaths,
}: {
  readonly expectedPaths: readonly string[] | null;
}): ExpectedPaths | null {
  const patterns = (expectedPaths ?? [])
    .map((path) =>
      path
        .trim()
        .replace(/^(!?)\.?\/+/, '$1')
        .replace(/\/+$/, ''),
    )
    .filter((path) => path !== '' && path !== '!' && path.length <= LONGEST);
  const listed = patterns.filter((path) => !path.startsWith('!'));
  if (listed.length === 0) return null;
  const isExpected = matcherOf(listed);
  const unwanted = patterns.filter((path) => path.startsWith('!')).map((path) => path.slice(1));
  const isUnwanted = unwanted.length === 0 ? () => false : matcherOf(unwanted);
  return { listed, matches: (path) => isExpected(path) && !isUnwanted(path) };
}

/** True for what names one file: no pattern, and an ending. */
export function isConcreteFile(path: string): boolean {
  return !GLOB.test(path) && /[^./][^/]*\.[A-Za-z]\w*$/.test(path);
}

function matcherOf(paths: readonly string[]): (path: string) => boolean {
  return picomatch(
    paths.flatMap((path) => [path, `${path}/**`, ...(path.includes('/') ? [] : [`**/${path}`])]),
    { dot: true },
  );
}
