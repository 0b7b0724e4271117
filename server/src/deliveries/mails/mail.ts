import { currentLanguage, isRightToLeft } from '@invigil/core/domain/locale';
import { ROLES } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { inLanguage } from '../../runtime/language.ts';
import { escapeHtml } from './escape-html.ts';

/** A text that is a parameter says what it is: none is a sentence of ours. */
const textOf = (is: 'words' | 'address' | 'time zone' | 'token' | 'language') =>
  z.string().meta({ is });

/** Words of people: a title, a name, an administrator's own text. */
export const WORDS = textOf('words');
/** The address of a page, or of a person. */
export const ADDRESS = textOf('address');
export const TIME_ZONE = textOf('time zone');
/** An id, a hash or a signature. */
export const TOKEN = textOf('token');
export const INSTANT = z.iso.datetime();
/** The tag of a mail's language; absent: English. */
const LANGUAGE = textOf('language').optional();

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
   * Subjects in English by parameter: administrators read and search them. The first parameter that is set
   * selects one, else it is `standard`. A subject may end with a parameter in braces.
   */
  subject: Readonly<{ standard: string } & Record<string, string>>;
  /** The subject as it is sent, in the language in use. */
  writeSubject(params: Params): string;
  /** Writes the text in the language in use. `extra`: the secret, or the data that is read when the mail is sent. */
  write(params: Params, extra: Extra, subject: string): Written;
}

/** Subjects in the language in use, by the parameter that selects them. */
type Subjects<Params> = Readonly<
  { standard: (params: Params) => string } & Record<string, (params: Params) => string>
>;

type Facts = 'kept' | 'secret';
type Made = 'params' | 'subject' | 'writeSubject';

/** Parameters of which each is its own name in braces. */
const HOLES: object = new Proxy({}, { get: (_, name) => `{${String(name)}}` });

/** A kind of mail from what is special about it. */
export function mail<Shape extends z.ZodRawShape, Extra = undefined>({
  params,
  subjects,
  ...about
}: Partial<Pick<Mail, Facts>> &
  Omit<Mail<z.output<z.ZodObject<Shape>>, Extra>, Made | Facts> & {
    params: Shape;
    subjects: Subjects<z.output<z.ZodObject<Shape>>>;
    kept?: readonly (keyof Shape & string)[];
  }): Mail<z.output<z.ZodObject<Shape>>, Extra> {
  type Params = z.output<z.ZodObject<Shape>>;
  const english = inLanguage('en', () =>
    Object.entries(subjects).map(([name, write]) => [name, write(HOLES as Params)]),
  );
  return {
    ...{ kept: [], secret: null },
    ...about,
    params: z.object({ ...params, language: LANGUAGE }) as unknown as z.ZodType<Params>,
    subject: Object.fromEntries(english),
    writeSubject: (given) =>
      inOneLine((subjects[formOf(subjects, given)] ?? subjects.standard)(given)),
  };
}

/** The parameter in braces, if there is one. */
export const HOLE = /\{(\w+)\}$/;

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

/** The name of the form of a subject that fits parameters. */
function formOf(forms: object, params: object): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const isSet = (name: string) => (values.get(name) ?? false) !== false;
  return Object.keys(forms).find(isSet) ?? 'standard';
}

/** The form of a subject that fits parameters, and the words in it, which are empty once they were erased. */
function subjectParts({ subject }: Pick<Mail, 'subject'>, params: object) {
  const values = new Map<string, unknown>(Object.entries(params));
  const form = subject[formOf(subject, params)] ?? subject.standard;
  const [, name = ''] = HOLE.exec(form) ?? [];
  return { form, words: inOneLine(String(values.get(name) ?? '')) };
}

/** The words of people in the subject of a mail with these parameters. */
export const subjectWords = (mail: Pick<Mail, 'subject'>, params: object): string =>
  subjectParts(mail, params).words;

/** The subject of a mail with these parameters as administrators see it, on one line. */
export function subjectOf(mail: Pick<Mail, 'subject'>, params: object): string {
  const { form, words } = subjectParts(mail, params);
  return form.replace(HOLE, () => words);
}

/** A message as it is sent, in its language, from what is stored. Throws where that does not fit the kind of mail. */
export function renderMail<Params, Extra>(
  kind: Mail<Params, Extra>,
  stored: unknown,
  extra: Extra,
): RenderedMessage {
  const params = kind.params.parse(stored);
  const { language = 'en' } = params as { language?: string };
  return inLanguage(language, () => {
    const subject = kind.writeSubject(params);
    const written = kind.write(params, extra, subject);
    return 'text' in written
      ? { subject, ...written }
      : { subject, ...letter(subject, written, kind.secret === 'link' ? String(extra) : null) };
  });
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

const direction = () => (isRightToLeft() ? ' dir="rtl"' : '');

/**
 * The page of a mail around its content, which is escaped. Some programs show what is in the body alone. Addresses and
 * hashes break where a phone's line ends.
 */
export const page = (subject: string, content: string): string => `<!doctype html>
<html lang="${currentLanguage()}"${direction()}><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f6f9;color:#181e29;font:16px/24px 'IBM Plex Sans',system-ui,sans-serif">
<div${direction()} style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dce0e5;border-radius:10px;word-break:break-word">
${content}
</div></body></html>
`;

/** A sentence of a page around an element in it. No text that is stored has the character that keeps its place. */
export const sentenceAround = (element: string, write: (place: string) => string): string =>
  escapeHtml(write('\0')).replaceAll('\0', () => element);

/** Padding where a line begins: many mail programs know only left and right. */
export const paddingAtStart = (width: string): string =>
  `padding-${isRightToLeft() ? 'right' : 'left'}:${width}`;

/** A label with its value. */
type Fact = readonly [label: string, value: string];

/** Labels, each above its value, in a page: a phone has no room for both in a line. */
export function factsHtml(facts: readonly Fact[]): string {
  const parts = facts.map(
    ([label, value]) =>
      `<p style="margin:0 0 8px"><span style="color:#444e5a">${escapeHtml(label)}</span><br><strong>${escapeHtml(value)}</strong></p>`,
  );
  return `<div style="margin:0 0 24px">
${parts.join('\n')}
</div>`;
}

/** The same in plain text: `Duration:`. */
export const labelText = (label: string): string =>
  t(/* a label in front of its value: “Duration: 25 minutes” */ 'mail.label', '{label}:', {
    label,
  });

/** A table in plain text: the values are below each other. */
export function factLines(facts: readonly Fact[]): string[] {
  const width = Math.max(...facts.map(([label]) => labelText(label).length)) + 1;
  return facts.map(([label, value]) => labelText(label).padEnd(width) + value);
}

/** `Dear Ada King,`, or nothing where the name is not known. */
export const dear = (name: string): string[] =>
  name === ''
    ? []
    : [
        t(/* opens a mail; {name} is a person’s */ 'mail.dear', 'Dear {name},', {
          name: isolated(name),
        }),
      ];

/** A title within a sentence of plain text. */
export const quoted = (title: string): string =>
  t(
    /* the title of an assessment in the quotation marks of the language */ 'mail.quoted',
    '"{title}"',
    {
      title: isolated(title),
    },
  );
