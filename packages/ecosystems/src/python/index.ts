import type { Runner } from '../runner.ts';
import { behave } from './behave.ts';
import { pytest } from './pytest.ts';
import { stestr } from './stestr.ts';
import { unittest } from './unittest.ts';

export const PYTHON: readonly Runner[] = [pytest, unittest, stestr, behave];
