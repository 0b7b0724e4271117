import {
  type Access,
  type Endpoint,
  partsOf,
  permissionsOf,
} from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { ROLES, type Role, rolesWith } from '@invigil/core/domain/rights';
import type { Reply } from '@invigil/testkit/app';
import { setUpAppWithAdmin } from '@invigil/testkit/factories';
import {
  CHANGES_TOO_MUCH,
  callOn,
  MADE_AT,
  makeSide,
  type Side,
  subjectsOf,
  withGrants,
} from '@invigil/testkit/sides';
import { inForm } from '@invigil/testkit/test-form';
import { beforeAll, describe, expect, it } from 'vitest';

const NAMES = (Object.keys(ENDPOINTS) as EndpointName[]).filter(
  (name) => permissionsOf(ENDPOINTS[name]).length > 0,
);

const EVERYONE = ROLES.join(' ');
const AUTHORS = 'owner author';
const STAFF = 'owner invigilator reviewer support';

/** Who may make each call, written by hand from the roles, to compare with the table. */
const WHO: Record<string, string> = {
  ...named(
    EVERYONE,
    'changeOwnPassword confirmPassword me beginTotp confirmTotp getSignInPolicy getTotp listWorks forgetWork',
    'renewRecoveryCodes switchOffTotp getInstitution setOwnName setLanguage listOwnSessions endOwnSession',
    'listCategories listQuizzes getQuiz getStats listQuizFigures countKeyReaders',
  ),
  ...named(
    'owner',
    'createAdmin deleteAdmin listAdmins listOutages grantLostTime setGrants putSignInPolicy resetTotp exportAudit listAudit',
    'checkPublicUrl putInstitution readTranslation checkTranslation getRetention putRetention getSmtpSettings putSmtpSettings',
    'testSmtpSettings getSystemInformation readOutboxMessage revealOutboxMessage erasePerson',
    'exportPerson rescoreBankQuestion rescoreQuestion setPersonFields setResultRules',
    'getResult releaseResults setReleaseRules issueCertificate revokeCertificate',
  ),
  ...named(
    AUTHORS,
    'addToBank changeBankQuestion changeBankQuestions getBankQuestion listBank listDuplicates',
    'listTags uploadImage checkExport exportQuestions importFile readImport listQuestions',
    'createQuestion deleteQuestion deleteQuestions importQuestions reorderQuestions updateQuestion',
    'createCategory deleteCategory updateCategory createQuiz deleteQuiz duplicateQuiz updateQuiz',
    'getSchedule setSchedule setPractice',
    'previewQuiz checkStructure getStructure setStructure',
  ),
  ...named('owner author support', 'checkInviting sendTestInvitation'),
  ...named(
    STAFF,
    'countInvitations exportInvitations listInvitationIds listInvitations readDelivery getQuizActivity',
    'listPeople listPersonIds listGroups listPersonFields getPerson listPersonInvitations exportPeople',
  ),
  ...named(
    'owner support',
    'findInvited inviteToQuiz previewInvitation remindInvitations resendInvitations',
    'revokeInvitations updateInvitation getMailProblems listOutbox sendOutboxMessage',
    'updatePerson importPeople readPeopleSheet',
  ),
  ...named(
    'owner invigilator',
    'exportPasswords makePasswords applyToMany getLiveCount streamLive watchParticipant',
    'listHalls startTogether',
    'endParticipant extendParticipant replaceParticipant sendMessage',
  ),
  ...named('owner invigilator reviewer', 'listMessages'),
  ...named('owner invigilator reviewer blind_reviewer', 'noteParticipant'),
  ...named(
    'owner reviewer blind_reviewer',
    'listAnswers listLateAnswers getParticipant getParticipantRecord listParticipants giveVerdict',
  ),
  ...named('owner reviewer', 'readEvidence'),
  ...named('owner author reviewer blind_reviewer', 'readImage'),
  ...named('owner reviewer analyst', 'exportParticipants'),
  ...named(
    'owner analyst',
    'getStatsCharts getQuizResults getQuizStatistics exportQuizStatistics getReleases',
    'listElsewhere',
  ),
};

function named(who: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((line) => line.split(' ').map((name) => [name, who])));
}

/** The roles that a row of the table admits. */
function rolesOf(row: { access: Access }): string {
  const admitted = permissionsOf(row).flatMap((one) => {
    const parts = partsOf(one);
    return parts === null ? [...ROLES] : rolesWith(parts.permission);
  });
  return ROLES.filter((role) => admitted.includes(role)).join(' ');
}

/** Calls whose roles are not as written. */
const wrong = (table: Record<string, { access: Access }>) =>
  Object.keys(table).filter((name) => rolesOf(table[name] as Endpoint) !== (WHO[name] ?? ''));

describe('the permission of every call', () => {
  it('is as written by hand', () => {
    const table = Object.fromEntries(NAMES.map((name) => [name, ENDPOINTS[name] as Endpoint]));
    expect(wrong(table)).toEqual([]);
    expect(Object.keys(WHO).sort()).toEqual([...NAMES].sort());
    // A permission that is missing on any row is detected.
    for (const name of NAMES) {
      if (permissionsOf(ENDPOINTS[name]).includes('self')) continue;
      const row: Endpoint = ENDPOINTS[name];
      expect([name, wrong({ [name]: { ...row, access: ['self'] } })]).toEqual([
        name,
        WHO[name] === EVERYONE ? [] : [name],
      ]);
    }
  });
});

/** Calls that create an assessment: a grant for another assessment of the same category says nothing. */
const MAKES_QUIZ: ReadonlySet<string> = new Set(['createQuiz', 'duplicateQuiz']);

/** Each role for one assessment, and in the long form for more. */
const SCOPES = inForm({
  short: ['quiz'] as const,
  long: ['quiz', 'category', 'installation'] as const,
});

describe('an administrator with one role', () => {
  const app = setUpAppWithAdmin();
  let own: Side;
  let other: Side;
  /** Texts that no answer may contain for someone without a grant there. */
  let marks: string[];

  beforeAll(async () => {
    own = await makeSide(app, 'Own');
    other = await makeSide(app, 'Other');
    marks = [other.ids.quiz, other.attempt, other.candidate.email, 'Other assessment'];
  });

  const isStream = (name: EndpointName) =>
    (ENDPOINTS[name] as Endpoint).produces === 'text/event-stream';
  const refusal = ({ status, body }: Reply) =>
    status === 403 || status === 404 ? body.code : undefined;

  describe.each(ROLES)('as %s', (role: Role) => {
    it.each(SCOPES)('of one %s', async (scope) => {
      const place =
        scope === 'quiz'
          ? { quizId: own.ids.quiz }
          : scope === 'category'
            ? { categoryId: own.ids.category }
            : {};
      const as = await withGrants(app, [{ role, ...place }]);
      const problems: string[] = [];
      for (const name of NAMES) {
        const mayCall = WHO[name]?.split(' ').includes(role) ?? false;
        const subjects = subjectsOf(name);
        const isOfInstallation = subjects.every((on) => on === 'installation');
        const isOfCategory = subjects.every((on) => on === 'category');
        const isAdmitted =
          mayCall &&
          !(isOfInstallation && scope !== 'installation') &&
          !(isOfCategory && scope === 'quiz') &&
          !(MAKES_QUIZ.has(name) && scope === 'quiz');
        if (!isAdmitted || !(CHANGES_TOO_MUCH.has(name) || isStream(name))) {
          const reply = await callOn(app, name, own, as);
          const code = refusal(reply);
          const isRefused = code === 'FORBIDDEN' || (isOfCategory && code === 'NOT_FOUND');
          if (isRefused === isAdmitted) problems.push(`${name}: own ${reply.status} ${reply.text}`);
          if (scope === 'installation' || !reply.text) continue;
          const leaked = marks.filter((mark) => reply.text.includes(mark));
          if (leaked.length > 0) problems.push(`${name}: shows ${leaked}`);
        }
        const isOfObject = subjects.some((on) => on !== 'installation' && on !== 'anywhere');
        if (scope === 'installation' || !(isOfObject || MADE_AT[name])) continue;
        const reply = await callOn(app, name, other, as);
        if (MADE_AT[name]) {
          if (refusal(reply) === undefined) problems.push(`${name}: made elsewhere`);
          continue;
        }
        const expected = mayCall && !(isOfCategory && scope === 'quiz') ? 'NOT_FOUND' : 'FORBIDDEN';
        if (refusal(reply) !== expected && !(isOfCategory && refusal(reply) === 'NOT_FOUND')) {
          problems.push(`${name}: other ${reply.status} ${reply.text}`);
        }
      }
      expect(problems).toEqual([]);
    });
  });
});
