/** @module-tag slow */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageRepository } from '../../src/app/commands/page/repositories.ts';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { blocked, claim, makeProject, type Project, withoutBox, write } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { openGate } from '../helpers/open-gate.ts';
import { chromium, openTab, type Tab } from '../helpers/page/browser.ts';
import { serveSite } from '../helpers/page/site.ts';
import { temporaryFolder } from '../helpers/repository.ts';

withoutBox();

const broken: ScenarioAction[] = [write('broken', 'x\n'), claim('broken:1 it')];

/**
 * Returns a project in a run: T-1 asks, T-2 needs guidance, T-3 waits at a gate, and T-4 works until the file `go`
 * exists.
 */
async function night(go: string): Promise<Project> {
  const asks = blocked('Which port? 8080 <b>is</b> taken.');
  const project = makeProject({
    '.ralph/PRD.md':
      '# Plan\n\n## Tasks\n\n- [ ] **T-1** Choose a port\n- [ ] **T-2** Round prices\n- [ ] **T-3** Export bills\n- [ ] **T-4** Show VAT\n',
    '.ralph/ralph.toml': `[loop]
agent = "scripted"
max_attempts_per_task = 2
[git]
commit = "on_done"
[[gates.commands]]
name = "check"
run = "test ! -e broken"
`,
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [
        {
          when: { task: 'T-1', prompt_includes: 'Take 8081' },
          do: [write('port.txt', '8081\n'), claim('port.txt:1 it')],
        },
        { when: { task: 'T-1' }, do: [asks] },
        {
          when: { task: 'T-2', prompt_includes: 'Use integers' },
          do: [{ action: 'delete', path: 'broken' }, write('round.txt', 'up\n'), claim('round.txt:1 it')],
        },
        { when: { task: 'T-2' }, do: broken },
        { when: { task: 'T-3' }, do: [write('bill.txt', 'bill\n'), claim('bill.txt:1 it')] },
        {
          when: { task: 'T-4' },
          do: [
            { action: 'print', text: 'Reading how bills are made.' },
            { action: 'run', argv: ['sh', '-c', `while [ ! -e ${go} ]; do sleep 0.1; done`] },
            write('vat.txt', '19\n'),
            claim('vat.txt:1 it'),
          ],
        },
      ],
    }),
  });
  await openGate(project.root, 'GATE-AP-RECOVERY', {
    taskId: 'T-3',
    title: 'Export bills',
    recoveryAttempts: 3,
  });
  return project;
}

const program = chromium();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(program === null)('a night from the page alone', () => {
  let tab: Tab;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ tab, close } = await openTab(program ?? ''));
  });
  afterAll(() => close());

  const until = (expression: string, expected: unknown = true) =>
    eventually(async () => expect(await tab.value(expression), expression).toEqual(expected));
  const shows = (text: string) => until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  const form = (name: string, about = '') =>
    `[...document.forms].find((one) => one.elements.do?.value === '${name}' && one.elements.about.value === '${about}')`;
  /** Types a text into a form that asks for one, and presses its button. */
  const send = async (name: string, about = '', text: string | null = null) => {
    await until(`${form(name, about)} !== undefined`);
    if (text !== null) await tab.value(`${form(name, about)}.elements.text.value = ${JSON.stringify(text)}`);
    await tab.value(`${form(name, about)}.querySelector('button').click()`);
    await until("document.getElementById('said').textContent.startsWith('Working')", false);
  };
  const said = () => tab.value("document.getElementById('said').textContent");

  async function screen({ width, dark }: { width: number; dark: boolean }): Promise<void> {
    const device = { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 };
    await tab.send('Emulation.setDeviceMetricsOverride', device);
    const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
    await tab.send('Emulation.setEmulatedMedia', { features });
  }

  /** Returns what axe-core finds in dark and light with everything folded open, and what is wider than the screen. */
  async function findings(width: number): Promise<string[]> {
    await tab.value("for (const one of document.querySelectorAll('details')) one.open = true");
    await tab.value(axe);
    const all: string[] = [];
    for (const dark of [true, false]) {
      await screen({ width, dark });
      const found = "({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)";
      all.push(...(await tab.value(`axe.run(document).then(${found})`)));
    }
    if (!(await tab.value('document.documentElement.scrollWidth <= innerWidth')))
      all.push('wider than the screen');
    await tab.value("for (const one of document.querySelectorAll('details')) one.open = false");
    return all;
  }

  it.each([390, 1280])('a question, a block, a gate and a pause, at %i pixels', async (width) => {
    const go = join(temporaryFolder(), 'go');
    const project = await night(go);
    const run = project.start('run');
    const site = await serveSite(project, 'page', project.root);
    const path = `/r/${pageRepository(project.root).id}/`;
    await screen({ width, dark: false });
    await tab.open(String(site.url));
    // The page exchanges the token for a cookie, and removes it from the address.
    await until(
      "location.hash === '' && document.cookie === '' && document.getElementById('token') === null",
    );
    await tab.open(new URL(path, site.url).href);
    await shows('Reading how bills are made.');
    expect(await findings(width)).toEqual([]);
    await tab.value('globalThis.isSameDocument = true');

    // Typed text stays while the page changes around it.
    await tab.value(`${form('answer', 'T-1')}.elements.text.focus()`);
    await tab.value(`${form('answer', 'T-1')}.elements.text.value = 'Take'`);
    project.json('queue', 'hold', 'T-2');
    project.json('queue', 'hold', 'T-2', '--off');
    await send('pause');
    await shows('Paused since');
    expect(await tab.value(`${form('answer', 'T-1')}.elements.text.value`)).toBe('Take');
    await send('pause');
    await until("!document.body.innerText.includes('Paused since')");

    await send('answer', 'T-1', 'Take 8081, of course');
    expect(await said()).toContain('your words are in its next prompt');
    await until(`${form('answer', 'T-1')} === undefined`);
    // An outdated form is refused; its words are kept for the new form.
    project.json('feedback', 'add', '--task', 'T-2', 'Look at the tests');
    await until(`${form('guide', 'T-2')} !== undefined`);
    await tab.value(`${form('guide', 'T-2')}.elements.check.value = 'old'`);
    await send('guide', 'T-2', 'Use integers');
    expect(await said()).toContain('look again');
    expect(await tab.value(`${form('guide', 'T-2')}.elements.text.value`)).toBe('Use integers');
    await send('guide', 'T-2', 'Use integers');
    expect(await said()).toContain('Sent to T-2');
    await send('unblock', 'T-2', '30m');
    expect(await said()).toContain('T-2');

    await tab.value("[...document.links].find(({ innerText }) => innerText === 'Look and decide').click()");
    await shows('2 tests removed');
    expect(await findings(width)).toEqual([]);
    const approve = `[...document.forms].find((one) => one.elements.choice?.value === 'a')`;
    await tab.value(`${approve}.elements.text.value = 'Keep the tests'`);
    await tab.value(`${approve}.querySelector('button').click()`);
    await shows('G-1 (T-3): approve');
    expect(await tab.value('location.pathname')).toBe(path);

    await tab.value('globalThis.isSameDocument = true');
    writeFileSync(go, '');
    await shows('4 of 4 tasks done');
    await shows('No run is active');
    // The page was never loaded again: everything came live.
    expect(await tab.value('globalThis.isSameDocument')).toBe(true);
    expect((await run.ended).code).toBe(0);
    expect(await findings(width)).toEqual([]);
    expect([project.read('port.txt'), project.read('round.txt'), project.read('vat.txt')]).toEqual([
      '8081\n',
      'up\n',
      '19\n',
    ]);

    // The page also shows the changes of an attempt, and the report.
    await tab.open(new URL(`${path}show?what=diff&about=T-1`, site.url).href);
    await shows('+8081');
    expect(await findings(width)).toEqual([]);
    await tab.open(new URL(`${path}report`, site.url).href);
    await shows('4 of 4 tasks done');
    expect(await findings(width)).toEqual([]);
    await tab.open(new URL(path, site.url).href);
    await until("document.querySelectorAll('details.task').length", 4);
    site.child.kill('SIGINT');
    expect((await site.ended).code).toBe(0);
    await until(
      "document.getElementById('said').textContent",
      "ralph page doesn't answer. Is it still running?",
    );
  });
});
