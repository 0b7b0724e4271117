import { groupCode } from '@invigil/core/domain/one-time-code';
import { isolated } from '@invigil/core/domain/typed-text';
import { durationText } from '@invigil/core/texts/amounts';
import { momentText, noEndText } from '@invigil/core/texts/moments';
import { ruleText } from '@invigil/core/texts/policy';
import ical from 'ical-generator';
import { z } from 'zod';
import { escapeHtml } from './escape-html.ts';
import {
  ADDRESS,
  dear,
  factsTable,
  INSTANT,
  mail,
  page,
  TIME_ZONE,
  TOKEN,
  WORDS,
  type Written,
} from './mail.ts';

const RULE = z.discriminatedUnion('rule', [
  z.object({
    rule: z.literal('face'),
    ms: z.number(),
    loweredMs: z.number().nullable().default(null),
  }),
  z.object({ rule: z.literal('voice'), warnMs: z.number().nullable() }),
  z.object({
    rule: z.literal('warnings'),
    ...{ limit: z.number(), exits: z.boolean(), switches: z.boolean() },
  }),
  z.object({ rule: z.literal('tab'), limit: z.number() }),
]);

const PARAMS = {
  /** Names the calendar entry; messages without an opening time have none. */
  quizId: TOKEN.default(''),
  title: WORDS,
  /** The name by which the person is addressed; empty: unknown. */
  name: WORDS.default(''),
  /** minutes, the person's extra time included */
  durationMinutes: z.number(),
  /** Whether someone with extra time has less of it by starting late. */
  isCutAtEnd: z.boolean().default(false),
  /** Before it the assessment cannot be started. */
  opensAt: INSTANT.nullable().default(null),
  endDate: INSTANT.nullable(),
  /** Until when the code works; older messages without this field do not say. */
  codeUntil: INSTANT.nullable().default(null),
  /** Who invites; null: no one is named, as in older messages. */
  institution: WORDS.nullable().default(null),
  timeZone: TIME_ZONE,
  signInUrl: ADDRESS,
  /** The administrator's own text; `null` for the standard one. */
  subject: WORDS.nullable().default(null),
  message: WORDS.nullable().default(null),
  /** Sensors required of this person; older messages without these fields asked for both. */
  camera: z.boolean().default(true),
  microphone: z.boolean().default(true),
  reminder: z.boolean().default(false),
  /** The recipient has finished: the code opens the result, and starts nothing. */
  isForResult: z.boolean().default(false),
  /** The rules by which the attempt can end; older messages have them in words, or do not state them. */
  rules: z.array(z.union([RULE, WORDS])).default([]),
};

/** The content of an invitation without the code, as stored; its dates move with those of its quiz. */
export type InvitationParams = z.output<z.ZodObject<typeof PARAMS>>;

/** The invitation with its one-time password in three groups, or a reminder of it. */
export const invitation = mail({
  kind: 'invitation',
  to: 'candidate',
  params: PARAMS,
  kept: ['title', 'durationMinutes', 'endDate', 'codeUntil', 'timeZone', 'signInUrl'],
  secret: 'password',
  subject: {
    subject: '{subject}',
    isForResult: 'Your result: {title}',
    reminder: 'Reminder: your assessment: {title}',
    standard: 'Your assessment: {title}',
  },
  write(params, code: string, subject) {
    const { title, signInUrl, message, institution, reminder } = params;
    const grouped = groupCode(code);
    if (params.isForResult) return resultLetter(params, grouped, subject);
    const moment = (at: string | null) => (at === null ? null : momentText(at, params.timeZone));
    const opensAt = moment(params.opensAt);
    const validUntil = moment(params.codeUntil);
    const facts = [
      ['Sign in at', signInUrl],
      ['Duration', durationLine(params)],
      ...(opensAt === null ? [] : [['Opens at', opensAt] as const]),
      ['Complete it by', moment(params.endDate) ?? noEndText()],
    ] as const;
    const valid =
      validUntil === null ? [] : [`The one-time password is valid until ${validUntil}.`];
    const standard = reminder ? 'you are invited' : 'You are invited';
    const invites = institution === null ? standard : `${isolated(institution)} invites you`;
    const opening = `${reminder ? 'This is a reminder: ' : ''}${invites} to take the assessment`;
    const preparation = `${needs(params)}You will see the instructions before you start.`;
    const greeting = dear(params.name);
    const rules = params.rules.map((rule) => (typeof rule === 'string' ? rule : ruleText(rule)));
    const text = [
      ...greeting.flatMap((line) => [line, '']),
      `${opening} "${isolated(title)}".`,
      ...(message === null ? [] : ['', message]),
      '',
      ...[['One-time password', grouped] as const, ...facts].map(
        ([label, value]) => `${`${label}:`.padEnd(19)}${value}`,
      ),
      '',
      'Sign in with this email address and the one-time password.',
      'You can type it in lower case and without hyphens. You can take the assessment once.',
      ...valid,
      preparation,
      ...(rules.length === 0 ? [] : ['', RULES, ...rules.map((rule) => `- ${rule}`)]),
      '',
      'If you did not expect this message, you can ignore it.',
    ].join('\n');
    const html = page(
      subject,
      `${greeting.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>\n`).join('')}<p style="margin:0 0 16px">${escapeHtml(opening)} <strong>${escapeHtml(title)}</strong>.</p>
${message === null ? '' : `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(message)}</p>`}
${passwordLines(grouped, signInUrl)}
${factsTable(facts)}
<p style="margin:0 0 8px">Sign in with this email address and the one-time password. You can type it in lower case and without hyphens. You can take the assessment once. ${escapeHtml(valid.join(''))}</p>
<p style="margin:0 0 8px">${preparation}</p>
${rules.length === 0 ? '' : `<p style="margin:0 0 4px">${RULES}</p>\n<ul style="margin:0 0 8px;padding-left:20px">${rules.map((rule) => `<li>${escapeHtml(rule)}</li>`).join('')}</ul>`}
<p style="margin:0;color:#5c6671">If you did not expect this message, you can ignore it.</p>`,
    );
    return { text, html, ...calendarOf(params) };
  },
});

/** '75 minutes, if you start by 28 November 2026, 10:45 (CET)' */
function durationLine({
  durationMinutes,
  isCutAtEnd,
  opensAt,
  endDate,
  timeZone,
}: InvitationParams) {
  const text = durationText(durationMinutes);
  if (!isCutAtEnd || endDate === null) return text;
  const startBy = new Date(Date.parse(endDate) - durationMinutes * 60_000).toISOString();
  return opensAt !== null && startBy <= opensAt
    ? text
    : `${text}, if you start by ${momentText(startBy, timeZone)}`;
}

/** A new one-time password for a result that can be read. */
function resultLetter(
  { title, name, signInUrl, codeUntil, timeZone }: InvitationParams,
  grouped: string,
  subject: string,
): Written {
  const greeting = dear(name);
  const opening = `Here is a new one-time password for your result of the assessment "${isolated(title)}".`;
  const how =
    'Sign in with this email address and the one-time password. You can type it in lower case and without hyphens. Earlier ones no longer work.';
  const facts = [
    ['Sign in at', signInUrl],
    ...(codeUntil === null ? [] : [['Readable until', momentText(codeUntil, timeZone)] as const]),
  ] as const;
  const lines = [['One-time password', grouped] as const, ...facts].map(
    ([label, value]) => `${`${label}:`.padEnd(19)}${value}`,
  );
  const paragraphs = [...greeting, opening].map(
    (line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`,
  );
  return {
    text: [...greeting.flatMap((line) => [line, '']), opening, '', ...lines, '', how].join('\n'),
    html: page(
      subject,
      `${paragraphs.join('\n')}
${passwordLines(grouped, signInUrl)}
${factsTable(facts)}
<p style="margin:0">${how}</p>`,
    ),
  };
}

/** The password and the way to where it is typed. */
const passwordLines = (grouped: string, signInUrl: string): string =>
  `<p style="margin:0 0 4px;color:#444e5a">One-time password</p>
<p style="margin:0 0 24px;font:500 22px/32px 'IBM Plex Mono',ui-monospace,Consolas,monospace;letter-spacing:1px">${grouped}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(signInUrl)}" style="display:inline-block;padding:12px 20px;background:#1f5397;color:#ffffff;text-decoration:none;border-radius:6px">Sign in</a></p>`;

/** From the opening to the end date, or for as long as the assessment takes. */
function calendarOf(params: InvitationParams): { calendar?: string } {
  const { quizId, title, opensAt, endDate, durationMinutes, signInUrl } = params;
  if (opensAt === null) return {};
  const start = new Date(opensAt);
  const end = endDate ?? new Date(start.getTime() + durationMinutes * 60_000);
  const event = { id: `${quizId}@invigil`, start, end, summary: title, url: signInUrl };
  return { calendar: ical({ prodId: '//Invigil//Invigil//EN', events: [event] }).toString() };
}

/** On a phone a tab switch is a warning; the instructions there say so. */
const RULES = 'What can end it, on a computer:';

/** Says what to have ready, or nothing. */
function needs({ camera, microphone }: InvitationParams): string {
  if (camera && microphone) return 'Have a quiet room, a camera and a microphone ready. ';
  if (microphone) return 'Have a quiet room and a microphone ready. ';
  return camera ? 'Have a camera ready. ' : '';
}
