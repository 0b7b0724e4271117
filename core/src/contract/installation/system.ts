import { z } from 'zod';
import { endpoint } from '../definition/endpoint.ts';

/** System Information: the actual state, measured, not the intended one. */
export const SystemInformation = z.object({
  platformVersion: z.string(),
  database: z.object({
    status: z.enum(['connected', 'unavailable']),
    version: z.string(),
    sizeBytes: z.int(),
    embedded: z.boolean(),
  }),
  adminCount: z.int(),
  emailConfigured: z.boolean(),
  timeZone: z.string(),
  securityFeatures: z.array(
    z.object({ name: z.string(), active: z.boolean(), detail: z.string() }),
  ),
  audit: z.object({ sealed: z.int(), waiting: z.int() }),
});
export type SystemInformation = z.infer<typeof SystemInformation>;

export const getSystemInformation = endpoint(
  'GET /api/system',
  ['installation: installation.manage'],
  {
    summary: 'Version, database, mail and security of this installation',
    responses: { 200: SystemInformation },
  },
);
