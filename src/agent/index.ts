export { adapterFor } from './adapter-for.ts';
export { customAdapter } from './custom.ts';
export { ADAPTERS } from './registry.ts';
export { addToReport, finishReport, startReport, usageOfSession, usageSoFar } from './report.ts';
export { scriptedAdapter } from './scripted.ts';
