export { foldRecords } from './fold.ts';
export { importViews } from './import-views.ts';
export {
  eventsDocument,
  eventsToArchive,
  lessonsDocument,
  profileDocument,
  viewDocuments,
} from './views.ts';
