export const PLAIN = 0;
