import { parseJson } from 'ralph-kit/parse-json';
import * as z from 'zod/mini';

const names = z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300))).check(z.maxLength(200));
const Block = z.object({
  files: z.catch(names, []),
  new_abstractions: z.catch(names, []),
  new_packages: z.catch(names, []),
});

type PlanParts = {
  readonly files: readonly string[];
  readonly abstractions: readonly string[];
  readonly packages: readonly string[];
};

const NEW_THING =
  /\b(?:add|adding|introduc(?:e|ing)|creat(?:e|ing)|defin(?:e|ing)|a|an) (?:a |an |the )?(?:new |generic |abstract |base )+(?:abstract |base )?(?:class|interface|abstraction|layer|service|factory|module|framework|registry|manager|provider|adapter|hierarchy|protocol|trait)\b(?:\s+(?:called |named )?[`'"]?(?<name>[A-Za-z_][\w.]*))?/gi;
const NEW_PACKAGE =
  /(?:\b(?:npm (?:install|i|add)|yarn add|pnpm add|pip install|cargo add|go get|gem install|composer require|poetry add|uv add)\s+(?:-\S+\s+)*(?<tool>[@\w][\w./@-]*))|(?:\bnew (?:package|dependency|library):?\s+[`'"]?(?<named>[@\w][\w./@-]*))/gi;
const FILE_NAME = /`([\w@.-]+(?:\/[\w@.-]+)*\.\w{1,8}|[\w@.-]+(?:\/[\w@.-]+)+)`/g;

/** Returns the parts of a plan. File names are read from the JSON block at its end, otherwise from its text. */
export function planOf(text: string): PlanParts {
  const block = blockIn(text);
  const prose = block === null ? text : text.slice(0, block.at);
  const abstractions = [...prose.matchAll(NEW_THING)].map(({ groups, 0: whole }) => groups?.name ?? whole);
  const packages = [...prose.matchAll(NEW_PACKAGE)].flatMap(
    ({ groups }) => groups?.tool ?? groups?.named ?? [],
  );
  const files =
    block === null ? [...prose.matchAll(FILE_NAME)].map(([, path = '']) => path) : block.parts.files;
  return {
    files: unique(files.map((path) => path.replace(/^\.\//, ''))),
    abstractions: unique([...(block?.parts.new_abstractions ?? []), ...abstractions]),
    packages: unique([...(block?.parts.new_packages ?? []), ...packages]),
  };
}

function blockIn(text: string): { readonly at: number; readonly parts: z.infer<typeof Block> } | null {
  const fence = text.lastIndexOf('```json');
  if (fence < 0) return null;
  const end = text.indexOf('```', fence + '```json'.length);
  if (end < 0) return null;
  const parts = parseJson(text.slice(fence + '```json'.length, end), Block);
  return parts && { at: fence, parts };
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
