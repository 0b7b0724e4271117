/** What the configuration of a route says about admission (admission.ts). */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Tokens that a request to this route costs; 1 when absent. 0: files and pages, always served. */
    cost?: number;
    /** An event stream stays open and is limited by its own rule (open-streams.ts). */
    isStream?: boolean;
    /** A file that only an administrator sends: its bytes cost nothing. */
    isBulk?: boolean;
  }
}

export type {};
