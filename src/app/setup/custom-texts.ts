import { resolve } from 'node:path';
import { readFileBytes, whyUnreadable } from 'ralph-kit/files/plain-file';
import * as z from 'zod/mini';

const Texts = z.record(z.string(), z.string());

type Read =
  | { readonly ok: true; readonly texts: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

/**
 * Reads `[interventions] custom_prompts_path`, a YAML or JSON file with a text for each issue.
 * @param path '': there is no such file.
 */
export async function readCustomTexts(root: string, path: string): Promise<Read> {
  if (path === '') return { ok: true, texts: {} };
  // yaml is a CommonJS package, so the bundle has its functions only in the default export.
  const { parse } = (await import('yaml')).default;
  const refused = (why: string): Read => ({
    ok: false,
    message: `[interventions] custom_prompts_path = "${path}" ${why}. It must hold a text for each issue, such as "no_files: Write the file first.".`,
  });
  let content: unknown;
  try {
    content = parse(readFileBytes(resolve(root, path)).toString('utf8'));
  } catch (error) {
    return refused(`cannot be read: ${whyUnreadable(error).split('\n')[0]}`);
  }
  const read = Texts.safeParse(content ?? {});
  return read.success ? { ok: true, texts: read.data } : refused('has another shape');
}
