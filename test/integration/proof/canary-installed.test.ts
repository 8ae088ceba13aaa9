/** @module-tag installs */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { isHere, play } from '../../helpers/canary/play.ts';
import { INSTALLED } from '../../helpers/canary/projects.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const PACKAGES = ['jest@30', 'mocha@11', 'chai@6', '@babel/preset-env@7', '@babel/preset-typescript@7'];
const canInstall = isHere('npm', 'view', 'jest', 'version', '--fetch-retries=0', '--fetch-timeout=5000');
describe.skipIf(!canInstall)('a canary in runners from npm', () => {
  const installed = canInstall ? temporaryFolder() : '';
  beforeAll(() => {
    writeFileSync(join(installed, 'package.json'), '{}\n');
    const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], {
      cwd: installed,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  }, 300_000);
  play(INSTALLED, () => join(installed, 'node_modules'));
});
