import { describe, expect, it } from 'vitest';
import { FINDING_TYPES } from '../../../src/domain/findings/index.ts';
import type { PromptInput } from '../../../src/prompt/index.ts';
import { EVIDENCE_HEADING, FEEDBACK_HEADING, renderPrompt } from '../../../src/prompt/index.ts';
import { readClaim } from '../../../src/proof/evidence/index.ts';
import { ENTRY, endsInsideFence, PROMPT, TASK } from './inputs.ts';

type Reinforce = NonNullable<PromptInput['reinforce']>;

const RICH = {
  ...TASK,
  description: 'As in RFC 4180.',
  acceptance: ['quotes are kept', 'errors carry the line'],
  ticked: [0],
  expectedPaths: ['src/parser/**'],
  constraints: ['No new dependency', 'Stay in the parser module'],
  boundaries: ['The API is public'],
  goals: ['Small functions'],
};

function prompt(reinforce: Partial<Reinforce>, input: Partial<PromptInput> = {}): string {
  const result = renderPrompt({
    ...PROMPT,
    task: RICH,
    reinforce: { issues: ['scope_creep'], strength: 'medium', examples: true, ...reinforce },
    ...input,
  });
  if (!result.ok) throw new Error(result.message);
  return result.prompt;
}

/** A section of a prompt, from its heading to the next of that level. */
function section(text: string, heading: string): string {
  return text.split(`${heading}\n\n`)[1]?.split('\n\n## ')[0]?.trim() ?? '';
}

const CREEP = '**IMPORTANT: Only work with files in the expected paths**';
const SCOPE = '**Change nothing outside of `src/parser/**`.**';

describe('strength', () => {
  it('light: the request and the emphasised constraints', () => {
    const text = prompt({ strength: 'light', examples: false });
    expect(section(text, '## Constraints')).toBe(
      [
        '- No new dependency',
        '- **Stay in the parser module**',
        `- ${CREEP}`,
        '- **Do not touch system files, or configuration outside of the project**',
      ].join('\n'),
    );
    expect(section(text, '## Boundaries')).toBe('- The API is public');
    expect(section(text, '## Goals')).toBe('- Small functions');
    const block = section(text, FEEDBACK_HEADING);
    expect(block).toMatch(/^\*\*REINFORCED CONTEXT\*\*/);
    expect(block).toContain('**Original request**:\n\nParse quoted fields\n\nAs in RFC 4180.');
    expect(block).not.toContain(CREEP);
    expect(block).not.toMatch(/\*\*(?:Goals|Boundaries|Example)/);
    expect(text).not.toContain('Binding');
  });

  it('medium: boundaries and goals as well, what is not ticked first', () => {
    const text = prompt({ strength: 'medium' });
    expect(section(text, '## Boundaries')).toBe(`- The API is public\n- ${SCOPE}`);
    expect(section(text, '## Goals')).toBe('- Small functions');
    const block = section(text, FEEDBACK_HEADING);
    expect(block).toContain(
      '**Goals, in this order**:\n\n1. errors carry the line\n2. Small functions\n3. quotes',
    );
    expect(text).not.toContain('Binding');
  });

  it('strong: all of it once more, right before the section of the status block, and binding', () => {
    const text = prompt({ strength: 'strong' });
    const parts = text.split(/\n\n(?=## )/).map((part) => part.split('\n')[0]);
    expect(parts.slice(-3)).toEqual([FEEDBACK_HEADING, '## Binding for This Attempt', EVIDENCE_HEADING]);
    const binding = section(text, '## Binding for This Attempt');
    expect(binding).toMatch(/^What follows was said above and is binding/);
    expect(binding).toContain('**Original request**:\n\nParse quoted fields');
    expect(binding).toContain('**Goals, in this order**:\n\n1. errors carry the line');
    expect(binding).toContain(`**Key constraints**:\n\n- No new dependency`);
    expect(binding).toContain(CREEP);
    expect(binding).toContain(`**Boundaries**:\n\n- The API is public\n- ${SCOPE}`);
  });
});

describe('each issue', () => {
  const added = (issue: string) =>
    section(prompt({ issues: [issue] }, { task: TASK }), '## Constraints').split('\n');

  it.each([...FINDING_TYPES, 'avoidance', 'issue of the user'])(
    '%s adds a constraint and an example',
    (issue) => {
      expect(added(issue)[0]).toMatch(/^- \*\*IMPORTANT: .+\*\*$/);
      expect(prompt({ issues: [issue] })).toMatch(/\*\*Example\*\*:\n\n- \S/);
      expect(prompt({ issues: [issue], examples: false })).not.toContain('**Example');
    },
  );

  it('that reinforcement answers says something of its own', () => {
    const reinforced = FINDING_TYPES.filter(
      (issue) => issue !== 'critical_security_violation' && issue !== 'unreviewed_action',
    );
    expect(new Set(reinforced.map((issue) => added(issue)[0])).size).toBe(reinforced.length);
  });

  it.each([
    ['false_completion', 'All tests must pass'],
    ['repetitive_errors', 'Retry no command'],
    ['scope_creep', 'Only touch the parser'],
    ['resource_spiral', 'Keep memory low'],
    ['gate_regression', 'The build stays green'],
    ['state_tampering', 'The config is frozen'],
    ['avoidance', 'Keep the coverage'],
  ])('%s puts the constraint that matters in bold: %s', (issue, constraint) => {
    const constraints = [constraint, 'Zebras are striped'];
    const text = section(prompt({ issues: [issue] }, { task: TASK, constraints }), '## Constraints');
    expect(text).toContain(`- **${constraint}**\n- Zebras are striped\n`);
  });

  it('of several, each once', () => {
    const text = prompt({ issues: ['scope_creep', 'goal_drift', 'scope_creep'] });
    expect(section(text, '## Constraints').split(CREEP)).toHaveLength(2);
    expect(section(text, '## Boundaries').split('Change nothing outside')).toHaveLength(2);
    expect(text).toContain('**Examples**:');
  });

  it('of scope without expected paths still draws a boundary', () => {
    const text = prompt({ issues: ['scope_creep'] }, { task: TASK });
    expect(section(text, '## Boundaries')).toContain('no file that the task does not name');
  });

  it('does not end the bold with marks of a constraint', () => {
    const text = prompt({}, { task: TASK, constraints: ['Only **two** files\nat most'] });
    expect(text).toContain('- **Only two files at most**');
  });
});

describe('nothing to reinforce', () => {
  const plain = renderPrompt({ ...PROMPT, task: RICH });

  it.each([
    ['light', { issues: [], strength: 'light', examples: true }],
    ['strong', { issues: [], strength: 'strong', examples: true }],
  ] as const)('%s without an issue leaves the prompt as it is', (_, reinforce) => {
    expect(renderPrompt({ ...PROMPT, task: RICH, reinforce })).toEqual(plain);
  });
});

describe('order', () => {
  it('is: threshold, context, limits, feedback', () => {
    const text = prompt(
      {},
      { reinforcement: '**STOP AND READ**', throttleNotice: '**LIMITS**: few.', feedback: [ENTRY] },
    );
    const parts = ['**STOP AND READ**', '**REINFORCED CONTEXT**', '**LIMITS**: few.', ENTRY.text];
    const places = parts.map((part) => section(text, FEEDBACK_HEADING).indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
  });

  it('shows the notice of limits alone', () => {
    const text = prompt({ issues: [] }, { throttleNotice: '**LIMITS**: few.' });
    expect(section(text, FEEDBACK_HEADING)).toBe('**LIMITS**: few.');
  });
});

describe('a template of the project', () => {
  const strong = { strength: 'strong' } as const;

  it.each([
    ['says nothing of it', 'Be brief.'],
    ['ends with the status block in a section', '# A\n\n{{task}}\n\n## Ending\n\nSo:\n\n{{status_block}}'],
    ['ends with it in its only section', '# A\n\n{{task}}\n\nEnd so: {{status_block}}'],
    ['has no heading', '{{task}}\n\nEnd so: {{status_block}}'],
    ['has a status block of its own', '{{task}}\n\n## End\n\n```\n# block\n\nRALPH_STATUS\n```\n'],
    ['begins with the status block', '{{status_block}}\n\n## Task\n\n{{task}}'],
  ])('that %s gets the context and the binding part before the ending', (_, template) => {
    const text = prompt(strong, { template });
    expect(text).toContain('**REINFORCED CONTEXT**');
    const binding = text.indexOf('## Binding for This Attempt');
    const ending = text.indexOf('RALPH_STATUS');
    expect(binding).toBeGreaterThanOrEqual(0);
    expect(binding).toBeLessThan(ending);
    expect(endsInsideFence(text.slice(0, binding))).toBe(false);
    expect(text.slice(binding, ending).split('\n## ').length).toBeLessThanOrEqual(3);
    expect(text.split('\nRALPH_STATUS\n')).toHaveLength(2);
  });

  it('of one section gets the binding part right before the paragraph of the status block', () => {
    const text = prompt(strong, { template: '# A\n\nOne.\n\n{{task}}\n\nTwo.\n\nEnd so: {{status_block}}' });
    expect(text).toMatch(/\nTwo\.\n\n## Binding for This Attempt\n/);
    expect(text).toContain('\n\nEnd so: End your final message');
  });

  it('keeps data from being expanded in the binding part too', () => {
    const text = prompt(strong, { constraints: ['Stay {{task_id}} in $& the module'] });
    expect(text.split('**Stay {{task_id}} in $& the module**')).toHaveLength(3);
  });
});

it.each([true, false])(
  'an agent that repeats a reinforced prompt claims nothing (plain text: %s)',
  (plainText) => {
    const issues = [...FINDING_TYPES, 'avoidance'];
    const repeated = prompt({ issues, strength: 'strong' }, { feedback: [ENTRY] });
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
  },
);
