/** @module-tag installs */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, vi } from 'vitest';
import { temporaryFolder } from '../../helpers/repository.ts';
import { testWarmCopies } from '../../helpers/warm-copies.ts';
import type { WarmProject } from '../../helpers/warm-projects.ts';

const VERSION = '29.7.0';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const folder = temporaryFolder();
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, `jest@${VERSION}`], {
  cwd: folder,
});

const JEST = 'node_modules/.bin/jest';
const test = (
  helper = '',
) => `${helper === '' ? '' : "const { helper } = require('./helper');\n"}const { one } = require('./one');
it('is one', () => expect(one()${helper}).toBe(1));
`;
const project: WarmProject = {
  needs: 'npm --version',
  files: {
    '.gitignore': 'node_modules/\n.jest/\n',
    'package.json': '{ "name": "x", "private": true }\n',
    'jest.config.js': "module.exports = { cacheDirectory: '.jest' };\n",
    'one.js': 'exports.one = () => 1;\n',
    'one.test.js': test(),
  },
  install: `cp -a ${join(folder, 'node_modules')} node_modules`,
  ...{ build: JEST, gate: JEST, unit: /(?!)/g, keep: ['.jest'], source: 'one.js' },
  ...{ right: 'exports.one = () => 1;\n', wrong: 'exports.one = () => 2;\n' },
  helper: ['helper.js', 'exports.helper = 0;\n'],
  user: ['one.test.js', test(' + helper')],
};

describe(`jest ${VERSION}`, () => testWarmCopies(project));
