import { describe } from 'vitest';
import { engineSuite } from '../../helpers/engine-suite.ts';
import { ENGINES } from '../../helpers/engines.ts';

describe('the engine of a fleet on Redis', () => engineSuite(ENGINES[0]));
