import picomatch from 'picomatch';

export type ExpectedPaths = {
  /** Patterns as written, without exclusions. */
  readonly listed: readonly string[];
  readonly matches: (path: string) => boolean;
};

/** Length limit in characters; the matcher rejects more than 65,536. */
const LONGEST = 1000;
const GLOB = /[*?[\]{}()!]/;

/**
 * Returns the expected paths; `null`: there are none. A folder includes everything below, `!glob` excludes, a bare name
 * matches in every folder.
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

/** Whether a path names one file: no pattern, and an extension. */
export function isConcreteFile(path: string): boolean {
  return !GLOB.test(path) && /[^./][^/]*\.[A-Za-z]\w*$/.test(path);
}

function matcherOf(paths: readonly string[]): (path: string) => boolean {
  return picomatch(
    paths.flatMap((path) => [path, `${path}/**`, ...(path.includes('/') ? [] : [`**/${path}`])]),
    { dot: true },
  );
}
