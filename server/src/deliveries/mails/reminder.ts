import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { escapeHtml } from './escape-html.ts';
import { calendarOf, factsOf, instructionsText, invites, needs } from './invitation.ts';
import {
  ADDRESS,
  dear,
  factLines,
  factsHtml,
  INSTANT,
  mail,
  page,
  quoted,
  TIME_ZONE,
  TOKEN,
  WORDS,
} from './mail.ts';

/**
 * To a candidate who has not begun, before the opening or the end. It has no one-time password: that of the
 * invitation goes on, and the sign-in page sends another one to who has lost it.
 */
export const reminder = mail({
  kind: 'reminder',
  to: 'candidate',
  params: {
    ...{ quizId: TOKEN, title: WORDS, name: WORDS, before: z.enum(['opening', 'end']) },
    ...{ durationMinutes: z.int(), isCutAtEnd: z.boolean() },
    ...{ opensAt: INSTANT.nullable(), endDate: INSTANT.nullable(), startBy: INSTANT.nullable() },
    ...{ institution: WORDS.nullable(), timeZone: TIME_ZONE, signInUrl: ADDRESS },
    ...{ camera: z.boolean(), microphone: z.boolean() },
  },
  kept: ['title', 'before', 'durationMinutes', 'endDate', 'timeZone', 'signInUrl'],
  subjects: {
    standard: ({ title }) =>
      t('mail.invitation.subjectOfReminder', 'Reminder: your assessment: {title}', { title }),
  },
  write(params, _, subject) {
    const facts = factsOf(params);
    const opening = [
      ...dear(params.name),
      invites({ institution: params.institution, reminder: true }, quoted(params.title)),
      ...(params.before === 'end'
        ? [t('mail.reminder.notStarted', 'You have not started it yet.')]
        : []),
    ];
    const closing = [
      t(
        /* how to sign in */ 'mail.reminder.signIn',
        'Sign in with this email address and the one-time password of your invitation. If you no longer have it, the sign-in page sends you another one.',
      ),
      [...needs(params), instructionsText()].join(' '),
    ];
    const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
    return {
      text: [...opening, factLines(facts).join('\n'), ...closing].join('\n\n'),
      html: page(
        subject,
        [...opening.map(paragraph), factsHtml(facts), ...closing.map(paragraph)].join('\n'),
      ),
      ...calendarOf(params),
    };
  },
});
