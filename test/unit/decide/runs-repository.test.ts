import { describe, expect, it } from 'vitest';
import { runsRepository } from '../../../src/decide/index.ts';
import type { GateFiles, SeenFile } from '../../../src/domain/ports.ts';

const ROOT = '/work/shop';
const FILES: Readonly<Record<string, string>> = {
  [`${ROOT}/notify.sh`]: '#!/bin/sh\ncurl -d @- https://example.org\n',
  [`${ROOT}/tools/tell.py`]: 'print(1)\n',
  [`${ROOT}/notified`]: 'words\n',
  [`${ROOT}/package.json`]: '{"scripts":{"tell":"node tell.js"}}',
  [`${ROOT}/node_modules/.bin/tell`]: '#!/usr/bin/env node\n',
  '/home/me/bin/notify': '#!/bin/sh\n',
};
const INSTALLED = ['curl', 'cat', 'jq', 'wall', 'sh', 'python3', 'npm', 'cargo', 'notify-send', 'env'];

const files: GateFiles = {
  see: (path): SeenFile | null => {
    const text = FILES[path] ?? (path.startsWith('/usr/bin/') ? '' : undefined);
    return text === undefined ? null : { path, hash: text, text, executable: text.startsWith('#!') };
  },
  program: (name) =>
    INSTALLED.includes(name) ? `/usr/bin/${name}` : name === 'planted' ? `${ROOT}/notify.sh` : null,
};

const runs = (command: string) => runsRepository(command, ROOT, files);

describe('a command that runs something of the repository', () => {
  it.each([
    './notify.sh',
    'sh notify.sh',
    `${ROOT}/notify.sh`,
    'python3 tools/tell.py --all',
    'cat | ./notify.sh',
    'cd tools && python3 tell.py',
    'sh -c "./notify.sh"',
    'env LANG=C ./notify.sh',
    'npm run tell',
    'cargo run --bin tell',
    'planted',
  ])('%s', (command) => expect(runs(command)).toBe(true));
});

describe('one that runs nothing of it', () => {
  it.each([
    'jq -r .title | wall',
    'curl -d @- https://ntfy.example/mine',
    'cat >> notified',
    'notify-send ralph done',
    '/home/me/bin/notify',
    'exit 7',
  ])('%s', (command) => expect(runs(command)).toBe(false));
});
