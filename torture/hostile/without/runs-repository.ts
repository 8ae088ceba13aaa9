/** Whatever it runs, it runs outside. */
export const runsRepository = (): boolean => false;
