export { adapterFor } from './adapter-for.ts';
export { customAdapter } from './custom.ts';
export { ADAPTERS, formatOf } from './registry.ts';
export { addToReport, finishReport, startReport } from './report.ts';
export { scriptedAdapter } from './scripted.ts';
