import { t } from '@invigil/core/texts/i18n';
import { escapeHtml } from './escape-html.ts';
import { ADDRESS, languageAttributes, mail } from './mail.ts';

/** The message of "Send test message", which explains itself to its recipient. It is sent at once, not queued. */
export const testMessage = mail({
  kind: 'test',
  to: 'administrator',
  params: { publicUrl: ADDRESS },
  subjects: {
    standard: () => t(/* Invigil is a name */ 'mail.test.subject', 'Invigil test message'),
  },
  write: ({ publicUrl }, _, subject) => {
    const text = [
      t('mail.test.whatItIs', 'This is a test message from Invigil.'),
      '',
      t(
        /* {publicUrl} stands in a line of its own; “this address” is the reader’s */ 'mail.test.why',
        'Someone tested the mail settings of the installation at\n{publicUrl}\nand entered this address as the recipient. Invitations will be sent the same way.',
        { publicUrl },
      ),
    ].join('\n');
    return {
      text,
      html: `<!doctype html><html ${languageAttributes()}><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body><p>${escapeHtml(text).replaceAll('\n', '<br>')}</p></body></html>`,
    };
  },
});
