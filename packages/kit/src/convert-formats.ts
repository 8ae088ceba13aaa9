export const CONVERT_FORMATS = ['markdown', 'json', 'yaml', 'task-master'] as const;
export type ConvertFormat = (typeof CONVERT_FORMATS)[number];
