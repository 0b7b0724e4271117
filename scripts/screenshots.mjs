#!/usr/bin/env node
/**
 * `npm run screenshots`: the stories that look at every screen, this time with pictures under
 * screenshots/. `npm test` plays them without: pictures are for people.
 */
import process from 'node:process';

process.env.INVIGIL_SCREENSHOTS = '1';
process.argv.push('screens');
await import('./e2e.mjs');
