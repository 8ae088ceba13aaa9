import { LANGUAGES } from '../languages/index.ts';
import { HASH, one } from '../languages/syntax.ts';
import type { LanguageName, Syntax } from '../protocol.ts';

export type CodeLanguage = Syntax & { readonly name: LanguageName };

const DATA: CodeLanguage = { name: 'data', ...HASH, strings: [one('"'), one("'")] };

const BY_ENDING: ReadonlyMap<string, CodeLanguage> = new Map(
  LANGUAGES.flatMap(({ code = {} }) => Object.entries(code)).flatMap(([name, { endings, ...code }]) =>
    endings.split(' ').map((ending) => [ending, { name: name as LanguageName, ...code }] as const),
  ),
);

/** Returns a file's language; `data` for configuration and other files without code. */
export function languageOf(path: string): CodeLanguage {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const isRuby = /(?:^|\/)(?:Rakefile|Gemfile)$/.test(path);
  return BY_ENDING.get(isRuby ? 'rb' : ending) ?? DATA;
}
