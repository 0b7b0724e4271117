#!/usr/bin/env node
/**
 * `npm run screenshots`: runs the end-to-end tests of every screen and stores pictures under
 * screenshots/. `-- --readme` takes those of README.md instead.
 */
import process from 'node:process';

// Both sizes, light and dark.
process.env.INVIGIL_TESTS = 'long';
const readme = process.argv.indexOf('--readme');
if (readme > 0) {
  process.env.INVIGIL_README_PICTURES = '1';
  process.argv.splice(readme, 1);
} else {
  process.env.INVIGIL_SCREENSHOTS = '1';
  process.argv.push('screens');
}
await import('./e2e.mjs');
