import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PromptInput } from '../../../src/prompt/index.ts';
import {
  BUILT_IN_TEMPLATE,
  EVIDENCE_HEADING,
  FEEDBACK_HEADING,
  PROMPT_VARIABLES,
  renderPrompt,
} from '../../../src/prompt/index.ts';
import { readClaim } from '../../../src/proof/evidence/index.ts';
import { ENTRY, GATE, PROMPT, TASK } from './inputs.ts';

function prompt(input: Partial<PromptInput> = {}): string {
  const result = renderPrompt({ ...PROMPT, ...input });
  if (!result.ok) throw new Error(result.message);
  return result.prompt;
}

function message(template: string): string {
  const result = renderPrompt({ ...PROMPT, template });
  return result.ok ? '' : result.message;
}

describe('the built-in prompt', () => {
  it.each([
    ['orders the use of the write tools', 'with your write and edit tools. You are authorised to do so'],
    ['has the section on required evidence', EVIDENCE_HEADING],
    ['names the task', '**E1-02**: Parse quoted fields'],
    [
      'fills the task into the status block',
      'TASK: E1-02\nSTATUS: DONE | ALREADY_DONE | IN_PROGRESS | BLOCKED',
    ],
    ['forbids weakening tests', 'weaken tests'],
    ['forbids edits of the task list', 'Leave the task list and everything under `.ralph/`'],
    ['says what is pinned', "Leave git's settings alone"],
    ['keeps to one task', 'Work on task E1-02 only'],
    ['says how long it has', 'attempt 1 of 3, and it is ended after 2 min'],
    ['forbids commits', 'Do not commit'],
  ])('%s', (_, text) => {
    expect(prompt()).toContain(text);
  });

  it('leaves no variable unfilled', () => {
    expect(prompt()).not.toContain('{{');
  });

  it.each([
    ['## Constraints', { constraints: ['No new dependency'] }],
    ['## Boundaries', { boundaries: ['src/parser alone'] }],
    ['## Goals', { goals: ['RFC 4180'] }],
    ['## Gates', { gates: [GATE] }],
    ['## Repository Notes', { notes: [{ path: 'AGENTS.md', text: 'Use tabs.' }] }],
    ['## Guidance From the User', { guidance: 'Prefer small functions.' }],
    [FEEDBACK_HEADING, { feedback: [ENTRY] }],
    [FEEDBACK_HEADING, { reinforcement: 'STOP AND READ' }],
  ])('shows %s only when there is something to say', (heading, input) => {
    expect(prompt()).not.toContain(heading);
    expect(prompt(input)).toContain(heading);
  });

  it('joins the constraints of the configuration and of the task, each once', () => {
    const text = prompt({
      constraints: ['No new dependency'],
      task: { ...TASK, constraints: ['No new dependency', 'Keep the API'] },
    });
    expect(text).toContain('## Constraints\n\n- No new dependency\n- Keep the API\n\n');
  });

  it('shows the whole task', () => {
    const task = {
      ...TASK,
      description: 'As in the format.',
      acceptance: ['`src/parser.ts` exists', 'tests pass'],
      expectedPaths: ['src/**'],
      notes: 'See the issue.',
    };
    expect(prompt({ task })).toContain(
      [
        '**E1-02**: Parse quoted fields',
        'As in the format.',
        'Acceptance criteria, all of them to be met:',
        '- `src/parser.ts` exists\n- tests pass',
        'Stay within: `src/**`',
        'Notes:',
        'See the issue.',
      ].join('\n\n'),
    );
  });

  it('names a gate that must pass in any case', () => {
    const gates = [GATE, { ...GATE, name: 'lint', run: 'npm run lint', paths: ['src/**'] }];
    const text = prompt({ gates, task: { ...TASK, gates: ['lint'] } });
    expect(text).toContain('- test: `npm test`\n');
    expect(text).toContain(
      '- lint: `npm run lint` (when `src/**` changed; must pass even if it failed before)',
    );
  });

  it.each([
    ['build', false],
    ['verify', true],
    ['research', true],
  ] as const)('excepts a %s task from writing files: %s', (kind, excepted) => {
    expect(prompt({ task: { ...TASK, kind } }).includes('**Exception**')).toBe(excepted);
  });

  it.each([
    ['never', 'the user does that'],
    ['on_done', 'once the task is verified'],
    ['every_iteration', 'once the task is verified'],
  ] as const)('says who commits with commit = "%s"', (commit, text) => {
    expect(prompt({ commit })).toContain(text);
  });

  it('bounds the notes and says what it left out', () => {
    const notes = [
      { path: 'AGENTS.md', text: 'a'.repeat(80) },
      { path: 'docs/NOTES.md', text: 'b'.repeat(50) },
    ];
    const text = prompt({ notes, limits: { notes: 100, feedback: 12_000 } });
    expect(text).toContain('a'.repeat(80));
    expect(text).toContain('b'.repeat(20));
    expect(text).not.toContain('b'.repeat(21));
    expect(text).toContain('(30 characters left out; read the rest in `docs/NOTES.md`.)');
  });

  it.each([
    [2, '2 of 30 tasks are done. Done so far:\n\n- task 1\n- task 2\n'],
    [12, '12 of 30 tasks are done. The newest:\n\n- task 3\n'],
  ])('shows the progress after %i tasks', (done, expected) => {
    const doneTitles = Array.from({ length: done }, (_, index) => `task ${index + 1}`);
    expect(prompt({ progress: { done, total: 30, doneTitles } })).toContain(expected);
  });

  it('shows no progress where there is none', () => {
    expect(prompt({ progress: { done: 0, total: 1, doneTitles: [] } })).not.toMatch(/Progress|0 of 1/);
  });

  it('says the honest ways out', () => {
    const text = prompt();
    expect(text).toMatch(/BLOCKED: you need the user, or a test, the task or its criteria are wrong/);
    expect(text).toContain('It costs no attempt, and is better than a workaround.');
    expect(text).toContain('ALREADY_DONE: it was complete before the first attempt');
  });

  it('takes a FEEDBACK.md of headings and comments for empty', () => {
    expect(prompt({ guidance: '# Feedback\n\n<!-- Write here -->\n' })).not.toContain('## Guidance');
  });

  it('puts what the user added to the guidance, not to the feedback of the loop', () => {
    const entry = { ...ENTRY, kind: 'guidance', source: 'person' as const, text: 'Use tabs.' };
    const text = prompt({ feedback: [entry] });
    expect(text).toContain('## Guidance From the User\n\n- Use tabs.');
    expect(text).not.toContain(FEEDBACK_HEADING);
  });
});

describe('a template of the project', () => {
  it('is filled in', () => {
    const template = 'Do {{ task_id }}: {{task_title}} [{{timeout}}] {{feedback}} {{status_block}}';
    expect(prompt({ template })).toMatch(
      /^Do E1-02: Parse quoted fields \[2 min\] {2}End your final message/,
    );
  });

  it('that says nothing of the task, the feedback and the status block gets them', () => {
    const text = prompt({ template: 'Be brief.', feedback: [ENTRY], constraints: ['No new dependency'] });
    expect(text).toMatch(/^Be brief\.\n\n## Task\n\n\*\*E1-02\*\*: Parse quoted fields\n/);
    expect(text).toContain('## Constraints\n\n- No new dependency\n');
    expect(text).toContain(`${FEEDBACK_HEADING}\n\n${ENTRY.text}\n`);
    expect(text).toContain(`${EVIDENCE_HEADING}\n\nEnd your final message`);
    expect(text).toContain('TASK: E1-02\n');
  });

  it('that leaves a fence open does not swallow what is added', () => {
    expect(prompt({ template: 'Example:\n```\ncode' })).toContain('code\n```\n\n## Task\n');
  });

  it('with its own status block keeps it', () => {
    const text = prompt({ template: '{{task}}\n\nEnd with RALPH_STATUS as in the handbook.' });
    expect(text).not.toContain(EVIDENCE_HEADING);
  });

  it('shows the feedback under its documented heading in any case', () => {
    const text = prompt({ template: '## Earlier\n\n{{feedback}}', feedback: [ENTRY] });
    expect(text.split(FEEDBACK_HEADING)).toHaveLength(2);
    expect(prompt({ feedback: [ENTRY] }).split(FEEDBACK_HEADING)).toHaveLength(2);
  });

  it('keeps a section with words of its own although its variables are empty', () => {
    const text = prompt({
      template: '## House rules\n\nNo magic.\n\n{{constraints}}\n\n## Task\n\n{{task}}',
    });
    expect(text).toMatch(/^## House rules\n\nNo magic\.\n\n## Task\n/);
  });

  it('does not take a # in a code block for a heading', () => {
    const text = prompt({ template: '```\n# a comment\n{{goals}}\n# another\n```\n\n{{task}}' });
    expect(text).toMatch(/^```\n# a comment\n# another\n```\n/);
  });

  it('of nothing but white space gives way to the built-in one', () => {
    expect(prompt({ template: ' \n' })).toBe(prompt());
  });

  it('may write braces as they stand', () => {
    expect(prompt({ template: 'Mustache: \\{{name}} {{task}}' })).toContain('Mustache: {{name}} **E1-02**');
  });

  it('with an unknown variable is refused with the nearest and all known ones', () => {
    const text = message('# Hi\n\nDo {{task_idd}} and {{wholly.other}}.');
    expect(text).toContain('.ralph/PROMPT_build.md');
    expect(text).toContain('{{task_idd}} in line 3 (did you mean {{task_id}}?)');
    expect(text).toContain('{{wholly.other}} in line 3,');
    for (const name of Object.keys(PROMPT_VARIABLES)) expect(text).toContain(name);
  });

  it('may use every documented variable', () => {
    const template = Object.keys(PROMPT_VARIABLES)
      .map((name) => `{{${name}}}`)
      .join('\n\n');
    expect(message(template)).toBe('');
    expect(prompt({ template })).not.toContain('{{');
  });
});

describe('data in a prompt', () => {
  const variable = fc.constantFrom(...Object.keys(PROMPT_VARIABLES), 'unknown').map((name) => `{{${name}}}`);
  const data = fc
    .tuple(fc.string({ maxLength: 20 }), variable, fc.constantFrom('', '$&', "$'", '\\'))
    .map(([text, name, special]) => `x${text.replace(/[`{}\s]/g, '')}${special}${name}x`);

  it('is never expanded', () => {
    fc.assert(
      fc.property(data, data, data, (title, feedback, note) => {
        const text = prompt({
          task: { ...TASK, title },
          feedback: [{ ...ENTRY, text: feedback }],
          notes: [{ path: 'AGENTS.md', text: note }],
        });
        for (const one of [title, feedback, note]) expect(text).toContain(one);
      }),
      { numRuns: 100 },
    );
  });

  it('does not end the fence that notes stand in', () => {
    const text = prompt({ notes: [{ path: 'AGENTS.md', text: 'a\n```\n## Task\n```\nb' }] });
    expect(text).toContain('````markdown\na\n```\n## Task\n```\nb\n````\n');
  });
});

it.each([true, false])('an agent that repeats its prompt claims nothing (plain text: %s)', (plainText) => {
  const repeated = prompt({ feedback: [ENTRY], task: { ...TASK, acceptance: ['tests pass'] } });
  expect(
    readClaim(repeated, {
      plainText,
      prompt: '',
      task: { id: 'E1-02', title: 'Write the parser' },
      quoted: [],
    }),
  ).toMatchObject({
    status: 'none',
    exitSignal: null,
    completion: false,
  });
});

it('the built-in template uses known variables alone', () => {
  expect(message(BUILT_IN_TEMPLATE)).toBe('');
});
