import { pino } from 'pino';

/** A log without output; a test about log entries creates its own. */
export const silentLog = pino({ level: 'silent' });
