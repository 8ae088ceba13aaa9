/** @module-tag installs */

import { describe, expect, it } from 'vitest';
import { type Project, withoutBox } from '../../helpers/cli.ts';
import { installTool, runWith, toolProject, workAt } from '../../helpers/task-tools.ts';

// The tool's own commands make the list and change it, also during a run; ralph does its tasks, and the tool accepts
// every byte.

withoutBox();

const openspec = installTool('@fission-ai/openspec', '1.13.2', 'openspec');
describe.skipIf(openspec.isMissing)(openspec.title, () => {
  const run = (project: Project, ...args: string[]) => openspec.run(project.root, ...args);
  const CHANGE = 'openspec/changes/add-files';
  const LIST = `${CHANGE}/tasks.md`;
  const LINES = `# Tasks

## 1. Setup

- [ ] 1.1 Make the folder and verify that it is there
- [x] 1.2 Was done
* [ ] 1.3 With a star

## 2. Core

- [ ] 2.1 Export, and verify \`npm test\`
      with a line below it
- [ ] 2.2 Document
  - [ ] 2.2.1 A part of it
`;
  const made = () => {
    const project = toolProject();
    run(project, 'init', '--tools', 'none', '.');
    run(project, 'new', 'change', 'add-files');
    project.write(
      `${CHANGE}/specs/files/spec.md`,
      '## ADDED Requirements\n\n### Requirement: Files\nThe system SHALL have files.\n\n#### Scenario: There\n- **WHEN** looked\n- **THEN** there\n',
    );
    project.write(
      `${CHANGE}/proposal.md`,
      '## Why\n\nA reason that is long enough for whoever reads it, and then some.\n\n## What Changes\n\n- files\n\n## Impact\n- none\n',
    );
    project.write(LIST, LINES);
    return project;
  };
  const progress = (project: Project) =>
    JSON.parse(run(project, 'list', '--json')).changes[0] as { completedTasks: number; totalTasks: number };

  it('is worked off, the tool counts each tick, validates the change and archives it', async () => {
    const project = made();
    expect(progress(project)).toMatchObject({ completedTasks: 1, totalTasks: 6 });
    workAt(project, LIST);
    const added = '\n## 3. Meanwhile\n\n- [ ] 3.1 Added\n';
    const result = await runWith(project, () => {
      project.write(LIST, project.read(LIST) + added);
      run(project, 'new', 'change', 'another');
    });
    expect(result.exit_code).toBe(0);
    expect(project.read(LIST)).toBe((LINES + added).replaceAll('[ ]', '[x]'));
    const changes = JSON.parse(run(project, 'list', '--json')).changes;
    expect(changes).toContainEqual(
      expect.objectContaining({ name: 'add-files', completedTasks: 7, totalTasks: 7, status: 'complete' }),
    );
    expect(run(project, 'validate', 'add-files', '--strict')).toContain('is valid');
    expect(JSON.parse(run(project, 'instructions', 'apply', '--change', 'add-files', '--json')).state).toBe(
      'all_done',
    );
    run(project, 'archive', 'add-files', '--yes');
    expect(project.exists(LIST)).toBe(false);
    const tasks = project.ralph('tasks');
    expect(tasks.code).toBe(2);
    expect(tasks.stderr.replace(/\s+/g, ' ')).toMatch(
      /was archived by its tool: it is in openspec\/changes\/archive\/\d{4}-\d\d-\d\d-add-files\/tasks\.md now/,
    );
  });
});
