/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { attempts, claim, makeProject } from '../helpers/cli.ts';

/** Returns a project whose attempts are a lie, an error of the agent, and the work. */
function projectWithRun() {
  const project = makeProject({
    '.ralph/scenario.json': attempts(
      [claim('src/invented.ts:1-9 nothing')],
      [
        { action: 'write', path: 'parser.js', content: 'parse(\n' },
        { action: 'exit', code: 3 },
      ],
      [{ action: 'write', path: 'parser.js', content: 'parse()\n' }, claim('parser.js:1 parses')],
    ),
  });
  expect(project.ralph('run').code).toBe(0);
  return project;
}

describe('ralph replay', () => {
  // test/helpers/cli.ts checks that each run of the suite replays to the same.
  it('recomputes the newest run to the same, as text and as JSON', () => {
    const project = projectWithRun();
    const { code, stdout } = project.ralph('replay');
    expect(code).toBe(0);
    expect(stdout).toMatch(/#1 T-1, no files: same\n/);
    expect(stdout).toMatch(/end: all done: same\n/);
    expect(stdout).toMatch(/3 iterations, \d+ decisions recomputed, 0 differences\n$/);

    const replay = project.json('replay', 'r-');
    expect(replay).toMatchObject({ exit_code: 0, outcome: 'equal', differences: 0 });
    const iterations = replay.iterations as { verdict: string; not_recorded: string[] }[];
    expect(iterations.map(({ verdict }) => verdict)).toEqual(['no_files', 'agent_error', 'done']);
    expect(iterations.flatMap(({ not_recorded }) => not_recorded)).toEqual([]);
    expect(replay.whole).toMatchObject({ ending: 'all_done', not_recorded: [], differences: [] });
  });

  it('finds the verdict that someone edited, and the record that someone removed', () => {
    const project = projectWithRun();
    const id = project.json('replay').run as string;
    const folder = `.ralph/runs/${id}/iterations`;
    const record = project.read(`${folder}/0001/iteration.json`);
    project.write(
      `${folder}/0001/iteration.json`,
      record.replace(/("verdict": \{\s*"kind": )"no_files"/, '$1"done"'),
    );
    project.remove(`${folder}/0002/iteration.json`);
    project.replaysDifferently(
      'this test edits the records',
      'verdict.kind',
      'verdict.completionClaimed',
      'iteration.json',
    );

    const { code, stdout } = project.ralph('replay', id);
    expect(code).toBe(1);
    expect(stdout).toContain('verdict.kind: recorded "done", recomputed "no_files"');
    expect(stdout).toMatch(/iteration\.json: found "missing", expected "[0-9a-f]{64}"/);
    expect(stdout).toMatch(/3 iterations, \d+ decisions recomputed, 4 differences\n$/);
    expect(project.json('replay', 'latest')).toMatchObject({ exit_code: 1, outcome: 'different' });
  });

  it('names the runs there are when there is none of that name', () => {
    const project = projectWithRun();
    const { run } = project.json('replay');
    const { code, stderr } = project.ralph('replay', 'r-2');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    const unknown = project.ralph('replay', 'x-1');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(`There is no run x-1.`);
    expect(unknown.stderr).toContain(run as string);
    const none = makeProject().ralph('replay');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('There are no runs on record yet.');
  });
});

describe('a blocked task whose mark the user takes away in a commit', () => {
  it('gets a new series of attempts', () => {
    const project = makeProject({
      '.ralph/scenario.json': attempts([claim()], [claim()], [claim()], [claim()]),
    });
    expect(project.ralph('run').code).toBe(4);
    project.git('commit', '-qam', 'blocked');
    project.write('.ralph/PRD.md', project.read('.ralph/PRD.md').replace('[-]', '[ ]'));
    project.git('commit', '-qam', 'open again');
    expect(project.ralph('run', '--max-iterations', '1').code).toBe(3);
    expect(project.iteration(4).facts.attempt).toBe(1);
    expect(project.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
  });
});
