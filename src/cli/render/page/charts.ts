import { scaleLinear, scaleTime } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { h } from 'preact';
import { formatDuration } from 'ralph-kit/duration';
import { clockTime, dateTime } from '../../../tell/index.ts';
import { clip, type Part, type Tone } from './parts.ts';

export type Bar = {
  readonly worker: number;
  readonly from: number;
  readonly to: number;
  readonly tone: Tone;
  readonly title: string;
};

const A_DAY_MS = 24 * 60 * 60_000;
const LANE = 26;
const TOP = 4;
/** Heights of bars in pixels by outcome, so that outcomes can be told apart without colours. */
const HEIGHTS: Readonly<Record<Tone, number>> = { good: 20, part: 14, wait: 14, bad: 8, none: 4 };

/** Draws attempts over time. Positions are percentages of the width, so that text keeps its size on any screen. */
export function timeline(bars: readonly Bar[], name: string): Part {
  if (bars.length === 0) return null;
  const workers = [...new Set(bars.map(({ worker }) => worker))].toSorted((a, b) => a - b);
  const [from, to] = [Math.min(...bars.map((bar) => bar.from)), Math.max(...bars.map((bar) => bar.to))];
  const x = scaleTime([new Date(from), new Date(Math.max(to, from + 1000))], [0, 100]);
  const height = TOP + workers.length * LANE;
  const rects = bars.map(({ worker, from: begin, to: end, tone, title }) => {
    const tall = HEIGHTS[tone];
    const width = Math.max(0.12, x(end) - x(begin) - 0.05);
    const y = TOP + workers.indexOf(worker) * LANE + (LANE - 6 - tall);
    return h(
      'rect',
      { class: tone, x: percent(Math.min(x(begin), 100 - width)), y, width: percent(width), height: tall },
      h('title', null, clip(title, 120)),
    );
  });
  const floors = workers.map((_, at) => {
    const y = TOP + (at + 1) * LANE - 5.5;
    return h('line', { class: 'axis', x1: '0', x2: '100%', y1: y, y2: y });
  });
  const ticks = x.ticks(4).map((at) => {
    const place = x(at);
    const anchor = place < 8 ? 'start' : place > 92 ? 'end' : 'middle';
    return h('text', { x: percent(place), y: height + 14, 'text-anchor': anchor }, tickText(at, to - from));
  });
  const label = `${name}: ${bars.length} iterations${workers.length > 1 ? ` of ${workers.length} workers` : ''} in ${formatDuration(to - from)}. The tasks below say the same in words.`;
  return h(
    'figure',
    null,
    h('figcaption', null, name),
    h('svg', { role: 'img', 'aria-label': label, height: height + 20 }, ...floors, ...rects, ...ticks),
    workers.length > 1
      ? h('p', { class: 'faint small' }, `A lane for each worker: ${workers.join(', ')}.`)
      : null,
  );
}

/** Returns the text of a tick: a day, a time, or a time with seconds, as the span requires. */
function tickText(at: Date, spanMs: number): string {
  const [day = '', time = ''] = dateTime(at.toISOString()).split(' ');
  if (spanMs > A_DAY_MS * 2) return day;
  return spanMs > 10 * 60_000 ? time.slice(0, 5) : time;
}

const KEY: readonly (readonly [Tone, string])[] = [
  ['good', 'done'],
  ['part', 'progress, or running'],
  ['wait', 'waits for you'],
  ['bad', 'not accepted'],
  ['none', 'ended from outside'],
];

export function timelineKey(): Part {
  const items = KEY.map(([tone, text]) => {
    const tall = HEIGHTS[tone] * 0.8;
    const box = h('rect', { class: tone, x: 0, y: 16 - tall, width: 10, height: tall });
    return h('li', null, h('svg', { 'aria-hidden': true, viewBox: '0 0 16 16' }, box), text);
  });
  return h('ul', { class: 'key' }, ...items);
}

/** Draws how a sum grew over time; `null`: there are fewer than two points, or the sum is 0. */
export function stepChart(
  name: string,
  points: readonly (readonly [at: number, sum: number])[],
  [from, to]: readonly [number, number],
  shown: (sum: number) => string,
): Part {
  const total = points.at(-1)?.[1] ?? 0;
  if (points.length < 2 || total <= 0) return null;
  const x = scaleTime([new Date(from), new Date(Math.max(to, from + 1000))], [0, 100]);
  const y = scaleLinear([0, total], [38, 2]);
  const all = [[from, 0] as const, ...points, [to, total] as const];
  const at = ([time]: readonly [number, number]) => x(time);
  const curve = line<readonly [number, number]>(at, ([, sum]) => y(sum))
    .curve(curveStepAfter)
    .digits(2);
  const filled = area<readonly [number, number]>(at, 40, ([, sum]) => y(sum))
    .curve(curveStepAfter)
    .digits(2);
  const now = new Date(to);
  const ends = [from, to].map((time) => h('span', null, clockTime(new Date(time).toISOString(), now)));
  return h(
    'figure',
    null,
    h('figcaption', null, `${name}: ${shown(total)}`),
    h(
      'svg',
      {
        role: 'img',
        'aria-label': `${name}, from 0 to ${shown(total)}`,
        viewBox: '0 0 100 40',
        preserveAspectRatio: 'none',
        height: 120,
      },
      h('path', { class: 'area', d: filled([...all]) ?? '' }),
      h('path', { class: 'line', d: curve([...all]) ?? '' }),
      h('path', { class: 'axis', d: 'M0 40H100' }),
    ),
    h('div', { class: 'ends' }, ...ends),
  );
}

/**
 * Draws a value as a share of the largest one. A line across the end of the bar shows the confidence interval of a
 * mean.
 */
export function bar(value: number, most: number, tone: Tone = 'part', half: number | null = null): Part {
  const x = scaleLinear([0, most > 0 ? most : 1], [0, 100]).clamp(true);
  const line =
    half === null || half === 0
      ? null
      : h('line', {
          class: 'interval',
          x1: percent(x(value - half)),
          x2: percent(x(value + half)),
          y1: 7,
          y2: 7,
        });
  return h(
    'svg',
    { 'aria-hidden': true, height: 14 },
    h('rect', { class: tone, x: 0, y: 2, width: percent(x(value)), height: 10 }),
    line,
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100) / 100}%`;
}
