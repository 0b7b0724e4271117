import { z } from 'zod';
import { mail, WORDS } from './mail.ts';

/*
 * Messages of earlier versions, which stored their sentences. Nothing queues one: their seals keep an upgrade from
 * rewriting them, and the last is gone with the retention.
 */
const earlier = {
  to: 'administrator',
  params: { subject: WORDS, paragraphs: z.array(WORDS) },
  subjects: { standard: ({ subject }: { subject: string }) => subject },
} as const;

export const earlierNotice = mail({
  ...{ ...earlier, kind: 'notice' },
  write: ({ paragraphs }) => paragraphs,
});

export const earlierLink = mail({
  ...{ ...earlier, kind: 'password_reset', secret: 'link' },
  write: ({ paragraphs }, _link: string) => paragraphs,
});
