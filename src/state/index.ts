export { applyRecord, foldRecords } from './fold.ts';
export { importViews, type ViewImport } from './import-views.ts';
export {
  currentFeedback,
  eventsDocument,
  type ViewDocument,
  type ViewOptions,
  viewDocuments,
} from './views.ts';
