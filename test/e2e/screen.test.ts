/** @module-tag slow */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Project, withoutBox } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/on-terminal.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { named, OWN_FILE, workersProject } from '../helpers/workers.ts';

withoutBox();

const HOSTILE: readonly string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/screen/hostile-texts.json'), 'utf8'),
);
/** A title is one line, as in a task list. */
const TITLES = HOSTILE.map((text) => text.replaceAll(/\s/g, ' ')).filter((text) => text !== '');

/** Returns a project with four agents and 300 tasks; the agents print control sequences until they may continue. */
function night(): Project {
  const tasks = Array.from({ length: 300 }, (_, at) => `**T-${at + 1}** ${TITLES[at % TITLES.length]}`);
  const acts = `
    const texts = JSON.parse(fs.readFileSync('texts.json', 'utf8'));
    fs.writeFileSync(id + '.txt', id + '\\\\n');
    const go = process.env.MEET + '/../go';
    return (async () => {
      for (let at = 0; !fs.existsSync(go); at += 1) {
        console.log(texts[at % texts.length]);
        await new Promise((done) => setTimeout(done, 200));
      }
      return id + '.txt:1-1 its file';
    })();`;
  return workersProject(tasks, {
    ...{ acts, workers: 4, together: 4 },
    files: { 'texts.json': JSON.stringify(HOSTILE) },
  });
}

const ESC = '\u001b';
const CLEAR = `${ESC}[2J`;
/** Each of these sequences clears more than the rest of a line. */
const CLEARS = [CLEAR, `${ESC}[J`, `${ESC}[0J`, `${ESC}[1J`, `${ESC}[3J`, `${ESC}c`];
/** These modes select a terminal's second screen and its mouse. */
const NEVER = ['1049h', '1047h', '47h', '1000h', '1002h', '1003h', '1006h'].map((mode) => `${ESC}[?${mode}`);
const among = (text: string, sequences: readonly string[]) => sequences.filter((one) => text.includes(one));

describe.runIf(HAS_TERMINAL)('the full screen', () => {
  it('shows a hostile run at every width, writes what changed alone, and leaves nothing behind', async () => {
    const one = night();
    const { ended } = one.start('run', '--max-iterations', '4');
    await eventually(() => expect(one.json('status').others).toHaveLength(3));
    const at = onTerminal(one.root, [], { columns: 80, rows: 24 });
    await at.shows(/^.*running .*of 300 done/);
    await at.shows(/▶ 4 T-4/);
    const first = at.written();
    expect(among(first, CLEARS)).toEqual([]);
    // Earlier output stays above the screen.
    expect(at.lines(true)[0]).toBe('earlier line');

    for (const [columns, rows] of [
      [60, 20],
      [120, 40],
      [200, 50],
      [80, 24],
    ] as const) {
      at.written();
      let seen = '';
      at.resize({ columns, rows });
      await eventually(() => {
        seen += at.written();
        expect(seen).toContain(CLEAR);
      });
      await eventually(() => {
        const lines = at.lines();
        expect(lines[0]).toContain('of 300 done');
        expect(lines[rows - 2]).toContain('? keys');
        expect(lines[rows - 1]).toBe('');
        expect(lines.filter((line) => line.startsWith('▶'))).toHaveLength(4);
      });
      // The screen is cleared once, or twice where columns and rows arrive separately.
      expect((seen + at.written()).split(CLEAR).length - 1).toBeLessThanOrEqual(2);
    }

    // Each second the times are written again, but not the list.
    const list = at.lines().filter((line) => /^ {2}· /.test(line));
    expect(list.length).toBeGreaterThan(1);
    const was = at.lines()[0];
    at.written();
    await eventually(() => expect(at.lines()[0]).not.toBe(was));
    const ticked = at.written();
    expect(among(ticked, CLEARS)).toEqual([]);
    expect(ticked).not.toContain('Next (');
    expect(ticked).toMatch(/of 5:00|of \d+:00/);

    // A key redraws only the lines that it changes.
    at.type('j');
    await at.shows(/^› ▶ T-2/m);
    at.type('?');
    await at.shows('guidance for every task');
    at.type(`${ESC}[F`);
    await at.shows('the last frame stays in the scrollback');
    at.type(ESC);
    await at.hides('the last frame stays');
    at.type('/T-299\r');
    await at.shows('Found for "T-299": 1 task');
    at.type(ESC);
    await at.hides('Found for');
    expect(among(at.written(), CLEARS)).toEqual([]);

    // The key s switches to plain lines and back.
    at.type('s');
    await at.shows('Plain lines: s goes back');
    at.type('s');
    await eventually(() => expect(at.lines()[22]).toContain('? keys'));

    at.type('q');
    expect(await at.ended).toMatchObject({ code: 0 });
    const all = (await at.ended).stdout;
    expect(among(all, NEVER)).toEqual([]);
    for (const mode of ['?25', '?7'])
      expect(all.lastIndexOf(`${ESC}[${mode}h`)).toBeGreaterThan(all.lastIndexOf(`${ESC}[${mode}l`));
    const [before, after] = at.settings();
    expect(after).toBe(before);
    // The last frame stays, and what the shell prints next is below it.
    const rest = at.lines(true).filter((line) => line !== '');
    expect(rest.at(-1)).toBe('left with 0');
    expect(rest.slice(-24).some((line) => line.startsWith('▶ 4 T-4') || line.includes('of 300 done'))).toBe(
      true,
    );

    one.write('.git/go', '');
    await ended;
  });

  it('says of a run that is killed that it was cut off, as plain lines do', async () => {
    // The agents wait for one more than there are, so that all of them work when ralph ends.
    const one = workersProject(named(2), { acts: OWN_FILE, together: 3 });
    const { child, ended } = one.start('run');
    for (const id of ['T-1', 'T-2']) await one.appears(`.git/meet/${id}`);
    const lines = one.start('watch');
    const at = onTerminal(one.root, ['watch'], { columns: 100, rows: 24 });
    await at.shows(/▶ 2 T-2/);
    await lines.says('T-2');
    // By now both have read the whole journal, and nothing changes any more.
    await at.shows(/running for (?:0:0[5-9]|0:[1-5]\d|[1-9]\d*:)/);
    child.kill('SIGKILL');
    await ended;
    await at.shows('the run was cut off');
    await at.shows('Cut off: the run was killed, or the machine went down.');
    await at.shows('No run is active. Next: ralph run');
    expect(at.text()).not.toContain('▶');
    at.type('q');
    await at.ended;
    const cut = `${basename(one.root)}: ${one.json('status').last_run.headline} Next: ralph run`;
    expect((await lines.ended).stdout.split('\n').slice(-4)).toEqual([
      '#1 T-1 was cut off. It counts as no failed attempt; the next one continues with what it wrote.',
      '#2 T-2 was cut off. It counts as no failed attempt; the next one continues with what it wrote.',
      cut,
      '',
    ]);
    expect(one.ralph('watch').stdout.split('\n')).toEqual([
      `${basename(one.root)}: the run was cut off, 0 of 2 tasks done`,
      cut,
      '',
    ]);
    expect(one.json('watch').repositories).toMatchObject([{ run: null, attempts: [] }]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('leaves the terminal as it was at %s', async (signal, code) => {
    const one = workersProject(['**T-1** One'], { acts: '' });
    const at = onTerminal(one.root, ['watch'], { columns: 80, rows: 24 });
    await at.shows('0 of 1 done');
    at.signal(signal);
    const { stdout, code: left } = await at.ended;
    expect(left).toBe(code);
    expect(stdout.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(stdout.lastIndexOf(`${ESC}[?25l`));
    expect(stdout.lastIndexOf(`${ESC}[?7h`)).toBeGreaterThan(stdout.lastIndexOf(`${ESC}[?7l`));
    expect(at.settings()[1]).toBe(at.settings()[0]);
  });

  it('shows the first steps where ralph is not set up, and carries one out', async () => {
    const root = temporaryFolder();
    execFileSync('git', ['init', '-q'], { cwd: root });
    const at = onTerminal(root, [], { columns: 60, rows: 20 });
    await at.shows('ralph init');
    at.type('d');
    await at.shows('claimed');
    expect(await at.ended).toMatchObject({ code: 0 });
  });
});
