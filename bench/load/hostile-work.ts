import type { EndpointName } from '@invigil/core/contract/endpoints';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { zipOf } from '@invigil/testkit/question-files';
import { beginOverHttp, type HttpPerson } from '@invigil/testkit/running-server';
import { sized } from '../benchmark.ts';
import type { Attack } from './hostile-process.ts';
import { createSessions, makeQuiz } from './people.ts';
import { COUNTED, headersOf, pathOf, requestOf } from './requests.ts';
import type { LoadSystem } from './system.ts';

/** Attempts that the statistics and reports are of. */
const ATTEMPTS = sized(3_000, 20);
const LISTED = sized(PEOPLE_LIMITS.rowsPerImport, 50);
const MOVED = sized(1_000, 5);

/** A drawing that takes half a minute, with a comment that makes it large. */
const SLOW_DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600"><!--${'x'.repeat(
  sized(1_900_000, 1_000),
)}--><filter id="f">${'<feGaussianBlur stdDeviation="90"/><feMorphology radius="99"/>'.repeat(
  200,
)}</filter><rect width="1500" height="1500" filter="url(#f)"/></svg>`;

/** Two kilobytes of workbook, with the format of a cell that is a million characters long. */
const WORKBOOK = zipOf({
  'xl/workbook.xml':
    '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(
    sized(1_000_000, 300),
  )}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml':
    '<worksheet><sheetData><row r="1"><c r="A1" s="1"><v>1</v></c></row></sheetData></worksheet>',
});

/**
 * Work that someone with a role, or a stranger, makes the server do beside the candidates: what is slow, and
 * what no one waits for. Each attack with its name.
 */
export async function hostileWork(
  system: LoadSystem,
  admin: HttpPerson,
): Promise<[string, Omit<Attack, 'port'>][]> {
  const { port } = system.server;
  const quiz = await makeQuiz(system, sized(40, 5));
  await createSessions(system, quiz.quizId, ATTEMPTS, { submit: true });
  await system.postgres.query('vacuum (analyze)');
  const number = await certify(admin.url);
  const ids = await addQuestions(system, quiz.quizId);
  const to = (name: EndpointName, body?: string, query = '', type?: string) => {
    const method = body === undefined ? 'GET' : 'POST';
    const path = `${pathOf(name, quiz.quizId)}${query}`;
    return requestOf(method, path, headersOf(port, admin.cookie), body, type).toString('latin1');
  };
  const name = "'".repeat(sized(900_000, 1_000));
  const invited = { people: [{ email: 'a@example.org', givenName: name }], sendMail: false };
  const people = Array.from({ length: LISTED }, (_, i) => ({
    ...{ email: `listed${i}@example.org`, givenName: `Given ${i}`, familyName: `Family ${i}` },
  }));
  const workbook = Buffer.from(WORKBOOK).toString('latin1');
  const from = `?from=2000-01-01T00:00:00.${COUNTED}Z`;
  const print = pathOf('printCertificate').replace(':number', number);
  const answers = `?quizId=${quiz.quizId}&questions=true&format=xlsx`;
  return [
    ['names of 900 KB', { connections: 3, request: to('inviteToQuiz', JSON.stringify(invited)) }],
    [
      'statistics, left',
      { connections: 20, leavesAfterMs: 120, request: to('getQuizStatistics', undefined, from) },
    ],
    [
      'slow drawings, left',
      {
        ...{ connections: 8, leavesAfterMs: 0 },
        request: to('uploadImage', SLOW_DRAWING, '', 'image/svg+xml'),
      },
    ],
    [
      'a stranger, 100 connections, one certificate',
      {
        connections: sized(100, 5),
        request: requestOf('GET', print, headersOf(port)).toString('latin1'),
      },
    ],
    [
      'reports with every answer as workbooks',
      { connections: 8, request: to('exportParticipants', undefined, answers) },
    ],
    [
      'lists of 10,000 people',
      { connections: 2, request: to('importPeople', JSON.stringify({ people, dryRun: true })) },
    ],
    [
      'workbooks with a format of a million characters',
      {
        connections: 4,
        request: to('readPeopleSheet', workbook, '', 'application/octet-stream'),
      },
    ],
    [
      '1,000 questions moved',
      {
        connections: 2,
        request: to('changeBankQuestions', JSON.stringify({ ids, quizId: quiz.quizId })),
      },
    ],
  ];
}

/** The number of the certificate of someone who passed. */
async function certify(url: string): Promise<string> {
  const { admin, quizId, sittings } = await beginOverHttp(url);
  const [sitting] = sittings;
  if (!sitting) throw new Error('no attempt was started');
  const params = { id: quizId };
  const rules = { passMark: { percent: 1 }, sectionMarks: [], grades: [] };
  await admin.must('setResultRules', { params, body: { rules, dryRun: false } });
  const answers = sitting.questions.map(({ id, correctAnswer }) => ({
    ...{ questionId: id, selectedOption: correctAnswer, revision: 1 },
  }));
  const ended = { params: { id: sitting.id }, body: { answers } };
  await sitting.person.must('submitParticipant', ended);
  const parts = ['outcome', 'certificate'];
  const release = { parts, when: { kind: 'by_hand' }, openDays: 30 };
  await admin.must('setReleaseRules', { params, body: { rules: release } });
  await admin.must('releaseResults', { params, body: { ids: [sitting.id] } });
  return (await admin.must('issueCertificate', { params: { id: sitting.id } })).number;
}

/** Questions of an assessment that can be moved together. */
async function addQuestions({ postgres }: LoadSystem, quizId: string): Promise<string[]> {
  const { rows } = await postgres.pool.query<{ id: string }>(
    `insert into questions (id, quiz_id, order_number, current_version, next_option_id, created_at)
     select gen_random_uuid(), null, 1, 1, 5, now() from generate_series(1, ${MOVED}) returning id`,
  );
  await postgres.query(
    `insert into question_versions
       (question_id, version, question, option_ids, option_texts, correct_option_id, created_at)
     select id, 1, 'Moved ' || id, '{1,2,3,4}', '{a,b,c,d}', 1, now() from questions
     where quiz_id is distinct from '${quizId}' and not exists
       (select from question_versions v where v.question_id = questions.id)`,
  );
  return rows.map(({ id }) => id);
}
