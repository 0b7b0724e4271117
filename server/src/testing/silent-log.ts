import { pino } from 'pino';

/** A log that says nothing; a test that cares what is logged makes its own. */
export const silentLog = pino({ level: 'silent' });
