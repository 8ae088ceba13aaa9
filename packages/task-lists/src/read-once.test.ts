import { describe, expect, it } from 'vitest';
import { parseTracker, readOnce, setTrackerStatus, trackerReader } from './index.ts';
import type { TrackerReader } from './task-list.ts';

const LIST = '## Tasks\n- [ ] **A** First\n  - Depends on: B\n- [ ] **B** Second\n';
const PATH = '.ralph/PRD.md';

async function counting() {
  const reader = await trackerReader(LIST, PATH, 'auto');
  const texts: string[] = [];
  const by: TrackerReader = (text, path) => {
    texts.push(text);
    return reader(text, path);
  };
  return { by, texts };
}

describe('readOnce', () => {
  it('reads the same text once, and the edited one when the edit is proven', async () => {
    const { by, texts } = await counting();
    const once = readOnce();
    parseTracker(LIST, PATH, once(by), []);
    const edited = setTrackerStatus(LIST, PATH, once(by), [], 'B', 'done');
    expect(edited.ok).toBe(true);
    const text = edited.ok ? edited.text : '';
    expect(texts).toStrictEqual([LIST, text]);
    const parsed = parseTracker(text, PATH, once(by), []);
    expect(texts).toHaveLength(2);
    expect(parsed.ok && parsed.tasks.map(({ status }) => status)).toStrictEqual(['open', 'done']);
  });

  it('reads again what has another path or another reader', async () => {
    const one = await counting();
    const other = await counting();
    const once = readOnce();
    once(one.by)(LIST, PATH);
    once(one.by)(LIST, 'TODO.md');
    once(other.by)(LIST, 'TODO.md');
    expect(one.texts).toHaveLength(2);
    expect(other.texts).toHaveLength(1);
  });

  it('gives tasks that are new each time: what is done to them is in no later list', async () => {
    const { by } = await counting();
    const reader = readOnce()(by);
    const parse = (text: string) => {
      const parsed = parseTracker(text, PATH, reader, []);
      return parsed.ok ? parsed.tasks : [];
    };
    const numbered = LIST.replace('Depends on: B', 'Depends on: 2');
    const first = parse(numbered);
    expect(first[0]?.dependsOn).toStrictEqual(['B']);
    for (const task of first) Object.assign(task, { id: 'changed', dependsOn: ['changed'] });
    expect(parse(numbered).map(({ id, dependsOn }) => [id, dependsOn])).toStrictEqual([
      ['A', ['B']],
      ['B', []],
    ]);
  });
});
