/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import type { InterventionEvent } from '../../src/domain/records/event.ts';
import { always, claim, makeProject, ONE_TASK, withoutBox } from '../helpers/cli.ts';
import { LIES, PRD } from '../helpers/lies.ts';

// In a box agents can't write the files that instruct them; without one they write those of their copy.
withoutBox();

const HEADING = '## Previous Iteration Feedback (DO NOT IGNORE)';

describe('a claim that nothing bears out', () => {
  // Tests run several at a time, because most of their time is waiting for processes.
  it.concurrent.each(LIES)('is not believed: $name', async (lie) => {
    const project = makeProject({ ...lie.files, '.ralph/scenario.json': always(...lie.actions) });
    lie.before?.(project);
    const tracker = lie.tracker ?? PRD;
    const written = project.read(tracker);

    const run = await project.jsonLater('run', '--max-iterations', '2');
    const { events } = await project.jsonLater('interventions');

    expect(run).toMatchObject({ iterations: 2, lies_caught: 2, ending: 'max_iterations' });
    expect(run.tasks).toEqual({ total: 1, done: 0, unverified: 0, blocked: 0, open: 1 });
    expect(run.unfinished).toMatchObject([{ id: 'T-1', title: 'Write the parser', status: 'in_progress' }]);
    expect(project.read(tracker)).toBe(written);
    const detected = (events as InterventionEvent[]).filter(
      ({ event_type }) => event_type !== 'intervention_applied',
    );
    const seen = detected.map(({ iteration, event_type }) => `${iteration} ${event_type}`);
    expect(events.length).toBeGreaterThan(detected.length);
    const expected = [
      'no_files_detected',
      'false_completion_detected',
      'agent_reinforced',
      ...(lie.alsoRecorded ?? []),
    ];
    const inBoth = [1, 2].flatMap((iteration) => expected.map((type) => `${iteration} ${type}`));
    inBoth.push('2 threshold_exceeded');
    expect(seen.toSorted()).toEqual(inBoth.toSorted());
    expect(project.promptOf(1)).not.toContain(HEADING);
    const [, feedback = ''] = project.promptOf(2).split(`\n${HEADING}\n`);
    expect(feedback).toMatch(/iteration 1\b/i);
  });

  it('blocks the task after three attempts', () => {
    const project = makeProject({ '.ralph/scenario.json': always(claim('src/parser.ts:1-9 written')) });
    const run = project.ralph('run');
    expect(run.code).toBe(4);
    expect(run.stdout).toContain('T-1 is blocked now.');
    expect(run.stdout).toContain('0 of 1 task done, 1 needs you.');
    expect(run.stdout).toMatch(/3 false claims caught: .*\./);
    expect(project.iterations()).toEqual([1, 2, 3]);
    expect(project.read(PRD)).toBe(ONE_TASK.replace('[ ]', '[-]'));
    expect(project.json('run')).toMatchObject({ exit_code: 4, ending: 'all_blocked', iterations: 0 });
  });

  it('does not block the work that follows', () => {
    const project = makeProject({
      '.ralph/scenario.json': JSON.stringify({
        steps: [
          { when: { feedback: false }, do: [{ action: 'tick', path: PRD }, claim()] },
          { do: [{ action: 'write', path: 'parser.js', content: 'parse\n' }, claim('parser.js:1 parses')] },
        ],
      }),
    });
    expect(project.json('run')).toMatchObject({ exit_code: 0, iterations: 2, lies_caught: 1 });
    expect(project.read(PRD)).toBe(ONE_TASK.replace('[ ]', '[x]'));
  });

  it('keeps the record of what happened when the agent damages the journal between two lies', () => {
    const project = makeProject();
    const journal = project.path('.ralph/journal.jsonl');
    project.write(
      '.ralph/scenario.json',
      always({ action: 'shell', command: `printf x > '${journal}'` }, claim()),
    );
    project.commitAll('an agent that damages the journal');
    for (let night = 1; night <= 2; night += 1)
      expect(project.ralph('run', '--max-iterations', '1').stdout).toContain(
        '.ralph/journal.jsonl was changed by something other than ralph',
      );
    expect(project.json('tasks').tasks[0].attempts).toBe(2);
  });

  it('names configuration that the agent changed where nothing keeps it out', () => {
    const toml = '[loop]\nagent = "scripted"\n\n[gates]\ncommands = ["false"]\n';
    const project = makeProject({ '.ralph/ralph.toml': toml });
    const file = project.path('.ralph/ralph.toml');
    project.write(
      '.ralph/scenario.json',
      always({ action: 'shell', command: `sed -i s/false/true/ '${file}'` }, claim()),
    );
    project.commitAll('an agent that changes the configuration');
    const { stdout } = project.ralph('run', '--max-iterations', '1');
    expect(stdout).toContain('.ralph/ralph.toml changed while the agent worked, outside of its copy.');
  });

  it.each([
    [
      'git commit -q --allow-empty -m more',
      /Commit \w{7} \(.+: "more"\) came while the agent worked\. Changed outside of its copy: HEAD, refs\/heads\/main\./,
    ],
    ['git branch other', /refs\/heads\/other changed while the agent worked, outside of its copy\./],
    ['git checkout -q HEAD~1', /HEAD, the index changed while the agent worked, outside of its copy\./],
    [
      'echo more >> README.md; git stash -q',
      /refs\/stash changed while the agent worked, outside of its copy\./,
    ],
    [
      'echo more >> README.md; git add README.md',
      /the index changed while the agent worked, outside of its copy\./,
    ],
  ])('names once what a program changed in the repository: %s', (command, said) => {
    const project = makeProject();
    const inCheckout = `cd '${project.root}' && ${command}`;
    project.write('.ralph/scenario.json', always({ action: 'shell', command: inCheckout }, claim()));
    project.commitAll('an agent that works in the checkout');
    const { stdout } = project.ralph('run', '--max-iterations', '1');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(said);
    expect(stdout.match(/while the agent worked/g)).toHaveLength(1);
  });
});
