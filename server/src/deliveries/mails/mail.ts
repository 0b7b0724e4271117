import { ROLES } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { z } from 'zod';
import { escapeHtml } from './escape-html.ts';

/** A text that is a parameter says what it is: none is a sentence of ours. */
const textOf = (is: 'words' | 'address' | 'time zone' | 'token') => z.string().meta({ is });

/** Words of people: a title, a name, an administrator's own text. */
export const WORDS = textOf('words');
/** The address of a page, or of a person. */
export const ADDRESS = textOf('address');
export const TIME_ZONE = textOf('time zone');
/** An id, a hash or a signature. */
export const TOKEN = textOf('token');
export const INSTANT = z.iso.datetime();

/** Who gave an administrator roles, and which; older messages do not say. */
export const GIVEN_ROLES = {
  /** Name and address; empty: not said. */
  by: WORDS.default(''),
  institution: WORDS.nullable().default(null),
  timeZone: TIME_ZONE.default('UTC'),
  /** `opensAt`: of the assessment, where it has not opened yet. */
  grants: z
    .array(
      z.object({
        role: z.enum(ROLES),
        ...{ quiz: WORDS.optional(), category: WORDS.optional(), opensAt: INSTANT.optional() },
      }),
    )
    .default([]),
};

/** A message as it is sent. */
export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
  /** An entry for the reader's calendar (RFC 5545). */
  calendar?: string;
}

/** The texts of a mail below its subject; paragraphs alone get the usual form. */
export type Written = readonly string[] | Omit<RenderedMessage, 'subject'>;

/** A kind of mail. `mails.ts` lists them all. */
export interface Mail<Params = unknown, Extra = unknown> {
  /** Names it in the database. */
  kind: string;
  to: 'candidate' | 'administrator' | 'operator';
  /** The facts it needs, stored with the message: codes, numbers, ids, times, and words of people. */
  params: z.ZodType<Params>;
  /** Which parameters stay when its candidate is erased, because they tell only about the assessment. */
  kept: readonly string[];
  /** A secret that is stored encrypted beside the parameters: only the recipient reads it. */
  secret: 'password' | 'link' | null;
  /**
   * Subjects by parameter. The first parameter that is set selects one, else it is `standard`. A subject may
   * end with a parameter in braces.
   */
  subject: Readonly<{ standard: string } & Record<string, string>>;
  /** Writes the text in English. `extra`: the secret, or the data that is read when the mail is sent. */
  write(params: Params, extra: Extra, subject: string): Written;
}

type Facts = 'kept' | 'secret';

/** A kind of mail from what is special about it. */
export function mail<Shape extends z.ZodRawShape, Extra = undefined>({
  params,
  ...about
}: Partial<Pick<Mail, Facts>> &
  Omit<Mail<z.output<z.ZodObject<Shape>>, Extra>, 'params' | Facts> & {
    params: Shape;
    kept?: readonly (keyof Shape & string)[];
  }): Mail<z.output<z.ZodObject<Shape>>, Extra> {
  return {
    ...{ kept: [], secret: null },
    ...about,
    params: z.object(params) as unknown as z.ZodType<z.output<z.ZodObject<Shape>>>,
  };
}

/** The parameter in braces, if there is one. */
export const HOLE = /\{(\w+)\}$/;

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

/** The form of a subject that fits parameters, and the words in it, which are empty once they were erased. */
function subjectParts({ subject }: Pick<Mail, 'subject'>, params: object) {
  const values = new Map<string, unknown>(Object.entries(params));
  const isSet = (name: string) => (values.get(name) ?? false) !== false;
  const form = Object.entries(subject).find(([name]) => isSet(name))?.[1] ?? subject.standard;
  const [, name = ''] = HOLE.exec(form) ?? [];
  return { form, words: inOneLine(String(values.get(name) ?? '')) };
}

/** The words of people in the subject of a mail with these parameters. */
export const subjectWords = (mail: Pick<Mail, 'subject'>, params: object): string =>
  subjectParts(mail, params).words;

/** The subject of a mail with these parameters, on one line. */
export function subjectOf(mail: Pick<Mail, 'subject'>, params: object): string {
  const { form, words } = subjectParts(mail, params);
  return form.replace(HOLE, () => words);
}

/** A message as it is sent, from what is stored. Throws where that does not fit the kind of mail. */
export function renderMail<Params, Extra>(
  kind: Mail<Params, Extra>,
  stored: unknown,
  extra: Extra,
): RenderedMessage {
  const params = kind.params.parse(stored);
  const subject = subjectOf(kind, params as object);
  const written = kind.write(params, extra, subject);
  return 'text' in written
    ? { subject, ...written }
    : { subject, ...letter(subject, written, kind.secret === 'link' ? String(extra) : null) };
}

/** Paragraphs, and a link behind them, which is not stored with them. */
function letter(subject: string, paragraphs: readonly string[], link: string | null) {
  const parts = paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`);
  if (link !== null) {
    const safe = escapeHtml(link);
    parts.push(`<p style="margin:0;word-break:break-all"><a href="${safe}">${safe}</a></p>`);
  }
  return {
    text: [...paragraphs, ...(link === null ? [] : [link])].join('\n\n'),
    html: page(subject, parts.join('\n')),
  };
}

/** The page of a mail around its content, which is escaped. */
export const page = (subject: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f6f9;color:#181e29;font:16px/24px 'IBM Plex Sans',system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dce0e5;border-radius:10px">
${content}
</div></body></html>
`;

/** A table of labels and values in a page. */
export function factsTable(facts: readonly (readonly [label: string, value: string])[]): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#444e5a">${label}</td><td style="padding:4px 0"><strong>${escapeHtml(value)}</strong></td></tr>`,
  );
  return `<table role="presentation" style="border-collapse:collapse;margin:0 0 24px">
${rows.join('\n')}
</table>`;
}

/** `Dear Ada King,`, or nothing where the name is not known. */
export const dear = (name: string): string[] => (name === '' ? [] : [`Dear ${isolated(name)},`]);
