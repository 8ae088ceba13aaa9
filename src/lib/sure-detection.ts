/** Below this a sign of avoided work doesn't act, 0 to 1. */
export const SURE_DETECTION = 0.7;
