import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { newId } from '../server/src/db/new-id.ts';
import type { CallInput } from './app.ts';
import { ADMIN, type Candidate, type MadeQuiz } from './factories.ts';
import { STILL } from './stills.ts';

/** The objects of calls; `attempt` stands for every id that is no question's or assessment's. */
export interface Subjects {
  quiz: MadeQuiz;
  attempt: string;
  violation: string;
  candidate: Candidate;
}

/** A call of an endpoint in which everything is valid except perhaps the caller. */
export function callOf(name: EndpointName, subjects: Subjects): CallInput {
  const keys = [...ENDPOINTS[name].path.matchAll(/:(\w+)/g)].map(([, key = '']) => key);
  if (keys.length === 0) return contentsOn(subjects)[name] ?? {};
  const [, resource = ''] = /^\/api\/([\w-]+)/.exec(ENDPOINTS[name].path) ?? [];
  const { quiz, attempt, violation } = subjects;
  const question = quiz.questions[0]?.id ?? '';
  const own = { quizzes: quiz.id, questions: question, violations: violation }[resource];
  const values = {
    id: own ?? (name === 'noteAfterEnd' ? violation : attempt),
    ...{ questionId: question, hash: 'a'.repeat(64), number: 'AAAAA-BBBBB-CCCCC' },
    token: 'a'.repeat(22),
  };
  const params = Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
  return { params, ...contentsOn(subjects)[name] };
}

/** The input of such calls beside the ids in their paths. */
function contentsOn({
  quiz,
  attempt,
  violation,
  candidate,
}: Subjects): Partial<Record<EndpointName, CallInput>> {
  const [question] = quiz.questions;
  const change = {
    questionId: question?.id ?? '',
    selectedOption: question?.options[0] ?? '',
    isFlagged: false,
    revision: 1,
  };
  const quizBody = { title: 'T', categoryId: quiz.id, duration: 5, totalQuestions: 5 };
  const questionBody = { question: 'Q', options: ['a', 'b'], correctAnswer: 'a' };
  const definition = plainDefinition('Q', ['a', 'b'], 'a');
  const structure = { sections: [{ title: 'All', isShuffled: true, items: [] }] };
  const smtp = {
    host: 'mail.example.org',
    port: 587,
    username: 'u',
    password: 'p',
    fromEmail: 'a@example.org',
  };
  return {
    login: { body: { email: candidate.email, password: candidate.code } },
    requestPasswordReset: { body: { email: 'a@example.org' } },
    setResetPassword: { body: { token: 'x', newPassword: 'granite lantern otter' } },
    confirmPassword: { body: { currentPassword: ADMIN.password } },
    createCategory: { body: { name: 'N' } },
    updateCategory: { body: { name: 'N' } },
    createQuiz: { body: quizBody },
    updateQuiz: { body: quizBody },
    listQuestions: { query: { forAssessment: 'true' } },
    createQuestion: { body: questionBody },
    updateQuestion: { body: questionBody },
    deleteQuestions: { body: { ids: [question?.id ?? ''] } },
    importQuestions: { body: { questions: [questionBody] } },
    updatePerson: { body: { givenName: 'N' } },
    importPeople: { body: { people: [{ email: 'x@example.org' }], dryRun: true } },
    setPersonFields: { body: { fields: [] } },
    readPeopleSheet: {
      body: Buffer.from('no workbook'),
      headers: { 'content-type': 'application/octet-stream' },
    },
    inviteToQuiz: { body: { emails: ['x@example.org'] } },
    revealOutboxMessage: { body: { currentPassword: ADMIN.password } },
    startParticipant: { body: { quizId: quiz.id } },
    heartbeat: { body: { seq: 1 } },
    askForHelp: { body: { handUp: true } },
    takeBreak: { body: { onBreak: true } },
    giveFeedback: { body: { participantId: attempt, emoji: 'smile' } },
    saveAnswers: { body: { answers: [change] } },
    submitParticipant: { body: { answers: [change] } },
    putSmtpSettings: { body: smtp },
    previewInvitation: { body: {} },
    resendInvitations: { body: { ids: [attempt] } },
    remindInvitations: { body: { ids: [attempt] } },
    makePasswords: { body: { ids: [quiz.id] } },
    exportPasswords: { body: { ids: [quiz.id] } },
    findInvited: { body: { emails: ['x@example.org'] } },
    readDelivery: { body: { ids: [attempt] } },
    revokeInvitations: { body: { ids: [attempt] } },
    updateInvitation: {
      body: { extraTimeFactor: 1, cameraEnabled: true, microphoneEnabled: true, reason: 'r' },
    },
    extendParticipant: { body: { minutes: 5, reason: 'r' } },
    endParticipant: { body: { reason: 'r' } },
    replaceParticipant: { body: { how: 'another', reason: 'r' } },
    grantLostTime: { body: { reason: 'r' } },
    noteParticipant: { body: { note: 'n' } },
    erasePerson: { body: { reason: 'r' } },
    sendTestInvitation: { body: {} },
    addToBank: { body: { definition } },
    changeBankQuestion: { body: { note: 'n' } },
    rescoreBankQuestion: { body: { dryRun: true } },
    changeBankQuestions: { body: { ids: [question?.id ?? ''], addTags: ['t'] } },
    readImport: { query: { name: 'a.csv' }, body: new Uint8Array([65]) },
    importFile: { body: new TextEncoder().encode('{"name":"a.csv"}\nA') },
    checkExport: { query: { format: 'csv' } },
    exportQuestions: { query: { format: 'csv' } },
    checkStructure: { body: { structure } },
    setStructure: { body: { structure, negativeMarks: null } },
    setReleaseRules: { body: { rules: null } },
    setPractice: { body: { isPractice: false, practiceQuizId: null, dryRun: true } },
    checkPracticeAnswer: { body: { questionId: question?.id ?? '', answer: '' } },
    startTogether: { body: { group: null } },
    setSchedule: { body: { rules: [], dryRun: true } },
    releaseResults: { body: {} },
    setResultRules: { body: { rules: null, dryRun: true } },
    reorderQuestions: { body: { ids: [] } },
    rescoreQuestion: { body: { dryRun: true } },
    testSmtpSettings: { body: { to: 'a@example.org' } },
    createAdmin: { body: { email: 'b@example.org', password: 'correct horse battery' } },
    setGrants: { body: { grants: [] } },
    setOwnName: { body: { name: 'N' } },
    changeOwnPassword: {
      body: { currentPassword: 'x', newPassword: 'correct horse battery' },
    },
    putInstitution: { body: { name: 'N', timeZone: null, publicUrl: null } },
    checkPublicUrl: { body: { publicUrl: 'http://localhost:1' } },
    uploadImage: { body: Buffer.from('no image'), headers: { 'content-type': 'image/png' } },
    reportViolation: {
      body: { participantId: attempt, violationType: 'window_blur', notes: 'n' },
    },
    noteViolation: { body: { note: 'n' } },
    noteAfterEnd: {
      body: { participantId: attempt, token: 'x'.repeat(43), note: 'n' },
    },
    uploadEvidence: {
      body: { id: newId(), violationId: violation, stills: [{ offsetMs: 0, jpeg: STILL }] },
    },
    sendThumbnail: { body: { jpeg: STILL } },
    readEvidence: { query: { participantId: attempt } },
    giveVerdict: { body: { verdict: 'no_concern', note: 'n' } },
    applyToMany: {
      body: { id: newId(), ids: [attempt], action: { kind: 'end' }, reason: 'r' },
    },
    verifyReceipt: { body: { receipt: 'a.b' } },
    sendMessage: { body: { text: 'm' } },
    putRetention: { body: { days: 30 } },
    secondStep: { body: { pending: 'x'.repeat(43), code: '000000' } },
    beginTotp: { body: { currentPassword: 'x' } },
    confirmTotp: { body: { code: '000000' } },
    renewRecoveryCodes: { body: { currentPassword: 'x', code: '000000' } },
    switchOffTotp: { body: { currentPassword: 'x', code: '000000' } },
    putSignInPolicy: { body: { totpRequired: false } },
  };
}
