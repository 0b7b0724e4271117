import { escapeHtml } from './escape-html.ts';
import { ADDRESS, mail } from './mail.ts';

/** The message of "Send test message", which explains itself to its recipient. It is sent at once, not queued. */
export const testMessage = mail({
  kind: 'test',
  to: 'administrator',
  params: { publicUrl: ADDRESS },
  subject: { standard: 'Invigil test message' },
  write: ({ publicUrl }) => {
    const text = [
      'This is a test message from Invigil.',
      '',
      'Someone tested the mail settings of the installation at',
      publicUrl,
      'and entered this address as the recipient. Invitations will be sent the same way.',
    ].join('\n');
    return {
      text,
      html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invigil test message</title></head><body><p>${escapeHtml(text).replaceAll('\n', '<br>')}</p></body></html>`,
    };
  },
});
