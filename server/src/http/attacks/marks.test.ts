import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { RELEASED_PARTS } from '@invigil/core/domain/results/release';
import {
  DATA_CLASSES,
  type DataClass,
  isNowhere,
  ROLES,
  type Role,
  reachOfClass,
} from '@invigil/core/domain/rights';
import type { CallInput } from '@invigil/testkit/app';
import {
  ADMIN,
  type AppWithAdmin,
  inviteCandidate,
  newestCodes,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { CHANGES_TOO_MUCH, callOn, makeSide, type Side, withGrants } from '@invigil/testkit/sides';
import { inForm } from '@invigil/testkit/test-form';
import { beforeAll, describe, expect, it } from 'vitest';
import { namesIn } from '../../trust/table-list.ts';

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

/**
 * Every column of text, bytes or JSON, by what it tells: a class of data; a secret, which no answer has; or
 * what belongs to an object and is seen with it. A new column is missing here, and fails the test.
 */
const COLUMNS: Record<DataClass | 'secret' | 'open', Record<string, string>> = {
  person: {
    users:
      'email external_id family_name given_name former_emails fields groups note language search_text',
    invitations: 'entered',
    participants: 'consent_address device device_check',
    participant_events: 'details',
    participant_messages: 'text',
    certificates: 'content number',
    outbox: 'recipient subject variables',
    live_frames: 'frame',
  },
  score: { result_releases: 'result', participants: 'sections' },
  key: { question_versions: 'details correction', questions: 'search_text' },
  secret: {
    admin_recovery_codes: 'code_hash',
    admin_totp: 'sealed_secret',
    admins: 'password_hash',
    evidence_keys: 'sealed_key',
    invitation_codes: 'code_hash',
    key_check: 'sealed_word',
    outbox: 'sealed_code',
    password_resets: 'token_hash',
    pending_sign_ins: 'token_hash',
    preview_codes: 'code_hash token_hash',
    sessions: 'token_hash',
    sign_in_failures: 'key',
    smtp_settings: 'sealed_password',
    still_hashes: 'hash',
    users: 'sealed_key',
  },
  open: {
    admins: 'email grants language name',
    answers: 'response',
    audit_entries: 'action details hash subject_type',
    audit_head: 'hash',
    categories: 'description name',
    feedback: 'emoji text',
    images: 'hash media_type sources',
    invitations: 'own_times',
    institution: 'language_checks languages logo name person_fields public_url time_zone',
    late_answers: 'response',
    outbox: 'kind last_error last_reply message_id state',
    participant_events: 'kind',
    participants:
      'close_reason consent_language consent_text_version language negative_marks note pause_reason receipt_id replaced_how status submission_type verdict verdict_note',
    question_versions: 'option_texts question',
    questions: 'difficulty note tags',
    quiz_policies: 'settings',
    quizzes:
      'common_starts description languages negative_marks practice_token release_rules reminders result_rules retakes start_together structure time_rules title',
    sessions: 'end_reason',
    smtp_settings: 'fault fault_text from_email host username',
    violations: 'answer candidate_note engine notes type',
    works: 'failure kind name result',
  },
};
const SEALS = /^(result_)?seal$/;

/** A mark says its class and where it is. */
const MARKED = /mk-(person|key)-[a-z_]+/g;

async function callAs(app: AppWithAdmin, name: EndpointName, input: CallInput) {
  const reply = await app.call(name, { as: app.admin, ...input });
  expect(reply.status, `${name} ${reply.text}`).toBeOneOf([200, 201]);
  return reply.body;
}

/** Ends the attempt of a side, releases its result and certifies it. */
async function release(app: AppWithAdmin, { quiz, candidate, attempt }: Side) {
  const call = (name: EndpointName, input: CallInput) => callAs(app, name, input);
  await call('sendMessage', {
    params: { id: attempt },
    body: { text: `mk-person-message`, id: quiz.id },
  });
  const answers = quiz.questions.slice(0, 3).map(({ id, correctAnswer }) => ({
    ...{ questionId: id, selectedOption: correctAnswer, isFlagged: false, revision: 1 },
  }));
  const params = { id: attempt };
  await call('saveAnswers', { as: candidate.cookie, params, body: { answers } });
  await call('submitParticipant', { as: candidate.cookie, params, body: {} });
  const ofQuiz = { params: { id: quiz.id } };
  const passMark = { passMark: { percent: 10 }, sectionMarks: [], grades: [] };
  await call('setResultRules', { ...ofQuiz, body: { rules: passMark, dryRun: false } });
  const parts = [...RELEASED_PARTS];
  await call('setReleaseRules', {
    ...ofQuiz,
    body: { rules: { parts, when: { kind: 'by_hand' }, openDays: 30 } },
  });
  await call('releaseResults', { ...ofQuiz, body: {} });
  await call('issueCertificate', { params });
}

/** Marks all that is known of a side's person, as it was before a call changed it. */
async function mark(app: AppWithAdmin, { quiz, attempt, ids }: Side): Promise<void> {
  const field = { id: quiz.id, name: 'Field', kind: 'text', choices: [], isPersonal: true };
  await callAs(app, 'setPersonFields', { body: { fields: [field] } });
  const text = (name: string) => `mk-person-${name}`;
  const known = (of: string) => ({
    givenName: text(`${of}_given`),
    familyName: text(`${of}_family`),
    externalId: text(`${of}_number`),
    groups: [text(`${of}_group`)],
    fields: { [quiz.id]: text(`${of}_field`) },
  });
  const { givenName, familyName, externalId, groups, fields } = known('users');
  await app.pool.query(
    `update users set given_name = $2, family_name = $3, external_id = $4, groups = $5, fields = $6,
       former_emails = $7, note = $8 where id = $1`,
    [
      ...[ids.person, givenName, familyName, externalId, groups, fields],
      ...[[text('former@example.org')], text('note')],
    ],
  );
  await app.pool.query('update invitations set entered = $2 where id = $1', [
    ids.invitation,
    known('entered'),
  ]);
  await app.pool.query(
    `update participants set consent_text_version = '1', consent_at = started_at, consent_address = $2,
       device_check = $3, device = $4 where id = $1`,
    [
      ...[attempt, text('address'), { label: text('camera') }],
      { ipv4: text('network'), kind: 'phone' },
    ],
  );
  await app.pool.query(
    `insert into participant_events (id, participant_id, kind, at, details)
     values (gen_random_uuid(), $1, 'device_changed', now(), $2)`,
    [attempt, { from: { ipv4: text('network_before') }, to: { ipv6: text('network_after') } }],
  );
}

describe('a mark in every column that not everyone may read', () => {
  const app = setUpAppWithAdmin();
  let side: Side;
  /** Values that tell as much as a mark, by their class. */
  const others: Record<string, string[]> = { score: ['40.11'] };
  const seen = new Set<string>();

  beforeAll(async () => {
    const definitions = Array.from({ length: 5 }, (_, i) => ({
      ...plainDefinition(`Question ${i}`, ['a', 'b', 'c'], 'a'),
      points: 13.37,
      explanation: `mk-key-explanation`,
    }));
    side = await makeSide(app, 'Marked', definitions);
    await release(app, side);
  });

  /** All secrets of the database, as an answer would have them. */
  async function readSecrets(): Promise<string[]> {
    const columns = Object.entries(COLUMNS.secret).flatMap(([table, names]) =>
      namesIn(names).map((name) => [table, name]),
    );
    const found = await Promise.all(
      columns.map(([table, name]) => app.pool.query(`select ${name} as value from ${table}`)),
    );
    return found
      .flatMap(({ rows }) => rows.map(({ value }) => value))
      .filter((value) => value !== null)
      .flatMap((value) =>
        Buffer.isBuffer(value)
          ? (['hex', 'base64', 'base64url'] as const).map((form) => value.toString(form))
          : [String(value)],
      );
  }

  /** The marks in an answer, and the values that tell as much as a mark. */
  function foundIn(text: string): string[] {
    const told = Object.entries(others).flatMap(([name, texts]) =>
      texts.filter((one) => text.includes(one)).map((one) => `mk-${name}-${one}`),
    );
    return [...new Set([...text.matchAll(MARKED)].map(([one]) => one)), ...told];
  }

  /**
   * Plays every call, those that change something last; says what answers tell beyond some classes. Not the
   * event streams: who may open one sees people.
   */
  async function play(as: string | undefined, shows: ReadonlySet<string>): Promise<string[]> {
    await mark(app, side);
    const { rows } = await app.pool.query('select number from certificates');
    others.person = [side.candidate.email, ...rows.map(({ number }) => number)];
    others.secret = await readSecrets();
    const isPlayed = (name: EndpointName) =>
      !CHANGES_TOO_MUCH.has(name) && (ENDPOINTS[name] as Endpoint).produces !== 'text/event-stream';
    const isRead = (name: EndpointName) => ENDPOINTS[name].method === 'GET';
    const names = NAMES.filter(isPlayed).toSorted((a, b) => Number(isRead(b)) - Number(isRead(a)));
    const problems: string[] = [];
    for (const name of names.filter((one) => one !== 'logout')) {
      const { text } = await callOn(app, name, side, as);
      for (const one of foundIn(text)) {
        seen.add(one);
        const [, kind = ''] = one.split('-');
        if (!shows.has(kind)) problems.push(`${name} tells ${one}`);
      }
    }
    return problems;
  }

  it('is of a column that the list has', async () => {
    const { rows } = await app.pool.query(
      `select table_name as table, column_name as name from information_schema.columns
       where table_schema = 'public' and data_type in ('text', 'ARRAY', 'jsonb', 'bytea')
         and udt_name not in ('_int2', '_int4', '_uuid')`,
    );
    const stored = rows.map(({ table, name }) => `${table}.${name}`);
    const listed = Object.values(COLUMNS).flatMap((tables) =>
      Object.entries(tables).flatMap(([table, names]) =>
        namesIn(names).map((name) => `${table}.${name}`),
      ),
    );
    const unsealed = stored.filter((name) => !SEALS.test(name.split('.')[1] ?? ''));
    expect(unsealed.toSorted()).toEqual(listed.toSorted());
  });

  const scopes = inForm({ short: ['quiz'] as const, long: ['quiz', 'category', 'all'] as const });
  describe.each(ROLES)('is shown to %s', (role: Role) => {
    it.each(scopes)('of one %s only where its class is', async (scope) => {
      const { quizId, categoryId } = { quizId: side.ids.quiz, categoryId: side.ids.category };
      const place = scope === 'quiz' ? { quizId } : scope === 'category' ? { categoryId } : {};
      const grants = [{ role, ...place }];
      const shows = DATA_CLASSES.filter((name) => !isNowhere(reachOfClass(grants, name)));
      expect(await play(await withGrants(app, grants), new Set(shows))).toEqual([]);
    });
  });

  it('is shown to nobody else: a candidate, a preview, a stranger', async () => {
    const other = await inviteCandidate(app, app.admin, side.quiz.id, 'other@example.org');
    await app.call('startParticipant', { as: other.cookie, body: {} });
    expect(await play(other.cookie, new Set())).toEqual([]);
    const params = { id: side.quiz.id };
    await app.call('sendTestInvitation', { as: app.admin, params, body: {} });
    const [password = ''] = await newestCodes(app, [ADMIN.email]);
    const preview = await app.call('login', { body: { email: ADMIN.email, password } });
    expect(preview.cookie).toBeDefined();
    expect(await play(preview.cookie, new Set())).toEqual([]);
    expect(await play(undefined, new Set())).toEqual([]);
    const { rows } = await app.pool.query(
      'select subject, variables from outbox where recipient <> $1',
      [side.candidate.email],
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(foundIn(JSON.stringify(rows))).toEqual([]);
  });

  it('is shown to an owner, so that it would be found', async () => {
    expect(await play(app.admin, new Set(DATA_CLASSES))).toEqual([]);
    const known = ['family', 'field', 'given', 'group', 'number'];
    const persons = [
      ...['address', 'camera', 'former', 'message', 'network_after', 'network_before', 'note'],
      ...known.flatMap((one) => [`entered_${one}`, `users_${one}`]),
      ...(others.person ?? []),
    ];
    const all = [
      ...persons.map((one) => `mk-person-${one}`),
      'mk-key-explanation',
      'mk-score-40.11',
    ];
    expect([...seen].toSorted()).toEqual(all.toSorted());
  });
});
