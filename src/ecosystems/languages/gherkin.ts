import { groups } from '../idiom.ts';
import type { Language } from './language.ts';

/** Scenarios in words, whatever language their steps are in. */
export const language: Language = {
  files: {
    data: /\.feature$/,
    tests: /\.feature$/,
  },
  lists: [{ files: /\.feature$/, idioms: groups(/^[ \t]*@(?:[^\n]*[ \t]@)?NAME/) }],
};
