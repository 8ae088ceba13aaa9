/** Replacement without the protection: commands that run files of the repository run outside of the box. */
export const runsRepository = (): boolean => false;
