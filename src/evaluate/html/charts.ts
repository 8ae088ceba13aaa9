import { figureTitle, isShare, shownEstimate } from '../show.ts';
import type { Estimate } from '../statistics.ts';
import { escaped } from './escaped.ts';

/** A value of one arm. */
export type Bar = { readonly label: string; readonly estimate: Estimate | null };
/** The values of one arm along r. */
export type Line = {
  readonly label: string;
  readonly points: readonly { readonly at: number; readonly estimate: Estimate | null }[];
};

const ROW = 26;
const [LEFT, WIDTH, RIGHT] = [170, 300, 130];
const SERIES = 6;

/** A row for each arm: its mean, and the interval as a line across the end of the bar. */
export function barChart(figure: string, bars: readonly Bar[]): string {
  const top = topOf(
    figure,
    bars.map(({ estimate }) => estimate),
  );
  const x = (value: number) => LEFT + (Math.min(Math.max(value, 0), top) / top) * WIDTH;
  const rows = bars.map(({ label, estimate }, index) => {
    const y = index * ROW;
    const middle = y + ROW / 2;
    const name = `<text x="${LEFT - 8}" y="${middle + 4}" text-anchor="end">${escaped(label)}</text>`;
    const value = `<text x="${LEFT + WIDTH + 12}" y="${middle + 4}">${escaped(shownEstimate(figure, estimate))}</text>`;
    if (estimate === null) return name + value;
    const bar = `<rect class="s${index % SERIES}" x="${LEFT}" y="${y + 5}" width="${round(x(estimate.mean) - LEFT)}" height="${ROW - 10}"/>`;
    return name + bar + interval(estimate, x, middle) + value;
  });
  const axis = `<line class="axis" x1="${LEFT}" y1="0" x2="${LEFT}" y2="${bars.length * ROW}"/>`;
  return svg(figure, LEFT + WIDTH + RIGHT, bars.length * ROW, rows.join('') + axis);
}

function interval({ mean, half }: Estimate, x: (value: number) => number, middle: number): string {
  if (half === null || half === 0) return '';
  const [from, to] = [round(x(mean - half)), round(x(mean + half))];
  return `<path class="interval" d="M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8"/>`;
}

const [HEIGHT, FOOT] = [180, 36];

/** A line for each arm, from r = 0 to r = 1. */
export function lineChart(figure: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points.map(({ estimate }) => estimate));
  const top = topOf(figure, all);
  const x = (at: number) => round(LEFT / 3 + at * (WIDTH + LEFT / 2));
  const y = (value: number) => round(10 + (1 - Math.min(Math.max(value, 0), top) / top) * HEIGHT);
  const drawn = lines.map(({ label, points }, index) => {
    const known = points.flatMap(({ at, estimate }) => (estimate === null ? [] : [{ at, estimate }]));
    const path = known.map(
      ({ at, estimate }, place) => `${place === 0 ? 'M' : 'L'}${x(at)} ${y(estimate.mean)}`,
    );
    const marks = known.map(({ at, estimate }) => {
      const { mean, half } = estimate;
      const bar =
        half === null ? '' : `<path class="interval" d="M${x(at)} ${y(mean - half)}V${y(mean + half)}"/>`;
      const title = `<title>${escaped(`${label}, r = ${at}: ${shownEstimate(figure, estimate)}`)}</title>`;
      return `${bar}<circle class="s${index % SERIES}" cx="${x(at)}" cy="${y(mean)}" r="4">${title}</circle>`;
    });
    const key = `<text class="k${index % SERIES}" x="${x(1) + 14}" y="${24 + index * 18}">${escaped(label)}</text>`;
    return `<path class="line l${index % SERIES}" d="${path.join('')}"/>${marks.join('')}${key}`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (at) => `<text x="${x(at)}" y="${HEIGHT + FOOT - 8}" text-anchor="middle">${at}</text>`,
  );
  const ends = [0, top].map(
    (value) =>
      `<text x="${x(0) - 10}" y="${y(value) + 4}" text-anchor="end">${escaped(tick(figure, value))}</text>`,
  );
  const axis = `<path class="axis" d="M${x(0)} ${y(top)}V${y(0)}H${x(1)}"/>`;
  return svg(
    figure,
    LEFT + WIDTH + RIGHT,
    HEIGHT + FOOT,
    axis + ticks.join('') + ends.join('') + drawn.join(''),
  );
}

function tick(figure: string, value: number): string {
  return shownEstimate(figure, { mean: value, half: null, n: 1 });
}

/** Where the scale ends: shares at 100 %, all else where the longest interval does. */
function topOf(figure: string, estimates: readonly (Estimate | null)[]): number {
  if (isShare(figure)) return 1;
  const ends = estimates.map((one) => (one === null ? 0 : one.mean + (one.half ?? 0)));
  return Math.max(...ends, 0) || 1;
}

function svg(figure: string, width: number, height: number, content: string): string {
  const title = escaped(figureTitle(figure));
  return `<svg role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${content}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
