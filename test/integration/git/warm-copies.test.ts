/** @module-tag slow */

import { describe, it } from 'vitest';
import { testWarmCopies } from '../../helpers/warm-copies.ts';
import { warmProjects } from '../../helpers/warm-projects.ts';

it.skip.each(warmProjects(false))('%s: its program is not installed', () => undefined);

describe.each(warmProjects(true))('%s', (_name, project) => testWarmCopies(project));
