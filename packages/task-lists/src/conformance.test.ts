import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  isService,
  joinFiles,
  parseTracker,
  setTrackerStatus,
  splitFiles,
  TRACKER_KINDS,
  trackerReader,
} from './index.ts';
import { type RememberedId, Task, type TrackedStatus } from './task.ts';
import type { TrackerReader } from './task-list.ts';

// What each format does (`task-list.ts`), by the folders of `fixtures/`: a list, and `expected.json` beside it.

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const STATUSES = Task.shape.status.options;

type Expected = {
  readonly kind: string;
  /** Path of the list, by which some formats are known. A folder, if the list has several files. */
  readonly path: string;
  readonly reads: readonly (Partial<Task> & { readonly title: string })[];
  /** Statuses that the format has a mark for. */
  readonly holds: readonly TrackedStatus[];
  /** What a mark changes: the task, its status, and the parts of the text before and after. */
  readonly marks: readonly (readonly [id: string, status: TrackedStatus, before: string, after: string])[];
  /** What to put into the text as a mistake, its line, and a part of what is said of it; `null`: no text has any. */
  readonly mistake: {
    readonly find: string;
    readonly put: string;
    readonly line: number | null;
    readonly says: string;
  } | null;
};

type Case = Expected & { readonly name: string; readonly text: string };

const CASES = readdirSync(FIXTURES).map((name): Case => {
  const folder = join(FIXTURES, name);
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
  const files = readdirSync(folder)
    .filter((file) => file !== 'expected.json')
    .map((file) => ({ name: file, text: readFileSync(join(folder, file), 'utf8') }));
  const [first] = files;
  return { ...expected, name, text: files.length === 1 ? (first?.text ?? '') : joinFiles(files) };
});

it('every format has fixtures', () => {
  const files = TRACKER_KINDS.filter((kind) => !isService(kind));
  expect([...new Set(CASES.map(({ kind }) => kind))].toSorted()).toEqual(files.toSorted());
});

describe.each(CASES)('$name', ({ kind, path, text, reads, holds, marks, mistake }) => {
  let reader: TrackerReader;
  beforeAll(async () => {
    reader = await trackerReader(text, path, 'auto');
  });

  function parse(given: string, remembered: readonly RememberedId[] = []) {
    const parsed = parseTracker(given, path, reader, remembered);
    if (!parsed.ok) throw new Error(parsed.message);
    return parsed;
  }
  function show(given: string, id: string, status: TrackedStatus, remembered: readonly RememberedId[] = []) {
    const edited = setTrackerStatus(given, path, reader, remembered, id, status);
    if (!edited.ok) throw new Error(edited.message);
    return edited.text;
  }
  const others = (tasks: readonly Task[], id: string) => tasks.filter((task) => task.id !== id);

  it('is known by its path or by how it begins', async () => {
    expect(await trackerReader(text, path, kind as 'markdown')).toBe(reader);
  });

  it('is read', () => {
    const { tasks, problems } = parse(text);
    expect(tasks).toMatchObject(reads);
    expect(tasks).toHaveLength(reads.length);
    expect(problems.filter(({ tasks: affected }) => affected.length > 0)).toEqual([]);
  });

  it.each(['\r\n', '\n'])(
    'is read and marked with lines that end with %j, and without the last one',
    (eol) => {
      const turned = (one: string) => one.replaceAll(/\r?\n/g, eol);
      const cut = (one: string) => one.replace(/\s+$/, '');
      const ids = parse(text).tasks.map(({ id }) => id);
      for (const form of [turned, cut]) {
        expect(parse(form(text)).tasks).toMatchObject(reads);
        for (const id of ids)
          expect(parse(show(form(text), id, 'done')).tasks.find((one) => one.id === id)?.status).toBe('done');
      }
      for (const [id, status] of marks)
        expect(show(turned(text), id, status)).toBe(turned(show(text, id, status)));
    },
  );

  it.each(marks)('%s as %s changes %j to %j, and no other byte', (id, status, before, after) => {
    expect(text.split(before)).toHaveLength(2);
    expect(show(text, id, status)).toBe(text.replace(before, () => after));
  });

  it('shows each status that it holds, and leaves all else as it was', () => {
    const { tasks } = parse(text);
    for (const { id, status: from } of tasks)
      for (const status of STATUSES) {
        const edited = show(text, id, status);
        if (from === status) expect(edited).toBe(text);
        const now = parse(edited).tasks;
        expect(others(now, id)).toEqual(others(tasks, id));
        // A status without a mark is not shown, and a task that isn't done is not shown as done.
        const shown = holds.includes(status) ? status : from === 'done' ? 'open' : from;
        expect(now.find((task) => task.id === id)).toMatchObject({ status: shown });
        expect(splitFiles(edited).map(({ name }) => name)).toEqual(splitFiles(text).map(({ name }) => name));
      }
  });

  it('keeps the ids of its tasks, whatever is marked', () => {
    const { tasks, remembered } = parse(text);
    const ids = tasks.map(({ id }) => id);
    for (const id of ids)
      expect(parse(show(text, id, 'done', remembered), remembered).tasks.map((task) => task.id)).toEqual(ids);
  });

  it('is written by two at once: the second one finds its task where it is now', () => {
    const { tasks, remembered } = parse(text);
    const [one, other] = [tasks.at(0)?.id ?? '', tasks.at(-1)?.id ?? ''];
    const there = show(show(text, one, 'done', remembered), other, 'done', remembered);
    expect(show(show(text, other, 'done', remembered), one, 'done', remembered)).toBe(there);
    expect(
      parse(there, remembered)
        .tasks.filter(({ id }) => id === one || id === other)
        .map(({ status }) => status),
    ).toEqual(['done', 'done']);
  });

  it('says that a task is gone', () => {
    const edited = setTrackerStatus(text, path, reader, [], 'no-such-task', 'done');
    expect(edited).toMatchObject({ ok: false, message: expect.stringContaining('has no task no-such-task') });
  });

  it.skipIf(mistake === null)('names a mistake with its line', () => {
    if (mistake === null) return;
    expect(text).toContain(mistake.find);
    const wrong = parseTracker(
      text.replace(mistake.find, () => mistake.put),
      path,
      reader,
      [],
    );
    const said = wrong.ok ? wrong.problems : [{ line: null, message: wrong.message }];
    expect(said).toContainEqual(
      expect.objectContaining({ line: mistake.line, message: expect.stringContaining(mistake.says) }),
    );
  });
});
