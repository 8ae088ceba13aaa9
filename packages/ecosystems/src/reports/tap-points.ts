export type Point = {
  readonly failed: boolean;
  readonly skipped: boolean;
  readonly name: string;
  readonly depth: number;
  /** Index of the point's line in the output. */
  readonly line: number;
};

const POINT = /^( *)(not ok|ok)\b(?: +\d+)?(?: +- +| +|$)(.*)$/;
const SKIPPED = /(?<!\\)# *(?:skip|todo)\b.*$/i;

/** A duration that isn't a part of a name: vitest's `# time=1.23ms`, criterion's `  (0.01s)`. */
const TIME = /\s+# time=[\d.]+m?s(?: \{)?$| {2,}\([\d.]+s\)$/;

/** The first line of a block of points. */
const BLOCK = /^ +(?:1\.\.\d|(?:not )?ok\b|# |TAP version )/;

/** Leaves out points after deeper ones, and points that open a block of them, which only sum them up. */
export function pointsIn(lines: readonly string[]): Point[] {
  const points: Point[] = [];
  let deeper = -1;
  for (const [index, line] of lines.entries()) {
    const match = POINT.exec(line);
    if (match === null) continue;
    const [, indent = '', result = '', rest = ''] = match;
    const depth = indent.length;
    if (rest.endsWith(' {') && BLOCK.test(lines[index + 1]?.slice(depth) ?? '')) continue;
    if (deeper <= depth)
      points.push({
        failed: result === 'not ok',
        skipped: SKIPPED.test(rest),
        name: rest.replace(SKIPPED, '').replace(TIME, '').trim(),
        depth,
        line: index,
      });
    deeper = depth;
  }
  return points;
}

/** Whether a file's path stands in place of a test's name, as none of its tests ran. */
export function isFile(name: string): boolean {
  return /^\S+\.[cm]?[jt]sx?$/.test(name);
}

export function passingIn(points: readonly Point[]): string[] {
  return points.filter((one) => !one.failed && !one.skipped).map(({ name }) => name);
}

/** Returns the names of test points, each once and without empty ones. */
export function names(points: readonly Point[]): string[] {
  return [...new Set(points.map(({ name }) => name).filter((name) => name !== ''))];
}

/** Output of one producer's run, from one `TAP version` to the next. */
export type Stream = { readonly lines: readonly string[]; readonly from: number };

/** Returns the streams that contain a line specific to their producer. */
export function streamsOf(lines: readonly string[], own: RegExp): Stream[] {
  return streamsIn(lines).filter((stream) => stream.lines.some((line) => own.test(line)));
}

export function streamsIn(lines: readonly string[]): Stream[] {
  const starts = lines.flatMap((line, index) => (/^TAP version \d+$/.test(line) ? index : []));
  const from = starts[0] === 0 ? starts : [0, ...starts];
  return from.map((at, index) => ({ lines: lines.slice(at, from[index + 1] ?? lines.length), from: at }));
}

/** Returns the indexes of lines that another TAP reader would count. */
export function linesOf(streams: readonly Stream[]): number[] {
  return streams.flatMap(({ lines, from }) =>
    lines.flatMap((line, index) => (TAP_LINE.test(line) ? from + index : [])),
  );
}

const TAP_LINE = /^ *(?:(?:not ok|ok)\b(?: |$)|1\.\.\d+|TAP version \d+$|# [\w ]+?[ =]+[\d./]+(?: pass)?$)/;
