import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ADAPTERS } from 'ralph-agents';
import { expect, it } from 'vitest';

const text = readFileSync(fileURLToPath(new URL('../../../docs/AGENTS.md', import.meta.url)), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| '));
const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

it('the table of docs/AGENTS.md says what the adapters say', () => {
  const heads = rows.map(cells).find((row) => row.includes('claude') && row.includes('pi')) ?? [];
  const names = heads.slice(1);
  expect(names.toSorted()).toEqual(Object.keys(ADAPTERS).toSorted());
  const agents = names.map((name) => ADAPTERS[name as keyof typeof ADAPTERS]);
  const rowOf = (title: string) =>
    rows
      .map(cells)
      .find(([first]) => first === title)
      ?.slice(1);
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  expect(rowOf('asks before it acts')).toEqual(agents.map(({ hook }) => hook.transport));
  expect(rowOf('messages while it works')).toEqual(
    agents.map(({ hook }) => yes(hook.transport === 'control channel')),
  );
  expect(rowOf('hears warnings')).toEqual(agents.map(({ hook }) => yes(hook.can.warn)));
  expect(rowOf('takes changed calls')).toEqual(agents.map(({ hook }) => yes(hook.can.modify)));
  expect(rowOf('tokens')).toEqual(agents.map(({ usage }) => usage.tokens));
  expect(rowOf('cost')).toEqual(agents.map(({ usage }) => usage.cost ?? 'no'));
  expect(rowOf('continues a session')).toEqual(agents.map(({ resumes }) => yes(resumes)));
});

it.each(Object.values(ADAPTERS))(
  'docs/agents/$name.md says how it signs in and what its folders are',
  (adapter) => {
    const page = readFileSync(new URL(`../../../docs/agents/${adapter.name}.md`, import.meta.url), 'utf8');
    expect(page).toContain(`agent = "${adapter.name}"`);
    expect(page).toMatch(/npm install -g \S+/);
    const named = adapter.login.variables.filter((name) => page.includes(name));
    expect(named.length).toBeGreaterThan(0);
    expect(text).toContain(`agents/${adapter.name}.md`);
  },
);
