import { describe, expect, it } from 'vitest';
import { parsed } from '../test/fixtures.ts';
import { similarity } from './assign-ids.ts';

const list = (...titles: string[]) => titles.map((title) => `- [ ] ${title}\n`).join('');

/** Ids by title after the file went through these versions in turn. */
function idsOver(...versions: string[]): Record<string, string> {
  let remembered = parsed('').remembered;
  let ids: Record<string, string> = {};
  for (const text of versions) {
    const result = parsed(text, 'PRD.md', remembered);
    remembered = result.remembered;
    ids = Object.fromEntries(result.tasks.map((task) => [task.title, task.id]));
  }
  return ids;
}

const FIRST = [
  'Write the parser for dates',
  'Store notes in a file',
  'Send notes by mail',
  'Encrypt the file',
];

describe('ids of tasks without one', () => {
  const before = idsOver(list(...FIRST));

  it('come from the title alone', () => {
    expect(before['Encrypt the file']).toMatch(/^t-[0-9a-f]{6}$/);
    expect(idsOver(list('Encrypt the file'))).toEqual({ 'Encrypt the file': before['Encrypt the file'] });
  });

  it('survive reordering, insertion and deletion', () => {
    const after = idsOver(list(...FIRST), list('Something new', ...[...FIRST].reverse()));
    for (const title of FIRST) expect(after[title]).toBe(before[title]);
    const fewer = idsOver(list(...FIRST), list(...FIRST.slice(2)));
    expect(fewer).toEqual({
      [FIRST[2] ?? '']: before[FIRST[2] ?? ''],
      [FIRST[3] ?? '']: before[FIRST[3] ?? ''],
    });
  });

  it.each([
    ['a word more', 'Write the parser for dates and times', 0],
    ['a typo fixed, moved to the end', 'Store notes in one file', 3],
    ['reworded in its place', 'Parse dates', 0],
  ])('survive an edit: %s', (_, title, place) => {
    const old = title.startsWith('Store') ? 'Store notes in a file' : 'Write the parser for dates';
    const rest = FIRST.filter((other) => other !== old);
    const text = list(...rest.slice(0, place), title, ...rest.slice(place));
    expect(idsOver(list(...FIRST), text)[title]).toBe(before[old]);
  });

  it('are not inherited by a task that is another one', () => {
    const after = idsOver(list(...FIRST), list('Publish the package', ...FIRST.slice(1)));
    expect(after['Publish the package']).not.toBe(before['Write the parser for dates']);
  });

  it('differ for equal titles, and stay with their places', () => {
    const { tasks, remembered } = parsed(list('Write tests', 'a', 'Write tests'));
    expect(new Set(tasks.map((task) => task.id)).size).toBe(3);
    const again = parsed(list('Write tests', 'Write tests', 'a'), 'PRD.md', remembered).tasks;
    expect(again.map((task) => task.id)).toEqual([tasks[0]?.id, tasks[2]?.id, tasks[1]?.id]);
  });

  it('come back with a task that was away, but only under its own title', () => {
    const away = list(...FIRST.slice(1));
    expect(idsOver(list(...FIRST), away, away, list(...FIRST))).toEqual(before);
    const like = idsOver(list(...FIRST), away, away, list('Write the parser for date', ...FIRST.slice(1)));
    expect(like['Write the parser for date']).not.toBe(before[FIRST[0] ?? '']);
  });

  it('keep the edited task when the title goes back', () => {
    const edited = list('Write the parser for dates and times', ...FIRST.slice(1));
    expect(idsOver(list(...FIRST), edited, list(...FIRST))).toEqual(before);
  });

  it('give way to an explicit id that is the same', () => {
    const id = before[FIRST[0] ?? ''] ?? '';
    const { tasks } = parsed(
      `- [ ] other\n  Id: ${id}\n${list(...FIRST)}`,
      'PRD.md',
      parsed(list(...FIRST)).remembered,
    );
    expect(tasks[0]?.id).toBe(id);
    expect(tasks[1]?.id).not.toBe(id);
  });

  it('leave the memory as it was when nothing changed', () => {
    const { remembered } = parsed(list(...FIRST));
    expect(parsed(list(...FIRST), 'PRD.md', remembered).remembered).toEqual(remembered);
  });
});

it('reports an id that is used twice', () => {
  const { tasks, problems } = parsed('- [ ] A-1: a\n- [ ] A-1: b\n');
  expect(tasks[0]?.id).toBe('A-1');
  const id = tasks[1]?.id;
  expect(problems).toEqual([
    { line: 2, message: expect.stringContaining(`(line 1), so this one is ${id}`), tasks: [id] },
  ]);
});

it.each([
  ['Store notes', 'store  notes!', 1, 1],
  ['Store notes in a file', 'Store notes in one file', 0.7, 0.99],
  ['Store notes', 'Encrypt mail', 0, 0.3],
  ['', 'a', 0, 0],
  ['!!', '??', 1, 1],
])('similarity of %j and %j', (a, b, least, most) => {
  expect(similarity(a, b)).toBeGreaterThanOrEqual(least);
  expect(similarity(a, b)).toBeLessThanOrEqual(most);
  expect(similarity(a, b)).toBe(similarity(b, a));
});
