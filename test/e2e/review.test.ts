/** @module-tag rest */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, makeProject, type Project, type ProjectFiles, withoutBox } from '../helpers/cli.ts';

const WRITE: ScenarioAction = { action: 'write', path: 'src/parser.ts', content: 'export {};\n' };
const SCRIPTED = '.ralph/scenario.json';

/** Returns a scenario whose agent prints a stream of events, like real agents. */
function stream(...steps: ScenarioAction[][]): ProjectFiles {
  const scenario = {
    output: 'claude-stream',
    steps: steps.slice(0, -1).map((actions, index) => ({ when: { attempt: index + 1 }, do: actions })),
    otherwise: steps.at(-1),
  };
  return { [SCRIPTED]: JSON.stringify(scenario) };
}

/** Returns a project beside a folder of yours. */
function withPrecious(files: (precious: string) => ProjectFiles): { project: Project; precious: string } {
  const project = makeProject();
  const precious = join(dirname(project.root), `${project.root.split('/').at(-1)}-documents`);
  mkdirSync(precious);
  writeFileSync(join(precious, 'keep.txt'), 'keep me\n');
  for (const [name, content] of Object.entries(files(precious))) project.write(name, content);
  return { project, precious };
}

const survives = (precious: string) => existsSync(join(precious, 'keep.txt'));
const shell = (command: string, ask = true): ScenarioAction => ({ action: 'shell', command, ask });

describe('an agent with a hook', () => {
  it('deletes nothing outside of the repository, is told why, and may continue', () => {
    const { project, precious } = withPrecious((folder) =>
      stream([shell('ls'), shell(`rm -rf '${folder}'`), WRITE, claim('src/parser.ts:1 the parser')]),
    );
    const result = project.json('run');
    expect(survives(precious)).toBe(true);
    expect(result).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(result).toMatchObject({ denied_actions: { count: 1, begun: 0, iterations: [1] }, gate_lost: [] });
    expect(project.ralph('interventions').stdout).toContain(`\n    Bash rm -rf '${precious}'\n`);
    const { facts, decisions } = project.iteration(1);
    expect(facts.review).toMatchObject({
      ...{ mode: 'hook', why: '', proven: true, allowed: 1, denied: 1, unreviewed: null },
      blocked: [{ tool: 'Bash', rule: 'deletion_outside' }],
    });
    expect(decisions.findings.map(({ type }) => type)).toEqual(['action_denied']);
    const [event] = project.events();
    expect(event).toMatchObject({
      event_type: 'action_denied',
      severity: 'critical',
      details: { mode: 'hook', denied: 1 },
    });
    const reviews = project
      .read(`${folderOf(project, 1)}/reviews.jsonl`)
      .trim()
      .split('\n');
    expect(reviews.map((line) => JSON.parse(line).decision)).toEqual(['allow', 'block']);
    expect(project.read(`${folderOf(project, 1)}/output.log`)).toContain(
      facts.review?.blocked[0]?.reason.slice(0, 20),
    );
  });

  it('is told of the denial again in the next prompt', () => {
    const { project, precious } = withPrecious((folder) =>
      stream(
        [shell(`rm -rf '${folder}'`), { action: 'print', text: 'I could not tidy up.' }],
        [WRITE, claim('src/parser.ts:1 the parser')],
      ),
    );
    expect(project.json('run').exit_code).toBe(0);
    expect(survives(precious)).toBe(true);
    expect(project.promptOf(2)).toContain('actions of yours were denied');
    expect(project.promptOf(2)).toContain(precious);
  });

  it('ends with the first thing that it does without asking, and is only watched from then on', () => {
    const project = makeProject(
      stream(
        [shell('true'), shell('touch src.txt', false), { action: 'hang' }],
        [WRITE, claim('src/parser.ts:1 the parser')],
      ),
    );
    const result = project.json('run');
    expect(result.exit_code).toBe(0);
    const { facts, decisions } = project.iteration(1);
    expect(facts.end).toMatchObject({ kind: 'halted', why: 'unreviewed_action' });
    expect(facts.review?.unreviewed).toMatchObject({ tool: 'Bash' });
    expect(decisions.verdict).toMatchObject({ kind: 'review_blocked', why: 'unreviewed_action' });
    expect(decisions.failedAttempt).toBe(true);
    const critical = project.events().filter(({ severity }) => severity === 'critical');
    expect(critical.map(({ event_type }) => event_type)).toEqual(['unreviewed_action']);
    expect(project.iteration(2).facts.review).toMatchObject({
      mode: 'detect',
      why: expect.stringContaining('without having been allowed'),
    });
    expect(project.promptOf(2)).toContain('your attempt at task T-1 was ended');
  });

  it("whose hook isn't in force is watched instead, in the same attempt", () => {
    const { project, precious } = withPrecious((folder) =>
      stream([
        shell('ls', false),
        { action: 'tool', name: 'Bash', input: { command: `rm -r '${folder}'` } },
        { action: 'hang' },
      ]),
    );
    const result = project.json('run', '--max-iterations', '1');
    expect(survives(precious)).toBe(true);
    expect(result.exit_code).toBe(3);
    const { facts, decisions } = project.iteration(1);
    expect(facts.review).toMatchObject({
      mode: 'detect',
      why: "scripted didn't report that its hook is in force",
    });
    expect(decisions.verdict).toMatchObject({ kind: 'review_blocked', why: 'denied_action' });
  });

  it("whose hook isn't in force is said to be only watched, also when nothing comes after it", () => {
    const project = makeProject(stream([shell('ls', false), WRITE, claim('src/parser.ts:1 the parser')]));
    const { stdout, code } = project.ralph('run');
    expect(code).toBe(0);
    expect(stdout).toContain("! scripted can't be stopped before it acts");
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      " Actions of scripted were seen only once started: scripted didn't report that its hook is in force. ",
    );
  });

  it('says on screen how it is reviewed', () => {
    const project = makeProject(stream([WRITE, claim('src/parser.ts:1 the parser')]));
    expect(project.ralph('run').stdout).toContain(
      'review: actions of scripted are reviewed before they run (plug-in)',
    );
  });
});

/** Returns an agent of your own that prints a stream and has no hook. */
function watched(script: string, config = ''): ProjectFiles {
  return {
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\nmax_attempts_per_task = 1\n${config}\n[runners.mine]\nargv = ["sh", "./agent.sh"]\noutput = "claude-stream"\n`,
    'agent.sh': script,
  };
}

const call = (command: string) =>
  `printf '%s\\n' '${JSON.stringify({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command } }] },
  })}'\n`;

describe('an agent without a hook', () => {
  it('is ended when it begins what is denied, and that is not called prevention', () => {
    const project = makeProject(watched(`${call('rm -rf /precious')}exec tail -f /dev/null\n`));
    const run = project.ralph('run');
    expect(run.code).toBe(4);
    expect(run.stdout).toContain("mine can't be stopped before it acts");
    const { facts, decisions } = project.iteration(1);
    expect(facts.end).toMatchObject({ kind: 'halted', why: 'denied_action' });
    expect(facts.review).toMatchObject({ mode: 'detect', denied: 1 });
    expect(run.stdout).toContain('1 action denied in #1, once started: ralph interventions');
    expect(decisions.blocked?.reason).toBe('review_blocked');
  });

  it('is not started where a gate is required', () => {
    const project = makeProject(watched('touch started\n', '[review]\nrequire_gate = true\n'));
    const result = project.json('run');
    expect(result.exit_code).toBe(2);
    expect(JSON.stringify(result)).toContain('require_gate');
    expect(project.exists('started')).toBe(false);
  });

  it('and with plain text is not reviewed, and that is said', () => {
    const project = makeProject({
      '.ralph/ralph.toml': '[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "-c", "true"]\n',
    });
    const run = project.ralph('run', '--max-iterations', '1');
    expect(run.stdout).toContain("Actions of mine aren't reviewed");
    expect(project.iteration(1).facts.review).toMatchObject({ mode: 'off' });
  });
});

describe('without a box, where the kernel keeps nothing from an agent', () => {
  withoutBox();

  it('[review] enabled = false leaves all of it out', () => {
    const { project, precious } = withPrecious((folder) => ({
      ...stream([shell(`rm -r '${folder}'`), WRITE, claim('src/parser.ts:1 the parser')]),
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n[review]\nenabled = false\n',
    }));
    expect(project.json('run').exit_code).toBe(0);
    expect(survives(precious)).toBe(false);
    expect(project.iteration(1).facts.review).toMatchObject({ mode: 'off', why: '[review] enabled = false' });
  });
});

function folderOf(project: Project, iteration: number): string {
  const { facts } = project.iteration(iteration);
  return `.ralph/runs/${facts.run}/iterations/${String(iteration).padStart(4, '0')}`;
}
