import type { Estimate } from './figures.ts';

/** Figures between 0 and 1, shown as percentages. */
const SHARES =
  /^(?:completion|blocked|wasted|helped_|tree_green|false_of_|cheats_accepted|accepted_|honest_refused|grade_)/;
const UNITS: Readonly<Record<string, string>> = {
  minutes_per_verified: ' min',
  seconds_per_verified: ' s',
  overhead_ms: ' ms',
};

/** Figures of an overview, most important first. */
export const HEADLINES = [
  'completion',
  'completion_ui_heavy',
  'completion_innocent',
  'wasted',
  'blocked',
  'false_accepted',
  'false_of_accepted',
  'cheats_accepted',
  'honest_refused',
  'iterations',
  'interventions',
  'minutes_per_verified',
  'tokens_per_verified',
  'gate_runs_per_verified',
] as const;

export function isShare(figure: string): boolean {
  return SHARES.test(figure);
}

/** Returns a mean with its interval, such as `81.2 ± 5.1`, `45.5 ± 6.9 %` or `3.7 min`; `–` for none. */
export function shownEstimate(figure: string, estimate: Estimate | null): string {
  if (estimate === null) return '–';
  const half = estimate.half === null ? '' : ` ± ${shownNumber(figure, estimate.half)}`;
  return `${shownNumber(figure, estimate.mean)}${half}${isShare(figure) ? ' %' : (UNITS[figure] ?? '')}`;
}

function shownNumber(figure: string, value: number): string {
  const shown = value * (isShare(figure) ? 100 : 1);
  return Math.abs(shown) >= 100 ? shown.toFixed(0) : shown.toFixed(1);
}

/** Returns the title of a figure: `false accepted` for `false_accepted`. */
export function figureTitle(figure: string): string {
  return figure.replaceAll('_', ' ');
}
