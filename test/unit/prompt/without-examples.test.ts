import { expect, it } from 'vitest';
import type { InputsDocument } from '../../../src/domain/records/run-record.ts';
import { renderPrompt, withoutExamples } from '../../../src/prompt/index.ts';
import { PROMPT } from './inputs.ts';

const INPUTS = {
  notes: [{ path: 'AGENTS.md', text: 'Use tabs.\n\n```sh\nnpm run example\n```\n\nNo new packages.' }],
  reinforcement: { strength: 'medium', examples: true },
} as unknown as InputsDocument;

it('leaves out examples and blocks of code, and keeps the rules', () => {
  const { notes, reinforcement } = withoutExamples(INPUTS);
  expect(notes).toEqual([{ path: 'AGENTS.md', text: 'Use tabs.\n\n\nNo new packages.' }]);
  expect(reinforcement).toEqual({ strength: 'medium', examples: false });
});

it('a prompt names its lessons, and has no section without any', () => {
  const prompt = (lessons: string[]) => {
    const made = renderPrompt({ ...PROMPT, lessons });
    return made.ok ? made.prompt : '';
  };
  expect(prompt(['The tests were not run.'])).toContain('## Lessons\n\nFound in several attempts');
  expect(prompt(['The tests were not run.'])).toContain('- The tests were not run.');
  expect(prompt([])).not.toContain('## Lessons');
});
