const NAME = 'RALPH_FLEET_URL';
const url = process.env[NAME] ?? '';
delete process.env[NAME];

/** Where the engine of a fleet is. It may hold a password, so it leaves the environment before any command starts a program. */
export const FLEET_ADDRESS = { name: NAME, url } as const;
