export type Point = {
  readonly failed: boolean;
  readonly skipped: boolean;
  readonly name: string;
  readonly depth: number;
};

const POINT = /^( *)(not ok|ok)\b(?: +\d+)?(?: +- +| +|$)(.*)$/;
const SKIPPED = /(?<!\\)# *(?:skip|todo)\b.*$/i;

/** A point that stands behind deeper ones sums them up. */
export function pointsIn(lines: readonly string[]): Point[] {
  const points: Point[] = [];
  let deeper = -1;
  for (const line of lines) {
    const match = POINT.exec(line);
    if (match === null) continue;
    const [, indent = '', result = '', rest = ''] = match;
    const depth = indent.length;
    if (deeper <= depth)
      points.push({
        failed: result === 'not ok',
        skipped: SKIPPED.test(rest),
        name: rest.replace(SKIPPED, '').trim(),
        depth,
      });
    deeper = depth;
  }
  return points;
}

/** Names of the points that passed. */
export function passingIn(points: readonly Point[]): string[] {
  return points.filter((one) => !one.failed && !one.skipped).map(({ name }) => name);
}

/** Names of points, each once. */
export function names(points: readonly Point[]): string[] {
  return [...new Set(points.map(({ name }) => name).filter((name) => name !== ''))];
}
