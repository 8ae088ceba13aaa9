import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { listedTasks } from '../../../src/domain/records/choice.ts';
import type { InputsDocument } from '../../../src/domain/records/run-record.ts';
import type { Task } from '../../../src/domain/task.ts';
import { openRunDocuments } from '../../../src/loop/run-documents.ts';
import { sha256 } from '../replay/recorded-run.ts';

/** Returns the documents of a run, and the paths that were written. */
function documentsOf() {
  const written: string[] = [];
  const files = new Map<string, string>();
  const store = {
    writeDocument: (path: string, text: string) => {
      written.push(path);
      files.set(path, text);
    },
  };
  const documents = openRunDocuments('r-1', { store, ids: { sha256 } } as never);
  const read = ({ tasks, statuses }: ReturnType<typeof documents.tasks>) =>
    listedTasks(JSON.parse(files.get(`runs/r-1/${tasks}`) ?? ''), statuses);
  return { documents, written, read };
}

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...EMPTY_TASK,
  id,
  title: `Do ${id}`,
  ...more,
});
const many = (status: (index: number) => Task['status'] = () => 'open') =>
  Array.from({ length: 1000 }, (_, index) => task(`T-${index}`, { status: status(index) }));

describe('the list of tasks', () => {
  it('is written once while statuses alone change, and gives the tasks back', () => {
    const { documents, written, read } = documentsOf();
    const lists = [
      many(),
      many((index) => (index === 3 ? 'in_progress' : 'open')),
      many((index) => (index <= 3 ? 'done' : 'open')),
    ];
    for (const tasks of lists) expect(read(documents.tasks(tasks))).toEqual(tasks);
    expect(written).toHaveLength(1);
  });

  it.each<[string, Task[]]>([
    ['a title', [task('T-1', { title: 'Other' }), task('T-2')]],
    ['a priority', [task('T-1', { priority: 1 }), task('T-2')]],
    ['a dependency', [task('T-1'), task('T-2', { dependsOn: ['T-1'] })]],
    ['the order', [task('T-2'), task('T-1')]],
    ['the number of tasks', [task('T-1')]],
  ])('is written anew when %s changed', (_name, changed) => {
    const { documents, written, read } = documentsOf();
    documents.tasks([task('T-1'), task('T-2')]);
    expect(read(documents.tasks(changed))).toEqual(changed);
    expect(written).toHaveLength(2);
  });

  it('is written anew when too many statuses differ to be listed every time', () => {
    const { documents, written, read } = documentsOf();
    documents.tasks(many());
    const done = many(() => 'done');
    const recorded = documents.tasks(done);
    expect(recorded.statuses).toEqual([]);
    expect(read(recorded)).toEqual(done);
    expect(written).toHaveLength(2);
  });
});

it('inputs are written when their content changed, each content once', () => {
  const { documents, written } = documentsOf();
  const inputs = (guidance: string) => ({ $schema: 'ralph.inputs.v1', guidance }) as InputsDocument;
  const names = ['a', 'a', 'b', 'a'].map((guidance) => documents.inputs(inputs(guidance)));
  expect(names).toEqual([names[0], names[0], names[2], names[0]]);
  expect(written).toEqual([`runs/r-1/${names[0]}`, `runs/r-1/${names[2]}`]);
});
