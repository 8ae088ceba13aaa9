/** @module-tag slow */

import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportPage } from '../../src/cli/render/page/report-page.ts';
import { claim, type Project, write } from '../helpers/cli.ts';
import { at, night } from '../helpers/night.ts';
import { chromium, openTab, type Tab } from '../helpers/page/browser.ts';
import { HOSTILE_TEXT } from '../helpers/page/hostile-text.ts';
import { serveSite } from '../helpers/page/site.ts';
import { wholeReport } from '../helpers/page/whole-report.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const HOSTILE = `<img src=x onerror=alert(1)> "' <script>globalThis.taken = 1</script>`;

/**
 * Returns a project after a night in which the agent's file and words and the gate's output are hostile, and one task
 * is blocked.
 */
function played(): Project {
  const project = night(`Write ${HOSTILE}`, 'Break it')
    .agent(
      at('T-1', write('a.ts', `// ${HOSTILE}\n`), claim('a.ts:1 it')),
      at('T-2', write('broken', 'x\n'), claim(`broken:1 ${HOSTILE}`)),
    )
    .loop('max_attempts_per_task = 2')
    .toml('[[gates.commands]]\nname = "check"\nrun = "cat words; test ! -e broken"')
    .files({ words: `failing: ${HOSTILE}\n` })
    .make();
  expect(project.ralph('run').code).toBe(4);
  return project;
}

let made: Project | null = null;
/** Returns the same night for tests that only read it. */
function sameNight(): Project {
  made ??= played();
  return made;
}

describe('ralph report --html', () => {
  it('writes the report of the night as one file, with what each task changed', () => {
    const project = sameNight();
    const file = join(temporaryFolder(), 'night.html');
    expect(project.json('report', '--html', file)).toMatchObject({ exit_code: 0, html: file, iterations: 3 });
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('1 of 2 tasks done, 1 needs you.');
    expect(html).toContain('<code>a.ts</code>');
    expect(html).toContain('<ins>+// &lt;img src=x onerror=alert(1)>');
    expect(html.split('<script')).toHaveLength(2);
    expect(html).not.toMatch(/<img/);
  });

  it('shows tasks that were taken out of the list since as such', () => {
    const project = played();
    project.write('.ralph/PRD.md', '# Plan\n\n## Tasks\n\n- [ ] **T-3** Another one\n');
    const file = join(temporaryFolder(), 'night.html');
    project.json('report', '--html', file);
    const html = readFileSync(file, 'utf8');
    const facts = [...html.matchAll(/<bdi>(T-\d)<\/bdi>.*?class="facts">(.*?)( · .*?)?</g)];
    expect(facts.map(([, id, word]) => `${id}: ${word}`)).toEqual([
      'T-1: done, no longer in the list',
      'T-2: no longer in the list',
      'T-3: not started',
    ]);
    expect(project.ralph('report').stdout).toMatch(/✔ T-1 [^✔]*no longer in\s+the\s+list\)/);
  });

  it('puts the page in the place of a link, and writes nothing through it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'mine'), 'mine');
    symlinkSync(join(folder, 'mine'), join(folder, 'page.html'));
    expect(sameNight().ralph('report', '--html', join(folder, 'page.html')).code).toBe(0);
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
    expect(lstatSync(join(folder, 'page.html')).isFile()).toBe(true);
  });

  it('says what is wrong with a place or a run', () => {
    const project = sameNight();
    expect(project.ralph('report', '--html', '/nosuch/page.html').stderr).toMatch(
      /\/nosuch\/page\.html can't be written/,
    );
    expect(project.ralph('report', 'r-none', '--html', 'x.html').stderr).toContain('There is no run r-none.');
    expect(project.ralph('report', '--html', 'x.html', '--serve').code).toBe(2);
  });
});

describe('ralph report --serve', () => {
  it('serves the report until Ctrl-C, for who has the token', async () => {
    const site = await serveSite(sameNight(), 'report', '--serve');
    await site.enter();
    const { headers } = await site.ask('/');
    expect((await site.ask(headers.location ?? '')).body).toContain('1 of 2 tasks done, 1 needs you.');
    site.child.kill('SIGINT');
    expect(await site.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

const program = chromium();

describe.skipIf(program === null)('in a browser', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  let tab: Tab;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ tab, close } = await openTab(program ?? ''));
  });
  afterAll(() => close());

  async function show(html: string, { width = 1280, dark = false, scripts = true } = {}) {
    const file = join(temporaryFolder(), 'page.html');
    writeFileSync(file, html);
    const device = { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 };
    await tab.send('Emulation.setDeviceMetricsOverride', device);
    const scheme = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
    await tab.send('Emulation.setEmulatedMedia', { features: scheme });
    await tab.send('Emulation.setScriptExecutionDisabled', { value: !scripts });
    await tab.open(String(pathToFileURL(file)));
  }

  /** Returns what axe-core finds, with everything folded open. */
  async function findings(): Promise<string[]> {
    await tab.value("for (const one of document.querySelectorAll('details')) one.open = true");
    await tab.value(axe);
    const found = "({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)";
    return tab.value(`axe.run(document).then(${found})`);
  }

  it.each([
    { width: 390, dark: false },
    { width: 390, dark: true },
    { width: 1280, dark: false },
    { width: 1280, dark: true },
  ])('axe-core finds nothing at $width pixels, dark: $dark', async (screen) => {
    await show(reportPage(wholeReport({ iterations: 40 })), screen);
    expect(await findings()).toEqual([]);
    // Nothing is wider than the screen.
    expect(await tab.value('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('opens with 1,000 iterations and scripts off', async () => {
    await show(reportPage(wholeReport({ iterations: 1000, workers: 4 })), { scripts: false });
    const { root } = await tab.send('DOM.getDocument');
    const { nodeIds } = await tab.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: '#timeline ~ figure rect',
    });
    expect(nodeIds).toHaveLength(1000);
    expect(tab.requests()).toEqual([]);
  });

  it.each(Object.entries(HOSTILE_TEXT))('runs, loads and hides nothing: %s', async (_, hostile) => {
    await show(reportPage(wholeReport({ text: (what) => `${hostile} ${what}` })));
    await tab.value("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await tab.value('globalThis.taken')).toBeUndefined();
    expect(
      await tab.value(
        "document.querySelectorAll('script:not(body > script:last-child), img, iframe, link, base, object, [onerror], [onload]').length",
      ),
    ).toBe(0);
    expect(
      await tab.value("[...document.links].filter(({ href }) => !href.startsWith('file:')).length"),
    ).toBe(0);
    expect(tab.requests()).toEqual([]);
    expect(await tab.value("document.body.innerText.includes('Prices with discounts, part 3')")).toBe(true);
  });

  it('keeps what got in as markup from running: the policy holds without the escaping', async () => {
    const page = reportPage(wholeReport());
    const marker = '<h2 id="tasks"';
    await show(page.replace(marker, `${Object.values(HOSTILE_TEXT).slice(0, 6).join('\n')}${marker}`));
    expect(await tab.value('globalThis.taken')).toBeUndefined();
    expect(tab.requests().filter((url) => url.startsWith('http'))).toEqual([]);
  });

  it('is reached by keys: the first goes to the content, and each fold opens', async () => {
    await show(reportPage(wholeReport()));
    const press = async (key: string, code: number) => {
      const event = {
        key,
        code: key,
        windowsVirtualKeyCode: code,
        ...(key === 'Enter' ? { text: '\r' } : {}),
      };
      await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
      await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    };
    await press('Tab', 9);
    expect(await tab.value('document.activeElement.textContent')).toBe('Skip to the content');
    await tab.value("document.querySelector('details.task > summary').focus()");
    await press('Enter', 13);
    expect(await tab.value("document.querySelector('details.task').open")).toBe(true);
  });
});
