import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { overlaySettings, SettingsError } from '../../../src/io/hook/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const OVERLAY = {
  variable: 'TOOL_HOME',
  folder: '.tool',
  file: 'settings.json',
  add: { hooks: { Before: [{ command: 'ask' }] } },
  kept: ['tmp'],
  siblings: ['.env'],
};

let folder = '';
let gate = '';
let home = '';
beforeEach(() => {
  folder = temporaryFolder();
  [gate, home] = [join(folder, 'gate'), join(folder, 'home')];
  mkdirSync(gate);
  mkdirSync(home);
});

function write(name: string, content: string): void {
  const path = join(home, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
}

const overlay = (env = { HOME: home }) => overlaySettings(gate, OVERLAY, env);
const settings = () => JSON.parse(readFileSync(join(gate, '.tool/settings.json'), 'utf8'));

it('adds to the settings of the user, and changes none of their files', () => {
  const userSettings =
    '{\n  // mine\n  "theme": "dark", "hooks": {"Before": [{"command": "mine"}], "After": [1]},\n}\n';
  write('.tool/settings.json', userSettings);
  overlay();
  expect(settings()).toEqual({
    theme: 'dark',
    hooks: { Before: [{ command: 'mine' }, { command: 'ask' }], After: [1] },
  });
  expect(readFileSync(join(home, '.tool/settings.json'), 'utf8')).toBe(userSettings);
});

it('shows all else as it is, and what is written there reaches the user', () => {
  write('.tool/oauth.json', '{"token":1}');
  write('.tool/commands/mine.toml', 'a = 1\n');
  write('.env', 'KEY=1\n');
  write('.other', 'not for this agent\n');
  overlay();
  expect(readFileSync(join(gate, '.tool/commands/mine.toml'), 'utf8')).toBe('a = 1\n');
  expect(readFileSync(join(gate, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(existsSync(join(gate, '.other'))).toBe(false);
  writeFileSync(join(gate, '.tool/oauth.json'), '{"token":2}');
  expect(readFileSync(join(home, '.tool/oauth.json'), 'utf8')).toBe('{"token":2}');
  writeFileSync(join(gate, '.tool/tmp/session.json'), '{}');
  expect(existsSync(join(home, '.tool/tmp/session.json'))).toBe(true);
});

it('leaves what links point to alone when it is removed', () => {
  write('.tool/tmp/session.json', '{}');
  overlay();
  expect(lstatSync(join(gate, '.tool/tmp')).isSymbolicLink()).toBe(true);
  rmSync(gate, { recursive: true, force: true });
  expect(existsSync(join(home, '.tool/tmp/session.json'))).toBe(true);
});

it.each([
  ['where the user has no settings', () => undefined],
  ['where the file is empty', () => write('.tool/settings.json', ' \n')],
])('works %s', (_, prepare) => {
  prepare();
  overlay();
  expect(settings()).toEqual(OVERLAY.add);
});

it('takes the home folder that the user named', () => {
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(join(elsewhere, '.tool'), { recursive: true });
  writeFileSync(join(elsewhere, '.tool/settings.json'), '{"here":true}');
  overlay({ HOME: home, TOOL_HOME: elsewhere } as { HOME: string });
  expect(settings()).toMatchObject({ here: true });
});

it.each(['{', '[]', '"text"', '\u0000'])('refuses settings that it cannot add to: %j', (text) => {
  write('.tool/settings.json', text);
  expect(() => overlay()).toThrow(SettingsError);
});
