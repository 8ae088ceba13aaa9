export { foldRecords } from './fold.ts';
export { policyAtStart } from './fold-policy.ts';
export { loadImport } from './load-import.ts';
export { metricsDocument, prometheusText } from './metrics.ts';
export {
  eventsDocument,
  eventsToArchive,
  lessonsDocument,
  profileDocument,
  viewDocuments,
} from './views.ts';
