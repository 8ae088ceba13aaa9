import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { archivedList } from '../../../src/app/setup/tracker/list-text.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

describe('an archived list', () => {
  it.each([
    ['openspec/changes/c/tasks.md', 'openspec/changes/archive/2026-11-30-c/tasks.md'],
    ['openspec/changes/c', 'openspec/changes/archive/2026-11-30-c'],
    ['openspec/changes/add-c/tasks.md', null],
    ['openspec/changes/d/tasks.md', 'openspec/changes/archive/2026-02-01-d/tasks.md'],
    ['plans/2026-01-05-dated.md', 'plans/archived/2026-01-05-dated.md'],
    ['backlog/tasks', 'backlog/archive/tasks'],
    ['plans/one.md', 'plans/archived/one.md'],
    ['gone.md', null],
    ['../other/gone.md', null],
  ])('%s', (path, place) => {
    const root = temporaryFolder();
    for (const name of [
      'openspec/changes/archive/2026-11-30-c/tasks.md',
      'openspec/changes/archive/2025-01-01-d/tasks.md',
      'openspec/changes/archive/2026-02-01-d/tasks.md',
      'openspec/changes/archive/2026-02-01-add-c/proposal.md',
      'backlog/archive/tasks/task-1.md',
      'plans/archived/one.md',
      'plans/archived/2026-01-05-dated.md',
    ]) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), '- [ ] a\n');
    }
    expect(archivedList(root, path)).toBe(place);
  });
});
