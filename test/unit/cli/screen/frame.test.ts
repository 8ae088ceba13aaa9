import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { displayWidth } from 'ralph-kit/columns';
import { withoutEscapes } from 'ralph-kit/text';
import { describe, expect, it } from 'vitest';
import { frameOf, placeIn } from '../../../../src/cli/screen/frame.ts';
import { steady } from '../../../../src/cli/screen/parts.ts';
import type { Screen, View } from '../../../../src/cli/screen/state.ts';
import { printable, terminalWith } from '../../../../src/io/ui/index.ts';
import { fleetView } from '../../../helpers/fleet-view.ts';
import { attempt, CUT_OFF, NOW, needs, plain, request, screenOf, task, watched } from './given.ts';

const HOSTILE: readonly string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/screen/hostile-texts.json'), 'utf8'),
);
const hostile = (at: number) => HOSTILE[at % HOSTILE.length] ?? '';

/** A run at four tasks of 300, in which every text is made to break the screen. */
const NIGHT = printable(
  watched(
    Array.from({ length: 300 }, (_, at) => {
      const statuses = ['open', 'blocked', 'done', 'unverified', 'parked', 'in_progress'] as const;
      return task(`T-${at + 1}`, {
        ...{ title: hostile(at), status: statuses[at % 6] ?? 'open', acceptance: [hostile(at + 1)] },
        ...{ parked: true, acceptable: at % 6 === 3 },
        open: needs(hostile(at + 2), {
          failing: { gate: 'test', since: 'work', lines: [hostile(at), hostile(at + 5)] },
          work: { kind: 'kept', command: hostile(at + 3), paths: [] },
        }),
      });
    }),
    {
      name: hostile(4),
      attempts: [1, 7, 13, 19].map((number, at) =>
        attempt(`T-${number}`, {
          ...{ worker: at + 1, iteration: number, title: hostile(at), words: hostile(at + 1), calls: 9 },
          ...{ last_calls: [{ action: hostile(at + 2), ok: false }], found: [hostile(at + 3)] },
        }),
      ),
      requests: [request('G-1', 'T-2', { why: hostile(6), action: hostile(7) })],
      fleet: fleetView(NOW, (what) => `${hostile(what.length)} ${what}`),
    },
    true,
  ),
);
const text = (lines: readonly string[]): View => ({
  ...{ kind: 'text', title: hostile(1), top: 0, again: null, back: { kind: 'home' } },
  render: () => lines.join('\n'),
});

describe('a frame', () => {
  const views: readonly [string, Partial<Screen>][] = [
    ['home', {}],
    ['keys', { view: { kind: 'keys', top: 0 } }],
    ['text', { view: text(HOSTILE.map((one) => printable({ one }).one)) }],
    ['message', { message: { text: hostile(2), tone: 'failed' } }],
    ['question', { prompt: { kind: 'yes', question: hostile(3), effect: { do: 'quit' } } }],
    ['line', { prompt: { kind: 'find', value: hostile(5), at: 3 } }],
  ];
  const sizes = [20, 60, 80, 120, 200].flatMap((columns) =>
    [6, 10, 24, 50].map((rows) => [columns, rows] as const),
  );

  it.each(views)('of %s has one line and one column less than the terminal', (_, given) => {
    for (const [columns, rows] of sizes) {
      const lines = frameOf(screenOf(NIGHT, { columns, rows, ...given }), (width) =>
        terminalWith({ live: true, color: true, width }),
      );
      expect(lines).toHaveLength(rows - 1);
      for (const line of lines) expect(displayWidth(withoutEscapes(line))).toBeLessThan(columns);
    }
  });

  it.each(views)('of %s has nothing in it that acts on a terminal', (_, given) => {
    for (const line of frameOf(screenOf(NIGHT, { columns: 120, rows: 50, ...given }), plain))
      expect(line).not.toMatch(/\p{Cc}|\u200d|\ufe0f|[\u202a-\u202e]|[\u2066-\u2069]/u);
  });

  it('holds columns for each repository where there is room, else a line for each', () => {
    const two = [watched([task('A-1')], { name: 'one' }), watched([task('B-1')], { name: 'two' })];
    const wide = frameOf(screenOf(two, { columns: 160 }), plain);
    expect(wide[0]).toMatch(/^one .* │ two /);
    expect(wide.join('\n')).toContain('B-1');
    const narrow = frameOf(screenOf(two, { columns: 80 }), plain);
    expect(narrow[0]).toMatch(/^▸ one/);
    expect(narrow[1]).toMatch(/^ {2}two/);
    expect(narrow.join('\n')).not.toContain('B-1');
  });

  it('keeps what needs you and what runs, where a terminal is small', () => {
    const lines = frameOf(screenOf(NIGHT, { columns: 60, rows: 12 }), plain);
    expect(lines[0]).toContain('need you');
    expect(lines.filter((line) => line.startsWith('▶'))).toHaveLength(4);
    expect(lines.some((line) => line.startsWith('›'))).toBe(true);
    expect(lines.at(-1)).toContain('? keys');
  });

  it('shows the workers of a fleet, those at work where there is no room for all', () => {
    const night = watched([task('T-1')], { fleet: fleetView(NOW) }, true);
    const roomy = frameOf(screenOf(night, { columns: 120, rows: 40 }), plain).map((line) => line.trim());
    expect(roomy).toContain('Fleet: 3 workers · Coordinated by process 12 on desk.');
    expect(roomy).toContain('▶ three · T-3 for 12:00 · seen 0:00 ago · rack-3 · gpu · claude');
    expect(roomy).toContain('· two · idle · seen 2:00 ago · rack-2 · gpu · claude');
    expect(roomy).toContain('2 attempts for claude waiting, the account is at its limit: T-4, T-5');
    const small = frameOf(screenOf(night, { columns: 60, rows: 18 }), plain).join('\n');
    expect(small).toContain('▶ three · T-3 for 12:00');
    expect(small).toContain('2 attempts for claude waiting');
    expect(small).toContain('… 2 more workers: ralph fleet status');
    const attempts = ['T-3', 'T-4'].map((id) => attempt(id));
    const both = frameOf(screenOf({ ...night, attempts }, { columns: 120, rows: 40 }), plain).join('\n');
    expect(both).toMatch(/T-3 .* 12:00 of 10:00/);
    expect(both).toMatch(/T-4 .* waits for a worker 3:00/);
    const away = { ...night, fleet: { status: null, problem: 'Redis is away' } };
    expect(frameOf(screenOf(away), plain).join('\n')).toContain('Fleet: Redis is away');
  });

  it('has no title of a group alone above what is cut', () => {
    const tasks = ['open', 'done', 'blocked', 'unverified'] as const;
    const all = Array.from({ length: 40 }, (_, at) => task(`T-${at}`, { status: tasks[at % 4] ?? 'open' }));
    for (let rows = 12; rows < 50; rows += 1) {
      const lines = frameOf(screenOf(watched(all), { rows }), plain);
      const cut = lines.findIndex((line) => /… \d+ lines below/.test(line));
      const [, left] = /… (\d+) lines/.exec(lines[cut] ?? '') ?? [];
      const shown = lines.filter((line) => /^[› ] [!·✔] T-\d|^(?:Needs you|Next|Done) \(/.test(line)).length;
      expect(lines[cut - 1]).not.toMatch(/^\w[\w ]* \(\d+\)$/);
      expect(shown + Number(left ?? 0)).toBe(40 + 3);
    }
  });

  it.each([
    ['T-1', '› · T-1  open             Title of T-1'],
    ['a-long-name-of-a-task', '› · a-long-name… open             Title of a-long-name-of-a-task'],
  ])('gives ids the room that the longest takes: %s', (id, expected) => {
    expect(frameOf(screenOf(watched([task(id)])), plain).map((line) => line.trimEnd())).toContain(expected);
  });

  it('keeps the chosen task in sight', () => {
    const repo = screenOf(NIGHT).repos[0];
    for (const id of ['T-1', 'T-150', 'T-297']) {
      const screen = { ...screenOf(NIGHT), repos: repo === undefined ? [] : [{ ...repo, taskId: id }] };
      expect(frameOf(screen, plain).filter((line) => line.startsWith('›') && line.includes(id))).toHaveLength(
        1,
      );
    }
  });
});

describe('what is shown', () => {
  const shown = (...given: Parameters<typeof watched>) =>
    frameOf(screenOf(watched(...given)), plain).join('\n');

  it('shows how long an attempt runs, of how much, what it does and what was found', () => {
    const one = attempt('T-1', {
      ...{
        attempt: 2,
        words: 'First line\nNow the parser\nRALPH_STATUS\nTASK: T-1\nEND_RALPH_STATUS',
        last_calls: [{ action: 'Edit a.ts', ok: true }],
        calls: 9,
      },
      found: ['removed a test'],
    });
    const text = shown([task('T-1')], { attempts: [one] }, true);
    expect(text).toMatch(/▶ T-1 Title of T-1 .*claude {2}attempt 2 of 3 {2}3:00 of 10:00/);
    expect(text).toContain('Edit a.ts · ! removed a test · 9 calls');
    expect(text).toContain('"Now the parser"');
    expect(text).toMatch(
      /^app · running for 2:05:00 · 0 of 1 done · about 2 h left · \$4\.20 · 41k tokens · claude/,
    );
  });

  it('names what follows the work of the agent', () => {
    const phase = { words: 'gates run', since: new Date(NOW - 61_000).toISOString() };
    expect(shown([task('T-1')], { attempts: [attempt('T-1', { phase })] }, true)).toMatch(
      /▶ T-1 .*gates run 1:01$/m,
    );
  });

  it('lists tasks in the order in which they get to your branch', () => {
    const place = (number: number, kind = 'ready' as const) => ({ number, kind, why: '', command: null });
    const text = shown([
      task('T-1', { place: place(3) }),
      task('T-2', { place: place(2), first: true }),
      task('T-3', {
        place: { ...place(1), kind: 'verified', why: 'waits: your branch moved', command: 'ralph land' },
        status: 'done',
      }),
    ]);
    expect(text.match(/^[› ] [!·] T-\d/gm)).toEqual(['› ! T-3', '  · T-2', '  · T-1']);
    expect(text).toContain('waits: your branch moved (ralph land)');
    expect(text).toContain('goes first');
  });

  it('groups tasks by what they need', () => {
    const text = shown([
      task('T-1', { status: 'done' }),
      task('T-2', { waits_for: ['T-3'] }),
      task('T-3'),
      task('T-4', { status: 'blocked', open: needs('Failed 3 times.') }),
    ]);
    const order = [
      'Needs you (1)',
      'T-4',
      'Failed 3 times.',
      'Next (1)',
      'T-3',
      'Waiting (1)',
      'after T-3',
      'Done (1)',
      'T-1',
    ];
    const places = order.map((one) => text.indexOf(one));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('says what stopped the runs, the key that lets them continue, and what comes next', () => {
    const status = { policy_stop: { kind: 'break', reason: 'three failures' } as never };
    const report = { ...CUT_OFF, ending: 'break' as const, headline: 'Stopped: three failures.' };
    expect(shown([task('T-1')])).toContain('No run is active. Next: ralph run');
    expect(shown([task('T-1')], { status, report })).toContain(
      'Stopped: three failures. (C: let runs continue)',
    );
  });

  it('says that the last run was cut off, and what to do', () => {
    const text = shown([task('T-1')], { report: CUT_OFF });
    expect(text).toMatch(/^app · the run was cut off/);
    expect(text).toMatch(/Last run, ended .*: Cut off: the run was killed\./);
    expect(text).toContain('No run is active. Next: ralph run');
  });
});

it('is followed at its end only while that is shown', () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
  const at = (top: number) => placeIn(screenOf(NIGHT, { view: { ...text(lines), top } as View }), plain);
  expect(at(0)).toEqual({ top: 0, atEnd: false });
  expect(at(1000)).toEqual({ top: 74, atEnd: true });
});

it('no sign joins another', () => {
  expect(steady('👩\u200d👧 ❤\ufe0f 👍\u{1f3fd} \u{1f1e9}\u{1f1ea}')).toBe('👩👧 ❤ 👍 DE');
});
