import { z } from 'zod';
import { endpoint, Instant } from '../definition/endpoint.ts';

/** The time of the service when this was sent. */
export const ServiceTime = z.object({ at: Instant });

/** Frames `event: time` with ServiceTime, as many and as far apart as `CONNECTION_CHECK` says; then it ends. */
export const streamConnectionCheck = endpoint('GET /api/check/events', 'public', {
  summary:
    'Event stream that ends after seconds, by which a page finds out whether events arrive as they are sent',
  responses: { 200: z.unknown() },
  produces: 'text/event-stream',
});
