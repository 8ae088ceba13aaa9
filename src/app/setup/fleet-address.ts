const NAME = 'RALPH_FLEET_URL';
const url = process.env[NAME] ?? '';
delete process.env[NAME];

/**
 * Address of a fleet's engine. It may contain a password, so it is removed from the environment before any program
 * starts.
 */
export const FLEET_ADDRESS = { name: NAME, url } as const;
