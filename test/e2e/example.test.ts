import { cpSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { projectAt } from '../helpers/cli.ts';
import { makeRepository } from '../helpers/repository.ts';

const example = fileURLToPath(new URL('../../.ralph.example', import.meta.url));

it('runs as it is copied: two lies are caught and every task is done in the end', () => {
  const { root } = makeRepository({ 'README.md': 'hello\n' });
  cpSync(example, `${root}/.ralph`, { recursive: true });
  const project = projectAt(root);

  const finished = project.ralph('run', '--agent', 'scripted');
  expect(finished.stderr).toBe('');
  expect(finished.code).toBe(0);

  const lies = project.events().filter(({ event_type }) => event_type === 'false_completion_detected');
  expect(lies.map(({ details }) => details.task_id)).toEqual(['EX-1', 'EX-2']);
  expect(project.read('.ralph/PRD.md').match(/- \[(.)\]/g)).toEqual(['- [x]', '- [x]', '- [x]']);
  expect(project.read('ralph-example/greet.sh')).not.toContain('TODO');
  expect(existsSync(`${root}/ralph-example/README.md`)).toBe(true);
});

it('gives its boundaries and its guidance to the agent', () => {
  const { root } = makeRepository({ 'README.md': 'hello\n' });
  cpSync(example, `${root}/.ralph`, { recursive: true });
  const { stdout, code } = projectAt(root).ralph('prompt', 'EX-1');
  expect(code).toBe(0);
  expect(stdout).toContain('Work in ralph-example/ alone.');
  expect(stdout).toContain(readFileSync(`${example}/FEEDBACK.md`, 'utf8').trim());
});
