import * as admins from './accounts/admins.ts';
import * as auth from './accounts/auth.ts';
import * as totp from './accounts/totp.ts';
import * as bank from './assessments/bank.ts';
import * as categories from './assessments/categories.ts';
import * as images from './assessments/images.ts';
import * as imports from './assessments/imports.ts';
import * as questionList from './assessments/question-list.ts';
import * as questions from './assessments/questions.ts';
import * as quizzes from './assessments/quizzes.ts';
import * as structure from './assessments/structure.ts';
import * as answers from './attempts/answers.ts';
import * as endedAttempt from './attempts/ended-attempt.ts';
import * as evidence from './attempts/evidence.ts';
import * as evidenceViews from './attempts/evidence-views.ts';
import * as ownParticipant from './attempts/own-participant.ts';
import * as receipts from './attempts/receipts.ts';
import * as violations from './attempts/violations.ts';
import type { Endpoint } from './definition/endpoint.ts';
import * as audit from './installation/audit.ts';
import * as retention from './installation/retention.ts';
import * as smtpSettings from './installation/smtp-settings.ts';
import * as system from './installation/system.ts';
import * as invitations from './invitations/invitations.ts';
import * as outbox from './invitations/outbox.ts';
import * as live from './review/live.ts';
import * as participantRecord from './review/participant-record.ts';
import * as participants from './review/participants.ts';
import * as stats from './review/stats.ts';

/**
 * The endpoint table: every call under /api. Server routes are registered from it (startup fails for a
 * row without a route), and the web client and /api/openapi.json are generated from its rows.
 */
export const ENDPOINTS = {
  login: auth.login,
  secondStep: auth.secondStep,
  getPasswordResetWays: auth.getPasswordResetWays,
  requestPasswordReset: auth.requestPasswordReset,
  setResetPassword: auth.setResetPassword,
  confirmPassword: auth.confirmPassword,
  me: auth.me,
  logout: auth.logout,
  listCategories: categories.listCategories,
  createCategory: categories.createCategory,
  updateCategory: categories.updateCategory,
  deleteCategory: categories.deleteCategory,
  listQuizzes: quizzes.listQuizzes,
  createQuiz: quizzes.createQuiz,
  updateQuiz: quizzes.updateQuiz,
  deleteQuiz: quizzes.deleteQuiz,
  duplicateQuiz: quizzes.duplicateQuiz,
  previewQuiz: quizzes.previewQuiz,
  listQuestions: questionList.listQuestions,
  reorderQuestions: questions.reorderQuestions,
  rescoreQuestion: questions.rescoreQuestion,
  createQuestion: questions.createQuestion,
  updateQuestion: questions.updateQuestion,
  deleteQuestion: questions.deleteQuestion,
  deleteQuestions: questions.deleteQuestions,
  importQuestions: questions.importQuestions,
  getStructure: structure.getStructure,
  checkStructure: structure.checkStructure,
  setStructure: structure.setStructure,
  listBank: bank.listBank,
  listTags: bank.listTags,
  listDuplicates: bank.listDuplicates,
  addToBank: bank.addToBank,
  changeBankQuestions: bank.changeBankQuestions,
  readImport: imports.readImport,
  importFile: imports.importFile,
  checkExport: imports.checkExport,
  exportQuestions: imports.exportQuestions,
  getBankQuestion: bank.getBankQuestion,
  changeBankQuestion: bank.changeBankQuestion,
  rescoreBankQuestion: questions.rescoreBankQuestion,
  uploadImage: images.uploadImage,
  readImage: images.readImage,
  inviteToQuiz: invitations.inviteToQuiz,
  previewInvitation: invitations.previewInvitation,
  listInvitations: invitations.listInvitations,
  countInvitations: invitations.countInvitations,
  listInvitationIds: invitations.listInvitationIds,
  exportInvitations: invitations.exportInvitations,
  readDelivery: invitations.readDelivery,
  remindInvitations: invitations.remindInvitations,
  resendInvitations: invitations.resendInvitations,
  revokeInvitations: invitations.revokeInvitations,
  updateInvitation: invitations.updateInvitation,
  listOutbox: outbox.listOutbox,
  readOutboxMessage: outbox.readOutboxMessage,
  revealOutboxMessage: outbox.revealOutboxMessage,
  sendOutboxMessage: outbox.sendOutboxMessage,
  getMailProblems: outbox.getMailProblems,
  startParticipant: ownParticipant.startParticipant,
  listParticipants: participants.listParticipants,
  exportParticipants: participants.exportParticipants,
  getParticipant: participants.getParticipant,
  getParticipantRecord: participantRecord.getParticipantRecord,
  giveVerdict: participantRecord.giveVerdict,
  extendParticipant: participants.extendParticipant,
  endParticipant: participants.endParticipant,
  replaceParticipant: participants.replaceParticipant,
  noteParticipant: participants.noteParticipant,
  exportPerson: participants.exportPerson,
  erasePerson: participants.erasePerson,
  heartbeat: ownParticipant.heartbeat,
  streamParticipant: ownParticipant.streamParticipant,
  listMessages: ownParticipant.listMessages,
  sendMessage: participants.sendMessage,
  reportViolation: violations.reportViolation,
  countViolation: violations.countViolation,
  noteViolation: violations.noteViolation,
  getEndedAttempt: endedAttempt.getEndedAttempt,
  noteAfterEnd: endedAttempt.noteAfterEnd,
  uploadEvidence: evidence.uploadEvidence,
  sendThumbnail: evidence.sendThumbnail,
  readEvidence: evidenceViews.readEvidence,
  streamLive: live.streamLive,
  getLiveCount: live.getLiveCount,
  watchParticipant: live.watchParticipant,
  applyToMany: live.applyToMany,
  giveFeedback: ownParticipant.giveFeedback,
  listAnswers: answers.listAnswers,
  saveAnswers: answers.saveAnswers,
  submitParticipant: answers.submitParticipant,
  listLateAnswers: answers.listLateAnswers,
  getSmtpSettings: smtpSettings.getSmtpSettings,
  putSmtpSettings: smtpSettings.putSmtpSettings,
  testSmtpSettings: smtpSettings.testSmtpSettings,
  getStats: stats.getStats,
  getStatsCharts: stats.getStatsCharts,
  listAdmins: admins.listAdmins,
  createAdmin: admins.createAdmin,
  deleteAdmin: admins.deleteAdmin,
  changeOwnPassword: admins.changeOwnPassword,
  listAudit: audit.listAudit,
  exportAudit: audit.exportAudit,
  getSystemInformation: system.getSystemInformation,
  getReceiptKey: receipts.getReceiptKey,
  verifyReceipt: receipts.verifyReceipt,
  getRetention: retention.getRetention,
  putRetention: retention.putRetention,
  getTotp: totp.getTotp,
  beginTotp: totp.beginTotp,
  confirmTotp: totp.confirmTotp,
  renewRecoveryCodes: totp.renewRecoveryCodes,
  switchOffTotp: totp.switchOffTotp,
  resetTotp: totp.resetTotp,
  getSignInPolicy: totp.getSignInPolicy,
  putSignInPolicy: totp.putSignInPolicy,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;
