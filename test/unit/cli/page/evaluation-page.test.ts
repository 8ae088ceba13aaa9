import { describe, expect, it } from 'vitest';
import type { ArmSummary } from '../../../../src/app/eval/figures.ts';
import { shownEstimate } from '../../../../src/app/eval/show.ts';
import { evaluationPage } from '../../../../src/cli/render/page/evaluation-page.ts';
import { SCRIPT } from '../../../../src/cli/render/page/page-script.ts';

const figures = (wasted: number) => ({
  wasted: { mean: wasted, half: 0.02, n: 5 },
  iterations: { mean: 81, half: null, n: 1 },
  applied_soft_correction: { mean: 6.6, half: 1.9, n: 5 },
  helped_soft_correction: { mean: 0.5, half: null, n: 5 },
});
const arm = (name: string, wasted: number, more: Partial<ArmSummary> = {}): ArmSummary => ({
  arm: name,
  ...{ seeds: 5, difference: null, figures: figures(wasted) },
  ...more,
});
const page = (...arms: ArmSummary[]) =>
  evaluationPage({ suite: 'study', about: 'a <b>bold</b> & "quoted" one', seeds: 5, arms });

describe('the page of an evaluation', () => {
  it('has a bar for each arm, its length by the value, and the interval', () => {
    const html = page(arm('baseline', 0.5), arm('full', 0.25));
    const widths = [...html.matchAll(/<rect class="part" x="0" y="2" width="([\d.]+)%"/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths.slice(0, 2)).toEqual([50, 25]);
    expect(html).toContain('<line class="interval" x1="48%" x2="52%"');
    expect(html).toContain('50.0 ± 2.0 %');
  });

  it('says how often each intervention was applied and how often it helped', () => {
    expect(page(arm('full', 0.1))).toContain(
      '<th scope="row"><bdi>full</bdi></th><td>soft correction</td><td>6.6 ± 1.9</td><td>50.0 %</td>',
    );
  });

  it('needs nothing from elsewhere, and takes no text for markup', () => {
    const html = page(arm('<script>alert(1)</script>', 0.1)).replace(`<script>${SCRIPT}</script>`, '');
    expect(html).not.toMatch(/<script|<b>|https?:|<link|<img|@import|url\(/);
    expect(html).toContain('&lt;b>bold&lt;/b> &amp; &quot;quoted&quot;');
    expect(html).toContain('&lt;script>alert(1)&lt;/script>');
    expect(html).toContain('prefers-color-scheme: dark');
  });

  it('can be drawn of nothing but zeros', () => {
    const zero = { mean: 0, half: 0, n: 2 };
    expect(page(arm('full', 0, { figures: { false_accepted: zero } }))).not.toMatch(/NaN|Infinity/);
  });
});

describe('a figure', () => {
  it.each([
    ['wasted', { mean: 0.123, half: 0.01, n: 3 }, '12.3 ± 1.0 %'],
    ['iterations', { mean: 123.4, half: null, n: 1 }, '123'],
    ['minutes_per_verified', { mean: 3.71, half: 0, n: 2 }, '3.7 ± 0.0 min'],
    ['blocked', null, '–'],
  ])('%s is shown with its unit', (name, estimate, shown) => {
    expect(shownEstimate(name, estimate)).toBe(shown);
  });
});
