import type { BaseLogger } from 'pino';

/** What the supervisor says and how. Pino's shape; tests hand in their own. */
export type SupervisorLog = Pick<BaseLogger, 'info' | 'warn' | 'error'>;
