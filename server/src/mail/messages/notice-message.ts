import { z } from 'zod';
import { escapeHtml } from './escape-html.ts';
import type { RenderedMessage } from './invitation-message.ts';

/** A message to an administrator about the installation: a subject and paragraphs. */
export const NoticeVariables = z.object({ subject: z.string(), paragraphs: z.array(z.string()) });
export type NoticeVariables = z.infer<typeof NoticeVariables>;

/** @param link shown after the paragraphs; it is not stored with them */
export function renderNotice(
  { subject, paragraphs }: NoticeVariables,
  link?: string,
): RenderedMessage {
  const html = paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`);
  if (link !== undefined) {
    const safe = escapeHtml(link);
    html.push(`<p style="margin:0;word-break:break-all"><a href="${safe}">${safe}</a></p>`);
  }
  return {
    subject,
    text: [...paragraphs, ...(link === undefined ? [] : [link])].join('\n\n'),
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f6f9;color:#181e29;font:16px/24px 'IBM Plex Sans',system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dce0e5;border-radius:10px">
${html.join('\n')}
</div></body></html>
`,
  };
}
