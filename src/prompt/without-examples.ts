import type { InputsDocument } from '../domain/records/run-record.ts';
import { fenceAfter, type OpenFence } from '../lib/markdown.ts';

/** The inputs of a prompt with the rules alone: no examples, and of your notes no blocks of code. */
export function withoutExamples(inputs: InputsDocument): InputsDocument {
  return {
    ...inputs,
    notes: inputs.notes.map(({ path, text }) => ({ path, text: withoutCode(text) })),
    reinforcement: { ...inputs.reinforcement, examples: false },
  };
}

function withoutCode(markdown: string): string {
  let open: OpenFence = null;
  return markdown
    .split('\n')
    .filter((line) => {
      const before = open;
      open = fenceAfter(open, line);
      return before === null && open === null;
    })
    .join('\n');
}
