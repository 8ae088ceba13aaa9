import { focuses, groups, type Idiom, skips } from '../idiom.ts';

export const ELIXIR_SKIPS: readonly Idiom[] = [
  ...skips(
    /@(?:module|describe)?tag\s+:?(?:skip|pending|ignore)\b/g,
    /@(?:module|describe)?tag\s+\[?\s*skip:/g,
    /@(?:module|describe)?tag\s+(?:exclude|disabled)/g,
  ),
  ...focuses(/@(?:module|describe)?tag\s+:?focus\b/g),
  ...groups(/@(?:module|describe)?tag\s+:?(?!skip|pending|ignore|exclude|disabled)NAME/),
];
