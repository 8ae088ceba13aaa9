import { InterventionSettings } from '../../src/domain/config.ts';

export const DEFAULT_INTERVENTION_SETTINGS: InterventionSettings = InterventionSettings.parse({});
