import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BUILT_IN_TEMPLATE, PROMPT_VARIABLES } from '../../../src/prompt/index.ts';
import { ROLE_TEMPLATES } from '../../../src/respond/roles/index.ts';

const root = new URL('../../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');

it('templates/PROMPT_build.md is the built-in template', () => {
  expect(textOf('templates/PROMPT_build.md')).toBe(BUILT_IN_TEMPLATE);
});

it.each(Object.entries(ROLE_TEMPLATES))(
  'templates/PROMPT_%s.md is the template of that role',
  (role, text) => {
    expect(textOf(`templates/PROMPT_${role}.md`)).toBe(text);
  },
);

it.each(Object.keys(PROMPT_VARIABLES))('docs/PROMPT_ANATOMY.md explains {{%s}}', (name) => {
  expect(textOf('docs/PROMPT_ANATOMY.md')).toContain(`| \`{{${name}}}\` |`);
});
