import { groupCode } from '@invigil/core/domain/one-time-code';
import { isolated } from '@invigil/core/domain/typed-text';
import ical from 'ical-generator';
import { z } from 'zod';
import { escapeHtml } from './escape-html.ts';

/** The content of an invitation without the code, as stored; its dates move with those of its quiz. */
export const InvitationVariables = z.object({
  /** Names the calendar entry; messages without an opening time have none. */
  quizId: z.string().default(''),
  title: z.string(),
  /** Of the person who is addressed by it; empty: unknown. */
  name: z.string().default(''),
  /** minutes, the person's extra time included */
  durationMinutes: z.number(),
  /** Before it the assessment cannot be started. */
  opensAt: z.iso.datetime().nullable().default(null),
  endDate: z.iso.datetime().nullable(),
  /** Until when the code works; older messages without this field do not say. */
  codeUntil: z.iso.datetime().nullable().default(null),
  /** Who invites; null: no one is named, as in older messages. */
  institution: z.string().nullable().default(null),
  timeZone: z.string(),
  signInUrl: z.string(),
  /** The administrator's own text; `null` for the standard one. */
  subject: z.string().nullable().default(null),
  message: z.string().nullable().default(null),
  /** Sensors required of this person; older messages without these fields asked for both. */
  camera: z.boolean().default(true),
  microphone: z.boolean().default(true),
  reminder: z.boolean().default(false),
  /** The rules by which the attempt can end; older messages without this field state none. */
  rules: z.array(z.string()).default([]),
});
export type InvitationVariables = z.infer<typeof InvitationVariables>;

/** A message as it is sent. */
export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
  /** An entry for the reader's calendar (RFC 5545). */
  calendar?: string;
}

export function invitationSubject({ subject, title, reminder }: InvitationVariables): string {
  const standard = `${reminder ? 'Reminder: your' : 'Your'} assessment: ${title}`;
  return (subject ?? standard).replace(/\s+/g, ' ');
}

/** The invitation with its one-time password in three groups, as plain text and as HTML. */
export function renderInvitation(variables: InvitationVariables, code: string): RenderedMessage {
  const { title, signInUrl, message } = variables;
  const subject = invitationSubject(variables);
  const grouped = groupCode(code);
  const duration = `${variables.durationMinutes} ${variables.durationMinutes === 1 ? 'minute' : 'minutes'}`;
  const moment = (at: string | null) => (at === null ? null : momentText(at, variables.timeZone));
  const opensAt = moment(variables.opensAt);
  const until = moment(variables.endDate) ?? NO_END;
  const validUntil = moment(variables.codeUntil);
  const valid = validUntil === null ? [] : [`The one-time password is valid until ${validUntil}.`];
  const { institution, reminder } = variables;
  const standard = reminder ? 'you are invited' : 'You are invited';
  const invites = institution === null ? standard : `${institution} invites you`;
  const opening = `${reminder ? 'This is a reminder: ' : ''}${invites} to take the assessment`;
  const preparation = `${needs(variables)}You will see the instructions before you start.`;
  const dear = variables.name === '' ? null : `Dear ${isolated(variables.name)},`;
  const text = [
    ...(dear === null ? [] : [dear, '']),
    `${opening} "${title}".`,
    ...(message === null ? [] : ['', message]),
    '',
    `One-time password: ${grouped}`,
    `Sign in at:        ${signInUrl}`,
    `Duration:          ${duration}`,
    ...(opensAt === null ? [] : [`Opens at:          ${opensAt}`]),
    `Complete it by:    ${until}`,
    '',
    'Sign in with this email address and the one-time password.',
    'You can type it in lower case and without hyphens. You can take the assessment once.',
    ...valid,
    preparation,
    ...(variables.rules.length === 0
      ? []
      : ['', RULES, ...variables.rules.map((rule) => `- ${rule}`)]),
    '',
    'If you did not expect this message, you can ignore it.',
  ].join('\n');
  const row = (label: string, value: string) =>
    `<tr><td style="padding:4px 16px 4px 0;color:#444e5a">${label}</td><td style="padding:4px 0"><strong>${value}</strong></td></tr>`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f6f9;color:#181e29;font:16px/24px 'IBM Plex Sans',system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dce0e5;border-radius:10px">
${dear === null ? '' : `<p style="margin:0 0 16px">${escapeHtml(dear)}</p>\n`}<p style="margin:0 0 16px">${escapeHtml(opening)} <strong>${escapeHtml(title)}</strong>.</p>
${message === null ? '' : `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(message)}</p>`}
<p style="margin:0 0 4px;color:#444e5a">One-time password</p>
<p style="margin:0 0 24px;font:500 22px/32px 'IBM Plex Mono',ui-monospace,Consolas,monospace;letter-spacing:1px">${grouped}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(signInUrl)}" style="display:inline-block;padding:12px 20px;background:#1f5397;color:#ffffff;text-decoration:none;border-radius:6px">Sign in</a></p>
<table role="presentation" style="border-collapse:collapse;margin:0 0 24px">
${row('Sign in at', escapeHtml(signInUrl))}
${row('Duration', duration)}
${opensAt === null ? '' : `${row('Opens at', escapeHtml(opensAt))}\n`}${row('Complete it by', escapeHtml(until))}
</table>
<p style="margin:0 0 8px">Sign in with this email address and the one-time password. You can type it in lower case and without hyphens. You can take the assessment once. ${escapeHtml(valid.join(''))}</p>
<p style="margin:0 0 8px">${preparation}</p>
${variables.rules.length === 0 ? '' : `<p style="margin:0 0 4px">${RULES}</p>\n<ul style="margin:0 0 8px;padding-left:20px">${variables.rules.map((rule) => `<li>${escapeHtml(rule)}</li>`).join('')}</ul>`}
<p style="margin:0;color:#5c6671">If you did not expect this message, you can ignore it.</p>
</div></body></html>
`;
  return { subject, text, html, ...calendarOf(variables) };
}

/** From the opening to the end date, or for as long as the assessment takes. */
function calendarOf(variables: InvitationVariables): Pick<RenderedMessage, 'calendar'> {
  const { quizId, title, opensAt, endDate, durationMinutes, signInUrl } = variables;
  if (opensAt === null) return {};
  const start = new Date(opensAt);
  const end = endDate ?? new Date(start.getTime() + durationMinutes * 60_000);
  const event = { id: `${quizId}@invigil`, start, end, summary: title, url: signInUrl };
  return { calendar: ical({ prodId: '//Invigil//Invigil//EN', events: [event] }).toString() };
}

export const NO_END = 'No end date';

/** On a phone a tab switch is a warning; the instructions there say so. */
const RULES = 'What can end it, on a computer:';

/** What to have ready, or an empty text. */
function needs({ camera, microphone }: InvitationVariables): string {
  if (camera && microphone) return 'Have a quiet room, a camera and a microphone ready. ';
  if (microphone) return 'Have a quiet room and a microphone ready. ';
  return camera ? 'Have a camera ready. ' : '';
}

/** `Thursday, 14 May 2026 at 18:00 (Europe/Berlin, GMT+2)`. */
export function momentText(moment: string, timeZone: string): string {
  const at = new Date(moment);
  const date = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full' }).format(at);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(at);
  const offset = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value;
  return `${date} at ${time} (${timeZone}${offset && timeZone !== 'UTC' ? `, ${offset}` : ''})`;
}
