import { PSEUDO } from '@invigil/core/texts/languages';
import { setUpApp } from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '../db/new-id.ts';
import { pageOutbox } from '../db/queries/outbox.ts';
import { inTransaction } from '../db/transaction.ts';
import { earlierLink, earlierNotice } from './mails/earlier-notices.ts';
import { HOLE, type Mail, renderMail, subjectOf, subjectWords } from './mails/mail.ts';
import { passwordChanged } from './mails/password-changed.ts';
import { receipt } from './mails/receipt.ts';
import { testMessage } from './mails/test-message.ts';
import { MAILS, mailOf, SUBJECTS, storedSubject } from './mails.ts';
import { messageRow, queueMail } from './queue-mail.ts';

const AT = '2026-05-14T16:00:00.000Z';
const LINK = 'https://invigil.example.org/reset-password#secret';
const RECEIPT = {
  content: { id: 'r', submittedAt: AT, answeredCount: 3, totalQuestions: 4, digest: 'd' },
  ...{ signed: 'signed', ending: { type: 'tab_hidden' as const, durationMs: 3_000, limit: 1 } },
};

const EARLIER: readonly Mail[] = [earlierNotice, earlierLink];

type Leaf = z.core.$ZodType;

/** A sample value of a mail's parameter; a text has to say what it is. */
function sampleOf(schema: Leaf): unknown {
  const { def } = schema._zod;
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  ) {
    return sampleOf(schema.unwrap());
  }
  if (schema instanceof z.ZodUnion) return schema.options.map(sampleOf)[0];
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element)];
  if (schema instanceof z.ZodObject) return sampleParams(schema);
  if (schema instanceof z.ZodNumber) return 7;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum) {
    return [...schema._zod.values][0];
  }
  if (schema instanceof z.ZodISODateTime) return AT;
  const is = schema instanceof z.ZodString ? schema.meta()?.is : undefined;
  const text = {
    ...{ words: '<W&>', address: 'https://a.example', 'time zone': 'UTC', token: 't0' },
    language: 'en',
  };
  const sample = typeof is === 'string' ? text[is as keyof typeof text] : undefined;
  if (sample === undefined) throw new Error(`a parameter of the type ${def.type} is no code`);
  return sample;
}

const sampleParams = ({ shape }: z.ZodObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, sampleOf(schema)]));

const shapeOf = ({ params }: Mail) => (params as unknown as z.ZodObject).shape;
const paramsOf = (mail: Mail) => sampleParams(mail.params as unknown as z.ZodObject);
const extraOf = (mail: Mail) =>
  mail.kind === receipt.kind ? RECEIPT : mail.secret === 'link' ? LINK : 'AAAAABBBBBCCCCC';
/** The parameters of each form of a subject. */
const formsOf = (mail: Mail) =>
  Object.keys(mail.subject).map((flag) => ({
    ...paramsOf(mail),
    ...(EARLIER.includes(mail) || flag === 'subject' ? {} : { subject: null }),
    ...(typeof paramsOf(mail)[flag] === 'boolean' ? { [flag]: true } : {}),
  }));

/** Names of things, commands, and words of people in the samples: the same in every language. */
const SAME =
  /https:\S+|\/api\/receipts\/key|npm run audit:verify -- --head|\bt0\b|<W&>|&lt;W&amp;&gt;|&quot;|AAAAA-BBBBB-CCCCC|Thursday, 14 May|\bsigned(?=\s*$)|\bUTC\b/gm;

/** Words of English that the long form of English would have with accents. */
const plainWordsIn = (text: string): string[] =>
  text.replace(SAME, '').match(/(?<!\p{L})[a-zA-Z]{3,}(?!\p{L})/gu) ?? [];

/** The same, with each parameter set, empty and left out, where that is possible. */
const casesOf = (mail: Mail) => [
  ...formsOf(mail),
  ...Object.entries(shapeOf(mail)).flatMap(([name, schema]) =>
    [true, null, undefined, []]
      .filter((value) => z.safeParse(schema, value).success)
      .map((value) => ({ ...paramsOf(mail), [name]: value })),
  ),
];

describe('every mail', () => {
  it('has a name of its own, by which it is found', () => {
    const kinds = MAILS.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const mail of MAILS) expect(mailOf(mail)).toBe(mail);
    expect(() => mailOf({ kind: 'later' })).toThrow('knows no mail of the kind later');
  });

  it.each(MAILS.map((mail) => [mail.kind, mail] as const))(
    '%s is written in full from codes, numbers, times and words of people',
    (_, mail) => {
      for (const params of formsOf(mail)) {
        const { subject, text, html } = renderMail(mail, params, extraOf(mail));
        expect(subject).toMatch(/\S/);
        for (const body of [subject, text, html]) {
          expect(body).not.toMatch(/undefined|null|\[object|NaN|Invalid Date|\{\w+\}/);
        }
        expect(html).toContain('<html lang="en">');
        expect(html).not.toContain('<W&>');
        if (mail.secret === 'link')
          expect([text, html].map((b) => b.includes(LINK))).toEqual([true, true]);
      }
      for (const [flag, subject] of Object.entries(mail.subject)) {
        if (flag !== 'standard') expect(shapeOf(mail)[flag], flag).toBeInstanceOf(z.ZodType);
        const [, name] = HOLE.exec(subject) ?? [];
        if (name !== undefined) expect(shapeOf(mail)).toHaveProperty(name);
      }
    },
  );

  it.each(MAILS.map((mail) => [mail.kind, mail] as const))(
    '%s is written in its language, subject and all',
    (_, mail) => {
      for (const params of casesOf(mail)) {
        const inIt = (language: string) => renderMail(mail, { ...params, language }, extraOf(mail));
        const { subject, text, html } = inIt(PSEUDO.long);
        for (const body of [subject, text, html.replace(/<[^>]*>/g, ' ')]) {
          expect(plainWordsIn(body)).toEqual([]);
        }
        // The same words in English are found; those of earlier versions are stored.
        const found = plainWordsIn(inIt('en').text).length;
        expect(found > 3 || EARLIER.includes(mail)).toBe(true);
        expect(html).toContain('<html lang="en-XA">');
        expect(inIt(PSEUDO.mirrored).html).toContain('<html lang="ar-XB" dir="rtl">');
        // One of a version that had more languages.
        expect(inIt('xx').subject).toBe(subjectOf(mail, params));
        // Administrators read and search one form.
        expect(subjectOf(mail, { ...params, language: PSEUDO.long })).toBe(subjectOf(mail, params));
      }
    },
  );

  it.each(MAILS.map((mail) => [mail.kind, mail] as const))(
    '%s names what an erasure keeps, and of words only the title of the assessment',
    (_, mail) => {
      const shape = shapeOf(mail);
      if (mail.to !== 'candidate') expect(mail.kept).toEqual([]);
      else expect(mail.kept).toContain('title');
      for (const name of mail.kept) {
        const schema = shape[name];
        expect(schema, name).toBeInstanceOf(z.ZodType);
        if (schema instanceof z.ZodString && schema.meta()?.is === 'words') {
          expect(name).toBe('title');
        }
      }
      // The parameters that are kept still give a subject.
      const params = Object.entries(paramsOf(mail)).filter(([name]) => mail.kept.includes(name));
      if (!EARLIER.includes(mail))
        expect(subjectOf(mail, Object.fromEntries(params))).toMatch(/\S/);
    },
  );

  it('with a sentence as a parameter would be found', () => {
    expect(() => sampleParams(z.object({ reason: z.string() }))).toThrow('is no code');
  });
});

describe('queued mail', () => {
  const app = setUpApp();

  it('is found by the subject that it is sent with, and stores no sentence', async () => {
    const { db } = app.context;
    const queued = MAILS.filter((mail) => mail !== testMessage && mail !== receipt);
    for (const mail of queued) {
      for (const params of formsOf(mail)) {
        const secret = mail.secret === null ? {} : { secret: LINK };
        const message = { recipient: `${newId()}@example.org`, params, ...secret };
        await inTransaction(db, (tx) =>
          queueMail(tx, app.context, 'https://a.example', mail, [message], app.clock.now()),
        );
        const subject = subjectOf(mail, params);
        const found = async (search: string) => {
          const page = { limit: 1_000, offset: 0 };
          return (await pageOutbox(db, page, { search }, SUBJECTS)).rows.filter(
            ({ recipient }) => recipient === message.recipient,
          );
        };
        for (const search of [subject, subject.slice(2), subject.slice(0, -1), subject.slice(-3)]) {
          expect(await found(search), search).toHaveLength(1);
        }
        expect(await found(`${subject} and more`)).toEqual([]);
        const rows = await found(message.recipient);
        expect(rows.map(storedSubject)).toEqual([subject]);
        expect(rows).toMatchObject([{ kind: mail.kind, subject: subjectWords(mail, params) }]);
      }
    }
    await expect(
      inTransaction(db, (tx) =>
        queueMail(
          ...([tx, app.context, 'https://a.example', earlierLink] as const),
          [{ recipient: 'a@example.org', params: { subject: '', paragraphs: [] } }],
          app.clock.now(),
        ),
      ),
    ).rejects.toThrow('the secret of password_reset');
  });

  it('is in the language of its reader; one in English is stored as earlier versions stored it', async () => {
    const params = { publicUrl: 'https://a.example' };
    const stored = (language?: string) =>
      messageRow(
        ...([app.context, 'https://a.example', passwordChanged] as const),
        { recipient: 'a@example.org', params, language },
        app.clock.now(),
      );
    for (const row of [stored(), stored('en')]) expect(row.variables).toEqual(params);
    const { subject, html } = renderMail(
      ...([passwordChanged, stored(PSEUDO.mirrored).variables, undefined] as const),
    );
    expect(subject).not.toMatch(/[a-z]/);
    expect(html).toContain('<div dir="rtl"');
    expect(stored(PSEUDO.mirrored).subject).toBe(stored().subject);
  });
});
