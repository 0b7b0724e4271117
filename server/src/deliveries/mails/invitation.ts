import { groupCode } from '@invigil/core/domain/one-time-code';
import { inOrder, isolated } from '@invigil/core/domain/typed-text';
import { durationText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { momentText, noEndText } from '@invigil/core/texts/moments';
import { ruleText } from '@invigil/core/texts/policy';
import ical from 'ical-generator';
import { z } from 'zod';
import { escapeHtml } from './escape-html.ts';
import {
  ADDRESS,
  dear,
  factLines,
  factsHtml,
  INSTANT,
  mail,
  paddingAtStart,
  page,
  quoted,
  sentenceAround,
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
  /** The latest start; older messages have none. */
  startBy: INSTANT.nullable().default(null),
  /** Until when the code works; older messages without this field do not say. */
  codeUntil: INSTANT.nullable().default(null),
  /** Who invites; null: no one is named, as in older messages. */
  institution: WORDS.nullable().default(null),
  timeZone: TIME_ZONE,
  signInUrl: ADDRESS,
  /** The practice assessment; null: none, as in older messages. */
  practiceUrl: ADDRESS.nullable().default(null),
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
  subjects: {
    subject: ({ subject }) => subject ?? '',
    isForResult: ({ title }) =>
      t('mail.invitation.subjectOfResult', 'Your result: {title}', { title }),
    reminder: ({ title }) =>
      t('mail.invitation.subjectOfReminder', 'Reminder: your assessment: {title}', { title }),
    standard: ({ title }) => t('mail.invitation.subject', 'Your assessment: {title}', { title }),
  },
  write(params, code: string, subject) {
    const { title, signInUrl, message } = params;
    const grouped = inOrder(groupCode(code));
    if (params.isForResult) return resultLetter(params, grouped, subject);
    const facts = factsOf(params);
    const opening = (shown: string) => invites(params, shown);
    const valid = validity(params);
    const preparation = [...needs(params), instructionsText()].join(' ');
    const greeting = dear(params.name);
    const rules = params.rules.map((rule) => (typeof rule === 'string' ? rule : ruleText(rule)));
    const ignore = t(
      'mail.invitation.ignore',
      'If you did not expect this message, you can ignore it.',
    );
    const text = [
      ...greeting.flatMap((line) => [line, '']),
      opening(quoted(title)),
      ...(message === null ? [] : ['', message]),
      '',
      ...factLines([[passwordLabel(), grouped], ...facts]),
      '',
      signInText(),
      `${typingText()} ${onceText()}`,
      ...valid,
      preparation,
      ...(rules.length === 0 ? [] : ['', rulesText(), ...rules.map((rule) => `- ${rule}`)]),
      '',
      ignore,
    ].join('\n');
    const how = [signInText(), typingText(), onceText(), valid.join('')].join(' ');
    const html = page(
      subject,
      `${greeting.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>\n`).join('')}<p style="margin:0 0 16px">${sentenceAround(`<strong>${escapeHtml(isolated(title))}</strong>`, opening)}</p>
${message === null ? '' : `<p dir="auto" style="margin:0 0 16px;white-space:pre-line">${escapeHtml(message)}</p>`}
${passwordLines(grouped, signInUrl)}
${factsHtml(facts)}
<p style="margin:0 0 8px">${escapeHtml(how)}</p>
<p style="margin:0 0 8px">${escapeHtml(preparation)}</p>
${rules.length === 0 ? '' : rulesList(rules)}
<p style="margin:0;color:#5c6671">${escapeHtml(ignore)}</p>`,
    );
    return { text, html, ...calendarOf(params) };
  },
});

/** The sentence about who invites to what. */
export function invites(
  { institution, reminder }: Pick<InvitationParams, 'institution' | 'reminder'>,
  title: string,
): string {
  if (institution === null) {
    return reminder
      ? t(
          /* {title} is in quotation marks or bold */ 'mail.invitation.reminds',
          'This is a reminder: you are invited to take the assessment {title}.',
          { title },
        )
      : t(
          /* {title} is in quotation marks or bold */ 'mail.invitation.invites',
          'You are invited to take the assessment {title}.',
          { title },
        );
  }
  const values = { institution: isolated(institution), title };
  return reminder
    ? t(
        /* {institution} is a name; {title} is in quotation marks or bold */ 'mail.invitation.institutionReminds',
        'This is a reminder: {institution} invites you to take the assessment {title}.',
        values,
      )
    : t(
        /* {institution} is a name; {title} is in quotation marks or bold */ 'mail.invitation.institutionInvites',
        '{institution} invites you to take the assessment {title}.',
        values,
      );
}

export function factsOf(
  params: Pick<
    InvitationParams,
    'signInUrl' | 'opensAt' | 'endDate' | 'startBy' | 'timeZone' | 'durationMinutes' | 'isCutAtEnd'
  > &
    Partial<Pick<InvitationParams, 'practiceUrl'>>,
) {
  const { signInUrl, practiceUrl = null, opensAt, endDate, startBy, timeZone } = params;
  return [
    [signInLabel(), signInUrl],
    [
      t(
        /* heading of a page; also a link to it, and the label of its address */ 'check.title',
        'Check your device',
      ),
      new URL('check', signInUrl).href,
    ],
    ...(practiceUrl === null
      ? []
      : [
          [
            t(
              /* label of the address of a practice assessment; a link to it */ 'practice.first',
              'Practice first',
            ),
            practiceUrl,
          ] as const,
        ]),
    [t(/* label of a duration */ 'mail.invitation.duration', 'Duration'), durationLine(params)],
    ...(opensAt === null
      ? []
      : [
          [
            t(/* label of a time; of an assessment */ 'mail.invitation.opensAt', 'Opens at'),
            momentText(opensAt, timeZone),
          ] as const,
        ]),
    ...(startBy === null
      ? []
      : [
          [
            t(/* label of a time: the latest to start an assessment */ 'startBy.label', 'Start by'),
            momentText(startBy, timeZone),
          ] as const,
        ]),
    [
      t(/* label of a time, or of “No end date” */ 'mail.invitation.completeBy', 'Complete it by'),
      endDate === null ? noEndText() : momentText(endDate, timeZone),
    ],
  ] as const;
}

/** '75 minutes, if you start by 28 November 2026, 10:45 (CET)' */
function durationLine({
  durationMinutes,
  isCutAtEnd,
  opensAt,
  endDate,
  timeZone,
}: Parameters<typeof factsOf>[0]) {
  const duration = durationText(durationMinutes);
  if (!isCutAtEnd || endDate === null) return duration;
  const startBy = new Date(Date.parse(endDate) - durationMinutes * 60_000).toISOString();
  if (opensAt !== null && startBy <= opensAt) return duration;
  return t(
    /* {duration} is “75 minutes”, {moment} a date with the time */ 'mail.invitation.durationIf',
    '{duration}, if you start by {moment}',
    { duration, moment: momentText(startBy, timeZone) },
  );
}

function validity({ codeUntil, timeZone }: InvitationParams): string[] {
  if (codeUntil === null) return [];
  return [
    t(
      /* {moment} is a date with the time */ 'mail.invitation.validUntil',
      'The one-time password is valid until {moment}.',
      { moment: momentText(codeUntil, timeZone) },
    ),
  ];
}

/** A new one-time password for a result that can be read. */
function resultLetter(
  { title, name, signInUrl, codeUntil, timeZone }: InvitationParams,
  grouped: string,
  subject: string,
): Written {
  const greeting = dear(name);
  const opening = t(
    /* {title} is in quotation marks */ 'mail.invitation.forResult',
    'Here is a new one-time password for your result of the assessment {title}.',
    { title: quoted(title) },
  );
  const earlier = t(
    /* earlier one-time passwords */ 'mail.invitation.earlierOnes',
    'Earlier ones no longer work.',
  );
  const how = [signInText(), typingText(), earlier].join(' ');
  const facts = [
    [signInLabel(), signInUrl],
    ...(codeUntil === null
      ? []
      : [
          [
            t(/* label of a time; of a result */ 'mail.invitation.readableUntil', 'Readable until'),
            momentText(codeUntil, timeZone),
          ] as const,
        ]),
  ] as const;
  const lines = factLines([[passwordLabel(), grouped], ...facts]);
  const paragraphs = [...greeting, opening].map(
    (line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`,
  );
  return {
    text: [...greeting.flatMap((line) => [line, '']), opening, '', ...lines, '', how].join('\n'),
    html: page(
      subject,
      `${paragraphs.join('\n')}
${passwordLines(grouped, signInUrl)}
${factsHtml(facts)}
<p style="margin:0">${escapeHtml(how)}</p>`,
    ),
  };
}

const passwordLabel = (): string =>
  t(/* a label */ 'mail.invitation.password', 'One-time password');
const signInLabel = (): string =>
  t(/* label of an address of a page */ 'mail.invitation.signInAt', 'Sign in at');
const signInText = (): string =>
  t(
    /* “this email address” is the reader’s */ 'mail.invitation.signInWith',
    'Sign in with this email address and the one-time password.',
  );
const typingText = (): string =>
  t(
    /* “it” is the one-time password */ 'mail.invitation.typing',
    'You can type it in lower case and without hyphens.',
  );
const onceText = (): string => t('mail.invitation.once', 'You can take the assessment once.');
export const instructionsText = (): string =>
  t('mail.invitation.instructions', 'You will see the instructions before you start.');

/** The password and the way to where it is typed. Letters are apart: it is Latin in every language. */
const passwordLines = (grouped: string, signInUrl: string): string =>
  `<p style="margin:0 0 4px;color:#444e5a">${escapeHtml(passwordLabel())}</p>
<p style="margin:0 0 24px;font:500 22px/32px 'IBM Plex Mono',ui-monospace,Consolas,monospace;letter-spacing:1px">${grouped}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(signInUrl)}" style="display:inline-block;padding:12px 20px;background:#1f5397;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(t(/* a button */ 'mail.invitation.signIn', 'Sign in'))}</a></p>`;

/** From the opening to the end date, or for as long as the assessment takes. */
export function calendarOf(
  params: Pick<
    InvitationParams,
    'quizId' | 'title' | 'opensAt' | 'endDate' | 'durationMinutes' | 'signInUrl'
  >,
): { calendar?: string } {
  const { quizId, title, opensAt, endDate, durationMinutes, signInUrl } = params;
  if (opensAt === null) return {};
  const start = new Date(opensAt);
  const end = endDate ?? new Date(start.getTime() + durationMinutes * 60_000);
  const event = { id: `${quizId}@invigil`, start, end, summary: title, url: signInUrl };
  return { calendar: ical({ prodId: '//Invigil//Invigil//EN', events: [event] }).toString() };
}

/** On a phone a tab switch is a warning; the instructions there say so. */
const rulesText = (): string =>
  t(
    /* “it” is the assessment; a list of rules follows */ 'mail.invitation.rules',
    'What can end it, on a computer:',
  );

function rulesList(rules: readonly string[]): string {
  const items = rules.map((rule) => `<li>${escapeHtml(rule)}</li>`).join('');
  return `<p style="margin:0 0 4px">${escapeHtml(rulesText())}</p>
<ul style="margin:0 0 8px;${paddingAtStart('20px')}">${items}</ul>`;
}

/** Says what to have ready, or nothing. */
export function needs({
  camera,
  microphone,
}: Pick<InvitationParams, 'camera' | 'microphone'>): string[] {
  if (camera && microphone) {
    return [t('mail.invitation.needsBoth', 'Have a quiet room, a camera and a microphone ready.')];
  }
  if (microphone) {
    return [t('mail.invitation.needsMicrophone', 'Have a quiet room and a microphone ready.')];
  }
  return camera ? [t('mail.invitation.needsCamera', 'Have a camera ready.')] : [];
}
