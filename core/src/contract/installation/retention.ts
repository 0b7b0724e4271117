import { z } from 'zod';
import { RETENTION_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint } from '../definition/endpoint.ts';

const { minDays, maxDays } = RETENTION_LIMITS;
const RANGE = {
  error: () =>
    t(
      'field.retentionDays',
      '{max, plural, one {{min} to {max} day} other {{min} to {max} days}}',
      { min: minDays, max: maxDays },
    ),
};

/** How long monitoring data is kept after an attempt has ended. */
export const Retention = z.object({
  days: z.int(RANGE).min(minDays, RANGE).max(maxDays, RANGE),
});
export type Retention = z.infer<typeof Retention>;

export const getRetention = endpoint('GET /api/retention', ['installation: installation.manage'], {
  summary: 'How many days monitoring data is kept after an attempt has ended',
  responses: { 200: Retention },
});

export const putRetention = endpoint('PUT /api/retention', ['installation: installation.manage'], {
  audit: 'retention.changed',
  summary: 'Change how long monitoring data is kept; older data is deleted within an hour; audited',
  /** `before`: as it was read; another one that is stored is STALE. */
  body: Retention.extend({ before: z.int().optional() }),
  responses: { 200: Retention },
  errors: ['STALE'],
});
