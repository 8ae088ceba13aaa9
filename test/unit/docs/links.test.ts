import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { textsOf } from '../../helpers/docs/printed-commands.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENTS = textsOf(
  ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'GLOSSARY.md', 'CHANGELOG.md', 'docs'],
  /\.md$/,
);

/** Returns a document without its code, in which a bracket isn't a link. */
const prose = (text: string) => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors of a document, as they are made of its headings. */
function anchorsOf(text: string): string[] {
  const code = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  return [...code.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

it.each(DOCUMENTS)('%s: every link leads somewhere', (path, text) => {
  const targets = [...prose(text.replace(/\[`([^`]*)`\]/g, '[$1]')).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, to = '']) => to,
  );
  const dead = targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const full = file === '' ? join(root, path) : join(root, dirname(path), file);
    if (!existsSync(full)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(full, 'utf8')).includes(anchor);
  });
  expect(dead).toEqual([]);
});

it('docs/README.md names every document', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const missing = DOCUMENTS.map(([path]) => path)
    .filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/README.md')
    .filter((path) => !index.includes(`](${path.slice('docs/'.length)})`));
  expect(missing).toEqual([]);
});
