import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PICTURES = `${ROOT}docs/pictures/`;
const DOCUMENTS = ['README.md', ...readdirSync(`${ROOT}docs`).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .map((path) => readFileSync(`${ROOT}${path}`, 'utf8'))
  .join('\n');

describe.each(readdirSync(PICTURES))('%s', (name) => {
  it('is in a document', () => expect(DOCUMENTS).toContain(`pictures/${name}`));

  it('is small: it is in the package', () =>
    expect(statSync(PICTURES + name).size).toBeLessThanOrEqual(150_000));

  it.runIf(name.endsWith('.svg'))('has no path of the machine it was drawn on', () => {
    const text = readFileSync(PICTURES + name, 'utf8');
    expect(text).toMatch(/^<svg [^>]*>\n<title>/);
    expect(text).not.toMatch(/\/(?:tmp|home|root|Users|work)\b/);
  });
});
