/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { attempts, claim, makeProject } from '../helpers/cli.ts';

describe('what you commit after a verdict', () => {
  const write = (content: string) => ({ action: 'write' as const, path: 'a.txt', content });
  const waiting = () => {
    const project = makeProject({
      'a.txt': 'one\n',
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n',
      '.ralph/scenario.json': attempts([write('agent\n'), claim('a.txt:1')]),
    });
    project.write('a.txt', 'yours\n');
    expect(project.json('run')).toMatchObject({ exit_code: 5, not_committed: [{ id: 'T-1' }] });
    return project;
  };

  it('and that conflicts with it opens the task again, which is done anew', () => {
    const project = waiting();
    project.git('commit', '-qm', 'yours', '--', 'a.txt');
    const { code, stdout } = project.ralph('run');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'T-1 is open again: it conflicts with what you committed (a.txt).',
    );
    expect([code, project.read('a.txt')]).toEqual([0, 'agent\n']);
    expect(project.git('log', '--format=%s').split('\n').slice(0, 3)).toEqual([
      'Mark what is done',
      'Write the parser (T-1)',
      'yours',
    ]);
  });

  it('and that takes it out is named once', () => {
    const project = waiting();
    project.git('checkout', '-q', '--', 'a.txt');
    expect(project.ralph('land').code).toBe(0);
    project.git('revert', '--no-edit', project.git('log', '--format=%H', '--grep=(T-1)$'));
    expect(project.ralph('run').stdout.replace(/\s+/g, ' ')).toContain(
      "You took T-1 out, so it doesn't land again",
    );
    expect(project.ralph('run').stdout).not.toContain('You took T-1 out');
    expect(project.read('a.txt')).toBe('one\n');
  });
});
