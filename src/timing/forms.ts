import type { Hit } from './dictionary.ts';
import { CODE_FORMS, FORMS, type Form } from './form-table.ts';
import type { Level } from './levels.ts';
import { WEIGHTS } from './vocabulary.ts';

type KnownForm = Pick<Form, 'needs' | 'pattern'> & { readonly entries: readonly Hit['entry'][] };

const KNOWN: readonly KnownForm[] = FORMS.map(({ speaksFor, needs, pattern }) => ({
  needs,
  pattern,
  entries: speaksFor.map(({ level, strength }) => ({
    words: [],
    level,
    weight: WEIGHTS[strength],
    decides: false,
    leading: false,
    personal: false,
  })),
}));

/** The forms in a text that speak for a level. Nothing is said of a level whose keywords a person gave. */
export function findForms(text: string, levels: readonly Level[]): Hit[] {
  const lower = text.toLowerCase();
  const hits: Hit[] = [];
  for (const form of KNOWN) {
    const found = formIn(lower, form);
    if (found === null) continue;
    for (const entry of form.entries) {
      const spoken = levels.some(({ name, personal }) => name === entry.level && !personal);
      if (spoken) hits.push({ entry, text: found });
    }
  }
  return hits;
}

/** Whether a text names a file or something in the code. */
export function namesCode(text: string): boolean {
  const lower = text.toLowerCase();
  return CODE_FORMS.some((form) => formIn(lower, form) !== null);
}

function formIn(lower: string, { needs, pattern }: Pick<Form, 'needs' | 'pattern'>): string | null {
  const possible = needs instanceof RegExp ? needs.test(lower) : needs.some((part) => lower.includes(part));
  if (!possible) return null;
  return pattern.exec(lower)?.[0] ?? null;
}
