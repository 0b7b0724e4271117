import type { BaseLogger } from 'pino';

/** The supervisor's log. Pino's shape; tests pass their own. */
export type SupervisorLog = Pick<BaseLogger, 'info' | 'warn' | 'error'>;
