import type { EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { newId } from '../server/src/db/new-id.ts';
import type { CallInput } from './app.ts';
import { ADMIN, type Candidate, type MadeQuiz } from './factories.ts';
import { STILL } from './stills.ts';

/** What calls are about; `attempt` stands for every id that is no question's or assessment's. */
export interface Subjects {
  quiz: MadeQuiz;
  attempt: string;
  violation: string;
  candidate: Candidate;
}

/** A call of every endpoint in which everything is valid except perhaps the caller. */
export function callsOn({
  quiz,
  attempt,
  violation,
  candidate,
}: Subjects): Record<EndpointName, CallInput> {
  const [question] = quiz.questions;
  const params = { id: attempt };
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
    getPasswordResetWays: {},
    requestPasswordReset: { body: { email: 'a@example.org' } },
    setResetPassword: { body: { token: 'x', newPassword: 'granite lantern otter' } },
    confirmPassword: { body: { currentPassword: ADMIN.password } },
    me: {},
    logout: {},
    listCategories: {},
    createCategory: { body: { name: 'N' } },
    updateCategory: { params, body: { name: 'N' } },
    deleteCategory: { params },
    listQuizzes: {},
    createQuiz: { body: quizBody },
    updateQuiz: { params: { id: quiz.id }, body: quizBody },
    deleteQuiz: { params: { id: quiz.id } },
    listQuestions: { params: { id: quiz.id }, query: { forAssessment: 'true' } },
    createQuestion: { params: { id: quiz.id }, body: questionBody },
    updateQuestion: {
      params: { id: quiz.id, questionId: question?.id ?? '' },
      body: questionBody,
    },
    deleteQuestions: { params: { id: quiz.id }, body: { ids: [question?.id ?? ''] } },
    deleteQuestion: { params: { id: quiz.id, questionId: question?.id ?? '' } },
    importQuestions: { params: { id: quiz.id }, body: { questions: [questionBody] } },
    inviteToQuiz: { params: { id: quiz.id }, body: { emails: ['x@example.org'] } },
    listOutbox: {},
    readOutboxMessage: { params },
    revealOutboxMessage: { params, body: { currentPassword: ADMIN.password } },
    sendOutboxMessage: { params },
    getMailProblems: {},
    startParticipant: { body: { quizId: quiz.id } },
    listParticipants: {},
    exportParticipants: {},
    getParticipant: { params },
    heartbeat: { params, body: { seq: 1 } },
    giveFeedback: { body: { participantId: attempt, emoji: 'smile' } },
    listAnswers: { params },
    saveAnswers: { params, body: { answers: [change] } },
    submitParticipant: { params, body: { answers: [change] } },
    listLateAnswers: { params },
    getSmtpSettings: {},
    putSmtpSettings: { body: smtp },
    getStats: {},
    getStatsCharts: {},
    listQuizFigures: {},
    getQuizActivity: { params: { id: quiz.id } },
    previewInvitation: { params: { id: quiz.id }, body: {} },
    listInvitations: { params: { id: quiz.id } },
    resendInvitations: { params: { id: quiz.id }, body: { ids: [attempt] } },
    remindInvitations: { params: { id: quiz.id }, body: { ids: [attempt] } },
    countInvitations: { params: { id: quiz.id } },
    listInvitationIds: { params: { id: quiz.id } },
    makePasswords: { params: { id: quiz.id }, body: { ids: [quiz.id] } },
    exportPasswords: { params: { id: quiz.id }, body: { ids: [quiz.id] } },
    checkInviting: { params: { id: quiz.id } },
    findInvited: { params: { id: quiz.id }, body: { emails: ['x@example.org'] } },
    exportInvitations: { params: { id: quiz.id } },
    readDelivery: { params: { id: quiz.id }, body: { ids: [attempt] } },
    revokeInvitations: { params: { id: quiz.id }, body: { ids: [attempt] } },
    updateInvitation: {
      params,
      body: { extraTimeFactor: 1, cameraEnabled: true, microphoneEnabled: true, reason: 'r' },
    },
    getParticipantRecord: { params },
    extendParticipant: { params, body: { minutes: 5, reason: 'r' } },
    endParticipant: { params, body: { reason: 'r' } },
    replaceParticipant: { params, body: { how: 'another', reason: 'r' } },
    noteParticipant: { params, body: { note: 'n' } },
    exportPerson: { params },
    erasePerson: { params, body: { reason: 'r' } },
    duplicateQuiz: { params: { id: quiz.id } },
    previewQuiz: { params: { id: quiz.id } },
    getPreviewPaper: {},
    sendTestInvitation: { params: { id: quiz.id }, body: {} },
    listBank: {},
    listTags: {},
    listDuplicates: {},
    addToBank: { body: { definition } },
    getBankQuestion: { params: { id: question?.id ?? '' } },
    changeBankQuestion: { params: { id: question?.id ?? '' }, body: { note: 'n' } },
    rescoreBankQuestion: { params: { id: question?.id ?? '' }, body: { dryRun: true } },
    changeBankQuestions: { body: { ids: [question?.id ?? ''], addTags: ['t'] } },
    readImport: { query: { name: 'a.csv' }, body: new Uint8Array([65]) },
    importFile: { body: new TextEncoder().encode('{"name":"a.csv"}\nA') },
    checkExport: { query: { format: 'csv' } },
    exportQuestions: { query: { format: 'csv' } },
    getStructure: { params: { id: quiz.id } },
    checkStructure: { params: { id: quiz.id }, body: { structure } },
    setStructure: { params: { id: quiz.id }, body: { structure, negativeMarks: null } },
    reorderQuestions: { params: { id: quiz.id }, body: { ids: [] } },
    rescoreQuestion: {
      params: { id: quiz.id, questionId: question?.id ?? '' },
      body: { dryRun: true },
    },
    testSmtpSettings: { body: { to: 'a@example.org' } },
    listAdmins: {},
    createAdmin: { body: { email: 'b@example.org', password: 'correct horse battery' } },
    setGrants: { params, body: { grants: [] } },
    setOwnName: { body: { name: 'N' } },
    listOwnSessions: {},
    endOwnSession: { params },
    deleteAdmin: { params },
    changeOwnPassword: {
      body: { currentPassword: 'x', newPassword: 'correct horse battery' },
    },
    listAudit: {},
    exportAudit: {},
    getSystemInformation: {},
    getRetention: {},
    getInstitution: {},
    putInstitution: { body: { name: 'N', timeZone: null, publicUrl: null } },
    checkPublicUrl: { body: { publicUrl: 'http://localhost:1' } },
    uploadImage: { body: Buffer.from('no image'), headers: { 'content-type': 'image/png' } },
    readImage: { params: { hash: 'a'.repeat(64) } },
    reportViolation: {
      body: { participantId: attempt, violationType: 'window_blur', notes: 'n' },
    },
    countViolation: { params },
    noteViolation: { params: { id: violation }, body: { note: 'n' } },
    getEndedAttempt: { params },
    noteAfterEnd: {
      params: { id: violation },
      body: { participantId: attempt, token: 'x'.repeat(43), note: 'n' },
    },
    uploadEvidence: {
      params,
      body: { id: newId(), violationId: violation, stills: [{ offsetMs: 0, jpeg: STILL }] },
    },
    sendThumbnail: { params, body: { jpeg: STILL } },
    readEvidence: { query: { participantId: attempt } },
    giveVerdict: { params, body: { verdict: 'no_concern', note: 'n' } },
    streamLive: {},
    getLiveCount: {},
    watchParticipant: { params },
    applyToMany: {
      body: { id: newId(), ids: [attempt], action: { kind: 'end' }, reason: 'r' },
    },
    getReceiptKey: {},
    verifyReceipt: { body: { receipt: 'a.b' } },
    listMessages: { params },
    sendMessage: { params, body: { text: 'm' } },
    streamParticipant: { params },
    streamOpening: {},
    putRetention: { body: { days: 30 } },
    secondStep: { body: { pending: 'x'.repeat(43), code: '000000' } },
    getTotp: {},
    beginTotp: { body: { currentPassword: 'x' } },
    confirmTotp: { body: { code: '000000' } },
    renewRecoveryCodes: { body: { currentPassword: 'x', code: '000000' } },
    switchOffTotp: { body: { currentPassword: 'x', code: '000000' } },
    resetTotp: { params },
    getSignInPolicy: {},
    putSignInPolicy: { body: { totpRequired: false } },
  };
}
