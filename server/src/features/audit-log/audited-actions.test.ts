import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { makeScoredQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

/** The entries of each call of an administrator that changes something, or that takes something away. */
const AUDITED: Partial<Record<EndpointName, string>> = {
  changeOwnPassword: 'admin.password_changed',
  createAdmin: 'admin.added',
  deleteAdmin: 'admin.deleted',
  endOwnSession: 'admin.session_ended',
  setGrants: 'admin.roles_changed',
  setOwnName: 'admin.renamed',
  confirmTotp: 'admin.totp_enabled',
  putSignInPolicy: 'sign_in_policy.changed',
  renewRecoveryCodes: 'admin.recovery_codes_renewed',
  resetTotp: 'admin.totp_reset',
  switchOffTotp: 'admin.totp_disabled',
  addToBank: 'questions.added',
  changeBankQuestion: 'question.edited',
  changeBankQuestions: 'question.labeled',
  createCategory: 'category.created',
  deleteCategory: 'category.deleted',
  updateCategory: 'category.edited',
  uploadImage: 'image.uploaded',
  exportQuestions: 'questions.exported',
  importFile: 'questions.imported',
  createQuestion: 'questions.added',
  deleteQuestion: 'question.deleted',
  deleteQuestions: 'question.deleted',
  importQuestions: 'questions.added',
  reorderQuestions: 'questions.reordered',
  rescoreBankQuestion: 'question.rescored',
  rescoreQuestion: 'question.rescored',
  updateQuestion: 'question.edited',
  createQuiz: 'quiz.created',
  deleteQuiz: 'quiz.archived',
  duplicateQuiz: 'quiz.duplicated',
  updateQuiz: 'quiz.edited',
  setStructure: 'quiz.structured',
  exportAudit: 'audit.exported',
  putInstitution: 'institution.changed',
  putRetention: 'retention.changed',
  putSmtpSettings: 'smtp_settings.changed',
  testSmtpSettings: 'smtp_settings.tested',
  exportInvitations: 'invitations.exported',
  exportPasswords: 'invitations.passwords_made',
  inviteToQuiz: 'invitations.sent',
  makePasswords: 'invitations.passwords_made',
  remindInvitations: 'invitations.reminded',
  resendInvitations: 'invitations.resent',
  revokeInvitations: 'invitations.revoked',
  sendTestInvitation: 'invitation.tested',
  updateInvitation: 'invitation.accommodated',
  revealOutboxMessage: 'outbox.message_revealed',
  sendOutboxMessage: 'outbox.message_hastened',
  exportPeople: 'people.exported',
  importPeople: 'people.imported',
  setPersonFields: 'people.fields_changed',
  updatePerson: 'person.changed',
  applyToMany: 'participant.messaged',
  giveVerdict: 'participant.verdict_recorded',
  endParticipant: 'participant.ended',
  erasePerson: 'person.erased',
  exportParticipants: 'participants.exported',
  exportPerson: 'person.exported',
  extendParticipant: 'participant.extended',
  noteParticipant: 'participant.noted',
  replaceParticipant: 'participant.another_attempt',
  sendMessage: 'participant.messaged',
  releaseResults: 'quiz.results_released',
  setReleaseRules: 'quiz.release_set',
  issueCertificate: 'participant.certificate_issued',
  revokeCertificate: 'participant.certificate_revoked',
  setResultRules: 'quiz.results_set',
  exportQuizStatistics: 'statistics.exported',
};

/** Calls without an entry, and why. */
const NOT_AUDITED: Partial<Record<EndpointName, string>> = {
  confirmPassword: 'gives nothing by itself; what it is needed for has an entry',
  beginTotp: 'counts once it is confirmed',
  checkExport: 'says only what an export would leave out',
  readImport: 'only reads the file that was sent',
  checkStructure: 'only says what is wrong',
  checkPublicUrl: 'only says whether an address leads here',
  findInvited: 'only finds who is invited already',
  previewInvitation: 'only shows a text, without a password',
  readDelivery: 'only reads states of mail',
  readPeopleSheet: 'only reads the file that was sent',
};

const isOfAdmins = (access: unknown): boolean =>
  Array.isArray(access) && access.some((one) => one !== 'participant');
const writesOrExports = Object.entries(ENDPOINTS).filter(
  ([name, { method, access }]) =>
    isOfAdmins(access) && (method !== 'GET' || /export/i.test(name) || name === 'exportPerson'),
);

it('names every call of administrators that writes or exports', () => {
  const listed = [...Object.keys(AUDITED), ...Object.keys(NOT_AUDITED)];
  expect(listed.sort()).toEqual(writesOrExports.map(([name]) => name).sort());
});

it('every entry is recorded somewhere', () => {
  const files = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' });
  const source = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
    .join('\n');
  const missing = Object.values(AUDITED).filter((action) => !source.includes(`'${action}'`));
  expect(missing).toEqual([]);
});

describe('an entry', () => {
  const app = setUpAppWithAdmin();
  const actions = async () =>
    (await app.pool.query('select action from audit_entries order by at desc, id desc')).rows.map(
      ({ action }) => action,
    );
  const call = (name: EndpointName, input: object = {}) =>
    app.call(name, { as: app.admin, ...input });

  it('is left by a change of the own name', async () => {
    expect((await call('setOwnName', { body: { name: 'Ada' } })).status).toBe(200);
    expect((await actions())[0]).toBe('admin.renamed');
  });

  it('is left by an export of the statistics, which have the keys', async () => {
    const questions = ['One', 'Two'].map((text) => plainDefinition(text, ['a', 'b'], 'a'));
    const { id } = await makeScoredQuiz(app, app.admin, questions);
    const reply = await call('exportQuizStatistics', { params: { id }, query: { format: 'csv' } });
    expect(reply.status).toBe(200);
    const { rows } = await app.pool.query(
      "select subject_id from audit_entries where action = 'statistics.exported'",
    );
    expect(rows).toEqual([{ subject_id: id }]);
  });

  it('is in the transaction of its change: without it nothing is changed', async () => {
    const image = await onePixel();
    const upload = () =>
      call('uploadImage', { body: image, headers: { 'content-type': 'image/png' } });
    const rename = () => call('setOwnName', { body: { name: 'Grace' } });
    await app.pool.query(
      `alter table audit_entries add constraint refused
         check (action not in ('admin.renamed', 'image.uploaded')) not valid`,
    );
    expect([(await upload()).status, (await rename()).status]).toEqual([500, 500]);
    expect((await app.pool.query('select from images')).rowCount).toBe(0);
    expect((await app.pool.query("select from admins where name = 'Grace'")).rowCount).toBe(0);
    await app.pool.query('alter table audit_entries drop constraint refused');
    expect([(await upload()).status, (await rename()).status]).toEqual([201, 200]);
  });
});

function onePixel(): Promise<Buffer> {
  const create = { width: 8, height: 8, channels: 3, background: '#123456' } as const;
  return sharp({ create }).png().toBuffer();
}
