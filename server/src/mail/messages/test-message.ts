import type { RenderedMessage } from './invitation-message.ts';

/** The message of "Send test message": says what it is, so that nobody wonders. */
export function renderTestMessage(publicUrl: string): RenderedMessage {
  const text = [
    'This is a test message from Invigil.',
    '',
    'Somebody checked the mail settings of the installation at',
    publicUrl,
    'and this address was given as the recipient. Invitations will reach people the same way.',
  ].join('\n');
  return {
    subject: 'Invigil test message',
    text,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invigil test message</title></head><body><p>${text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('\n', '<br>')}</p></body></html>`,
  };
}
