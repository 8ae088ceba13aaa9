export { openNotify } from './open-notify.ts';
