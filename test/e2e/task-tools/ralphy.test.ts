/** @module-tag installs */

import { describe, expect, it } from 'vitest';
import { type Project, withoutBox } from '../../helpers/cli.ts';
import { installTool, runWith, toolProject, workAt } from '../../helpers/task-tools.ts';

// The tool's own commands make the list and change it, also during a run; ralph does its tasks, and the tool accepts
// every byte.

withoutBox();

const CLAUDE = `#!/bin/sh
printf 'x\\n' >>by-ralphy.txt
printf '{"type":"result","subtype":"success","is_error":false,"result":"done","usage":{"input_tokens":1,"output_tokens":1}}\\n'
`;
const ralphy = installTool('ralphy-cli', '4.7.2', 'ralphy', { programs: { claude: CLAUDE } });
describe.skipIf(ralphy.isMissing)(ralphy.title, () => {
  const one = (project: Project, ...args: string[]) =>
    ralphy.run(project.root, ...args, '--max-iterations', '1', '--no-tests', '--no-lint', '--no-commit') ??
    '';
  const LISTS = [
    ['PRD.md', [], '# Mine\n\n- [ ] One\n- [ ] Two: with a colon\n- [ ] Three\n', '- [ ]', '- [x]'],
    [
      ...(['tasks.yaml', ['--yaml', 'tasks.yaml']] as const),
      'tasks:\n  - title: One\n    completed: false\n  - title: "Two: with a colon"\n    completed: false\n  - title: Three\n    completed: false\n',
      ...(['completed: false', 'completed: true'] as const),
    ],
    [
      ...(['tasks.json', ['--json', 'tasks.json']] as const),
      '{\n  "tasks": [\n    { "title": "One", "completed": false },\n    { "title": "Two: with a colon", "completed": false },\n    { "title": "Three", "completed": false }\n  ]\n}\n',
      ...(['"completed": false', '"completed": true'] as const),
    ],
  ] as const;

  it.each(LISTS)('%s is worked off by both in turn', async (path, args, text, open, done) => {
    const project = toolProject();
    project.write(path, text);
    workAt(project, path);
    one(project, ...args);
    project.commitAll('one by the tool');
    const before = project.read(path);
    expect(before.split(done).length - 1).toBe(1);
    const result = await runWith(project, null);
    expect(result.exit_code).toBe(0);
    expect(project.read(path)).toBe(before.replaceAll(open, done));
    // The tool finds no open task, and leaves the list as it is.
    const ended = one(project, ...args);
    expect(ended).toMatch(/Completed:\s+0|No tasks|all tasks/i);
    expect(project.read(path)).toBe(before.replaceAll(open, done));
  });

  it.each(LISTS)(
    '%s is worked off while the tool does the same task',
    async (path, args, text, open, done) => {
      const project = toolProject();
      project.write(path, text);
      workAt(project, path);
      let written = '';
      const result = await runWith(project, () => {
        one(project, ...args);
        written = project.read(path);
      });
      expect(written.split(done).length - 1).toBe(1);
      expect(result.exit_code).toBe(0);
      expect(project.read(path)).toBe(written.replaceAll(open, done));
      expect(one(project, ...args)).toMatch(/Completed:\s+0|No tasks|all tasks/i);
      expect(project.read(path)).toBe(written.replaceAll(open, done));
    },
  );
});
