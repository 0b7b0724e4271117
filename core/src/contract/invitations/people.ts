import { z } from 'zod';
import { PEOPLE_LIMITS } from '../../domain/limits.ts';
import {
  FIELD_KINDS,
  isGroupName,
  isLanguageTag,
  personText,
  whyNotFieldNames,
} from '../../domain/people.ts';
import { isVisible, notVisible } from '../../domain/typed-text.ts';
import { t } from '../../texts/i18n.ts';
import { atMostGroups, languageCode } from '../../texts/people-rows.ts';
import { boundedText } from '../definition/bounded-text.ts';
import {
  classified,
  PersonFields as KnownFields,
  PersonEmail,
  PersonText,
  PersonTexts,
} from '../definition/classified.ts';
import { EmailAddress } from '../definition/email-address.ts';
import { endpoint, Id, Instant, page } from '../definition/endpoint.ts';
import { atMostCharacters, ENTER_NAME } from '../definition/field-problems.ts';
import { TABLE, TableFormat } from '../definition/table-format.ts';

const text = boundedText(PEOPLE_LIMITS.textMaxCharacters, personText).refine(isVisible, {
  error: notVisible,
});

const EXTRA_TIME_BOUNDS = {
  error: () =>
    t('field.extraTime', 'Enter a percentage from 0 to {max}', {
      max: PEOPLE_LIMITS.extraTimeMaxPercent,
    }),
};

const details = {
  givenName: text,
  familyName: text,
  /** Student or employee number; empty: none. */
  externalId: text,
  groups: z
    .array(
      text.min(1, ENTER_NAME).refine(isGroupName, {
        error: () =>
          t('field.groupName', 'A name of a group has no semicolon and no vertical line'),
      }),
    )
    .max(PEOPLE_LIMITS.groupsMax, { error: atMostGroups }),
  /** BCP 47; empty: unknown. */
  language: text.refine((tag) => tag === '' || isLanguageTag(tag), { error: languageCode }),
  /** Values by the id of the installation's own fields; an empty value is none. */
  fields: z.record(Id, text),
};

/** Percent beside the regular time. */
const extraTime = z
  .number(EXTRA_TIME_BOUNDS)
  .min(0, EXTRA_TIME_BOUNDS)
  .max(PEOPLE_LIMITS.extraTimeMaxPercent, EXTRA_TIME_BOUNDS);

/** Stored details of a person; older names may have what is refused now. */
const known = {
  givenName: PersonText,
  familyName: PersonText,
  externalId: PersonText,
  groups: PersonTexts,
  language: PersonText,
  fields: KnownFields,
};

/** A field that the installation has for its people, as it is stored. */
const StoredField = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  choices: z.array(z.string()),
  isPersonal: z.boolean(),
});

/** One that is to be stored. */
export const PersonField = StoredField.extend({
  name: text.min(1, ENTER_NAME),
  choices: z.array(text.min(1)).max(PEOPLE_LIMITS.choicesMax),
}).refine(({ kind, choices }) => (kind === 'choice') === choices.length > 0, {
  path: ['choices'],
  error: () => t(/* the choices of a field */ 'field.choices', 'Enter what can be selected'),
});

const PersonFields = z
  .array(PersonField)
  .max(PEOPLE_LIMITS.fieldsMax, {
    error: () =>
      t(
        /* of people */ 'field.fields',
        '{max, plural, one {At most # field} other {At most # fields}}',
        { max: PEOPLE_LIMITS.fieldsMax },
      ),
  })
  .refine((fields) => new Set(fields.map(({ id }) => id)).size === fields.length, {
    error: () => t('field.fieldIds', 'Every field needs an id of its own'),
  })
  .superRefine((fields, context) => {
    const message = whyNotFieldNames(fields.map(({ name }) => name));
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

export const listPersonFields = endpoint('GET /api/people/fields', ['anywhere: people.see'], {
  summary: 'The fields that this installation has for its people beside those of everyone',
  responses: { 200: z.array(StoredField) },
});

export const setPersonFields = endpoint(
  'PUT /api/people/fields',
  ['installation: installation.manage'],
  {
    audit: 'people.fields_changed',
    summary:
      'Replace them, in the order of their columns; what people have in a removed one is deleted',
    /** `before`: as they were read; others that are stored are STALE. */
    body: z.object({
      fields: PersonFields,
      before: z.array(StoredField).max(PEOPLE_LIMITS.fieldsMax).optional(),
    }),
    responses: { 200: z.array(StoredField) },
    errors: ['STALE'],
  },
);

/** Someone who is or was invited, or is on a list of people. */
export const Person = z.object({
  id: z.string(),
  /** null once the person is erased */
  email: PersonEmail,
  ...known,
  /**
   * Percent beside the regular time, which a new invitation starts with. The installation's: 0 for those who
   * do not see everyone, as note and former addresses are empty.
   */
  extraTime: classified(['person'], z.number(), 0),
  note: PersonText,
  /** The latest last. */
  formerEmails: PersonTexts,
  createdAt: Instant,
});
export type Person = z.infer<typeof Person>;

const PeopleFilter = {
  /** Searched in address, name, number, group and field. */
  search: z.string().trim().max(320).optional(),
  group: z.string().max(PEOPLE_LIMITS.textMaxCharacters).optional(),
};

export const listPeople = endpoint('GET /api/people', ['anywhere: people.see'], {
  summary: 'People, by family name and given name; total in X-Total-Count',
  query: z.object({
    ...PeopleFilter,
    ...page(100),
  }),
  responses: { 200: z.array(Person) },
});

export const listPersonIds = endpoint('GET /api/people/ids', ['anywhere: people.see'], {
  summary:
    'The ids and addresses of all people of a filter, read at one moment, in the order of the list',
  query: z.object(PeopleFilter),
  responses: { 200: z.array(z.object({ id: z.string(), email: PersonText })) },
  cost: 20,
});

export const listGroups = endpoint('GET /api/people/groups', ['anywhere: people.see'], {
  summary: 'Groups of people with their size, by name',
  responses: { 200: z.array(z.object({ group: z.string(), people: z.int() })) },
});

export const getPerson = endpoint('GET /api/people/:id', ['person: people.see'], {
  summary: 'One person',
  responses: { 200: Person },
});

export const updatePerson = endpoint('PUT /api/people/:id', ['person: people.invite'], {
  audit: 'person.changed',
  summary:
    'Change what is known of a person; what is absent stays. A new address is the one to sign in with from then on. Without a right over all people it changes what one’s own assessments have of the person, and neither address, note nor extra time',
  body: z.object({
    email: EmailAddress.optional(),
    ...z.object({ ...details, extraTime }).partial().shape,
    note: z
      .string()
      .trim()
      .max(PEOPLE_LIMITS.noteMaxCharacters, atMostCharacters(PEOPLE_LIMITS.noteMaxCharacters))
      .optional(),
    /** The replaced values as they were read; if others are stored, the call is STALE. */
    before: Person.omit({ id: true, formerEmails: true, createdAt: true }).partial().optional(),
  }),
  responses: { 200: Person },
  errors: ['EMAIL_TAKEN', 'EXTERNAL_ID_TAKEN', 'STALE'],
});

/** A row of a list; without an address it is found by its number. What is absent or empty stays as it is. */
export const PersonInput = z.object({
  email: z.string().max(320).default(''),
  ...z.object({ ...details, extraTime }).partial().shape,
  /** The person is found by the number, and gets this address. */
  isNewAddress: z.boolean().optional(),
});
export type PersonInput = z.input<typeof PersonInput>;

/** The result of importing a row. */
export const PersonOutcome = z.object({
  status: z.enum(['added', 'changed', 'unchanged', 'refused']),
  id: z.string().optional(),
  /** Why the row is refused, and in which cell that can be corrected. */
  reason: z.string().optional(),
  at: z.enum(['email', 'externalId']).optional(),
  /** An earlier row about the same person, counted from 1. */
  sameAs: z.number().optional(),
  /** Someone else's number: with `isNewAddress` it is theirs, and the row would be stored. */
  mayBeNewAddress: z.literal(true).optional(),
  /** Details that the row changes: before, and then. */
  changes: classified(
    ['person'],
    z.array(z.object({ column: z.string(), from: z.string(), to: z.string() })).optional(),
    undefined,
  ),
});
export type PersonOutcome = z.infer<typeof PersonOutcome>;

export const importPeople = endpoint('POST /api/people/import', ['installation: people.invite'], {
  audit: 'people.imported',
  summary:
    'Add people, or change those with the same address or number; groups are added to theirs. All or, where a row is refused, none; a dry run stores nothing',
  body: z.object({
    people: z
      .array(PersonInput)
      .min(1, { error: () => t('field.people', 'Enter at least one person') })
      .max(PEOPLE_LIMITS.rowsPerImport, {
        error: () =>
          t(
            'field.maxPeople',
            '{max, plural, one {At most # person at a time} other {At most # people at a time}}',
            { max: PEOPLE_LIMITS.rowsPerImport },
          ),
      }),
    /** Whether the groups of a row replace those that the person has; else they are added. */
    replacesGroups: z.boolean().default(false),
    dryRun: z.boolean(),
  }),
  responses: { 200: z.object({ outcomes: z.array(PersonOutcome), isStored: z.boolean() }) },
  bodyLimit: PEOPLE_LIMITS.importBytes,
  cost: 20,
});

export const readPeopleSheet = endpoint('POST /api/people/read', ['anywhere: people.invite'], {
  audit: { none: 'reads only' },
  summary:
    'The rows of the first sheet of an Excel workbook (the body), dates as 2026-05-14, with a time as 2026-05-14 10:00; stores nothing',
  body: z.instanceof(Uint8Array),
  responses: {
    200: z.object({
      rows: z.array(z.array(z.string())),
      /** The number of each row in the sheet: blank ones are left out. */
      lines: z.array(z.number()),
      /** Notes on what was left out, such as further sheets. */
      notes: z.array(z.string()),
    }),
  },
  errors: ['IMPORT_BUSY'],
  bodyLimit: PEOPLE_LIMITS.importBytes,
  consumes: ['application/octet-stream'],
  isBulk: true,
  cost: 20,
});

export const exportPeople = endpoint('GET /api/people/export', ['anywhere: people.see'], {
  audit: 'people.exported',
  summary: 'The people of a filter as CSV or as an Excel workbook, which can be imported again',
  query: z.object({ ...PeopleFilter, format: TableFormat.default('csv') }),
  ...TABLE,
  cost: 20,
});
