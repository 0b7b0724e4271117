/** A page that the browser translates while a test uses it, with what the app does against the effects. */
import { afterEach, beforeEach } from 'vitest';
import { tolerateForeignChanges } from '../app/frame/foreign-changes.ts';
import { translate } from './translator.ts';

tolerateForeignChanges();

let stop: () => void;
beforeEach(() => {
  stop = translate(document.body);
});
afterEach(() => stop());
