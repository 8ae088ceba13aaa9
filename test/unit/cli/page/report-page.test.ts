import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FleetView } from '../../../../src/app/commands/fleet/view.ts';
import { htmlPage } from '../../../../src/cli/render/page/html.ts';
import { SCRIPT } from '../../../../src/cli/render/page/page-script.ts';
import { fitted, reportPage } from '../../../../src/cli/render/page/report-page.ts';
import { fleetView } from '../../../helpers/fleet-view.ts';
import { HOSTILE_TEXT } from '../../../helpers/page/hostile-text.ts';
import { wholeReport } from '../../../helpers/page/whole-report.ts';

const TAG = /<(\/?)([a-zA-Z0-9]+)((?:\s+[a-zA-Z0-9-]+(?:="[^"]*")?)*)\s*\/?>/g;

type Tag = { readonly name: string; readonly attributes: Readonly<Record<string, string>> };

/** Returns the tags of a page; every `<` must belong to one. */
function tagsIn(html: string): Tag[] {
  const [, page = ''] = html.split('<!doctype html>');
  const body = page.replace(SCRIPT, '');
  const tags = [...body.matchAll(TAG)].map(([, , name = '', attributes = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...attributes.matchAll(/([a-zA-Z0-9-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [
        key,
        value,
      ]),
    ),
  }));
  expect(body.replaceAll(TAG, '').indexOf('<')).toBe(-1);
  return tags;
}

const TAGS = new Set(
  [
    'html head meta title style script body a header h1 h2 h3 h4 nav ul ol li main section footer p dl dt dd div details summary i b strong bdi',
    'fieldset legend label input span code pre ins del table thead tbody tr th td figure figcaption caption svg rect line text path',
  ].flatMap((names) => names.split(' ')),
);
const ATTRIBUTES = new Set(
  [
    'lang charset http-equiv content name class href id tabindex aria-labelledby aria-label aria-hidden role scope',
    'data-key type name checked x y x1 x2 y1 y2 width height viewBox preserveAspectRatio d text-anchor',
  ].flatMap((names) => names.split(' ')),
);
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe.each(Object.entries(HOSTILE_TEXT))('a report with %s in all of its texts', (_, hostile) => {
  const text = (what: string) => `${hostile} ${what} ${hostile}`;
  const { html } = fitted(wholeReport({ text }), fleetView(0, text), (content) => htmlPage(content));

  it('has the tags, attributes and addresses of a page, and none more', () => {
    const tags = tagsIn(html);
    expect([...new Set(tags.map(({ name }) => name))].filter((name) => !TAGS.has(name))).toEqual([]);
    const attributes = tags.flatMap((tag) => Object.keys(tag.attributes));
    expect([...new Set(attributes)].filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
    const addresses = tags.flatMap(({ attributes: { href } }) => (href === undefined ? [] : [href]));
    expect(addresses.filter((href) => !/^#[a-z0-9-]+$/.test(href))).toEqual([]);
    expect(html.split('<style')).toHaveLength(2);
    expect(tags.filter(({ name }) => name === 'script')).toHaveLength(2);
  });

  it('shows nothing that acts without being seen', () => {
    expect(UNSEEN.exec(html.replaceAll(/[\n\t]/g, ''))?.[0]).toBeUndefined();
  });
});

describe('the page of a report', () => {
  it('has a policy by which nothing is loaded, run or sent, and its own style alone counts', () => {
    const html = reportPage(wholeReport());
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
    const [ofStyle, ofScript] = [style, script].map((text) =>
      createHash('sha256').update(text).digest('base64'),
    );
    expect(script).toBe(SCRIPT);
    expect(
      html.includes(
        `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${ofStyle}'; script-src 'sha256-${ofScript}'; base-uri 'none'; form-action 'none'">`,
      ),
    ).toBe(true);
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<title>'));
    expect(html).not.toMatch(/ style="|https?:|@import|url\(/);
  });

  it('shows a fleet: who works at what, what waits and why, or why none of that is known', () => {
    const withFleet = (view: FleetView) => fitted(wholeReport(), view, (content) => htmlPage(content)).html;
    const fleet = withFleet(fleetView(0));
    const [, shown = ''] = /id="fleet"[^>]*>([\s\S]*?)<\/section>/.exec(fleet) ?? [];
    expect(shown).toContain('Coordinated by process 12 on desk.');
    expect(shown).toMatch(/three<\/bdi>.*rack-3.*working.*T-3/);
    expect(shown).toContain('2 attempts for claude waiting, the account is at its limit: T-4, T-5');
    expect(withFleet({ status: null, problem: 'Redis is away' })).toContain('Redis is away');
    expect(reportPage(wholeReport())).not.toContain('id="fleet"');
  });

  it('says first how it stands and why, then what needs you, then what was done', () => {
    const html = reportPage(wholeReport());
    const order = ['class="verdict"', 'id="needs-you"', 'id="tasks"', 'id="timeline"', 'id="spend"'];
    const places = order.map((one) => html.indexOf(one));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it('has the proof of a task: names, criteria, mistakes that no gate noticed, and the patch', () => {
    const html = reportPage(wholeReport());
    expect(html.includes('<code>price > takes 10 % off</code>')).toBe(true);
    expect(html.includes('A discount of 10 % is taken off')).toBe(true);
    expect(html.includes('<pre><del>-const cents = 100;</del><ins>+const cents = 101;</ins></pre>')).toBe(
      true,
    );
    expect(html.includes('2 files changed, +15 -1')).toBe(true);
    expect(html.includes('<del>-export const price = base;</del><ins>+export const price0')).toBe(true);
  });

  it('says of interventions whether they helped, and who decided what', () => {
    const html = reportPage(wholeReport());
    expect(html.includes('<th scope="row">warned</th><td>9</td><td>6</td><td>2</td>')).toBe(true);
    expect(html.includes('; <strong>fixed in the next attempt</strong>')).toBe(true);
    expect(html.includes('<td>approve</td><td>you@example.org</td><td>the migration is wanted</td>')).toBe(
      true,
    );
  });

  it('names a cause once, with all tasks that it stops', () => {
    const html = reportPage(wholeReport({ iterations: 60 }));
    const [, needs = ''] = /id="needs-you"[^>]*>([\s\S]*?)<\/section>/.exec(html) ?? [];
    const cause =
      'Failed 3 times. test: expected 90 to be 80. Gate &quot;test&quot; fails; it passed before the work:';
    expect(html.split(cause)).toHaveLength(2);
    const [card = ''] = needs.split('<div class="card needs"').filter((one) => one.includes(cause));
    expect(card.match(/<strong>/g)?.length).toBeGreaterThan(1);
    expect(card).toMatch(/Their work is kept:<\/p><p class="commands"><code>ralph take/);
  });

  it('has a row and a timeline for each of several runs, and says of which attempts the files are gone', () => {
    const given = wholeReport({ iterations: 4 });
    const [run] = given.runs as [(typeof given.runs)[number]];
    const later = { ...run, run: 'r-2' };
    const attempts = given.attempts.map((one, at) => (at < 2 ? one : { ...one, run: 'r-2' }));
    const html = reportPage({ ...given, runs: [run, later], attempts, gone: 3 });
    expect(html).toMatch(/<h2 id="run"[\s\S]*<th scope="row">r-2<\/th>/u);
    expect(html.match(/aria-label="r-[^"]*: 2 iterations/g)).toHaveLength(2);
    expect(html.includes('Of 3 attempts the files were removed')).toBe(true);
  });

  it('shows an attempt that runs, and a command that can be pasted', () => {
    const given = wholeReport({ iterations: 1, text: (what) => (what === 'T-1' ? "it's" : what) });
    const attempts = given.attempts.map((one) => ({ ...one, state: 'running' as const, verdict: null }));
    const changes = given.changes.map((one) => ({ ...one, is_cut: true }));
    const html = reportPage({ ...given, attempts, changes });
    expect(html.includes('<strong>#1 running</strong>')).toBe(true);
    expect(html.includes(`<code>ralph diff --task 'it'\\''s'</code>`)).toBe(true);
  });

  it('of 1,000 iterations has at most 2 MB, with each of them in it', () => {
    const html = reportPage(wholeReport({ iterations: 1000, workers: 4 }));
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(2_000_000);
    expect(html.match(/<strong>#\d+ /g)).toHaveLength(1000);
    expect(html.includes('export const price5 = round')).toBe(true);
  });

  it('of 4,000 iterations and long texts has at most 2 MB, and says that it is cut', () => {
    const html = reportPage(wholeReport({ iterations: 4_000, text: (what) => what.padEnd(500, '<') }));
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(2_000_000);
    expect(html.includes('stays below 2 MB')).toBe(true);
  });

  it('cuts lines of 10 MB', () => {
    const line = '"'.repeat(10_000_000);
    const given = wholeReport({ iterations: 1 });
    const [changes] = given.changes;
    const html = reportPage({
      ...given,
      changes: [{ ...changes, patch: `+${line}\n` } as (typeof given.changes)[number]],
      report: { ...given.report, reason: line, next: [line] },
    });
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(200_000);
  });
});
