import { setTimeout as delay } from 'node:timers/promises';
import type { SmtpSink } from '../../server/src/testing/smtp-sink.ts';
import { callEndpoint } from './call-endpoint.ts';

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' };

/** One candidate in progress, as the load generator needs it. */
export interface TestSession {
  cookie: string;
  participantId: string;
  questions: { id: string; option: string }[];
}

/** Where the text of an option has its letter; the options of a question differ only there. */
export const OPTION_LETTERS = 'ABCD';
export const OPTION_LETTER_AT = 'Option '.length;

const DURATION_MINUTES = 180;
const STARTED_AT_A_TIME = 16;
const MAIL_WITHIN_MS = 60_000;
const CODE = /[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/;

/** Creates an assessment, invites people by email, signs them in with their codes and starts them. */
export async function startCandidates(request: {
  url: string;
  sink: SmtpSink;
  candidates: number;
  questions: number;
}): Promise<TestSession[]> {
  const { url, sink } = request;
  const { cookie: as } = await callEndpoint(url, 'login', { body: ADMIN });
  const category = await callEndpoint(url, 'createCategory', { as, body: { name: 'Benchmarks' } });
  const quiz = await callEndpoint(url, 'createQuiz', {
    as,
    body: {
      title: 'Answer path',
      categoryId: category.body.id,
      duration: DURATION_MINUTES,
      totalQuestions: request.questions,
    },
  });
  const quizId = quiz.body.id;
  const questions = Array.from({ length: request.questions }, (_, i) => ({
    type: 'multiple_choice',
    question: `Question ${i + 1}: which of these options is correct?`,
    options: [...OPTION_LETTERS].map((letter) => optionText(letter, i + 1)),
    correctAnswer: optionText('A', i + 1),
  }));
  await callEndpoint(url, 'importQuestions', { as, params: { id: quizId }, body: { questions } });
  const emails = Array.from({ length: request.candidates }, (_, i) => `candidate-${i}@example.org`);
  await callEndpoint(url, 'inviteToQuiz', { as, params: { id: quizId }, body: { emails } });

  const sessions: TestSession[] = [];
  const waiting = [...emails.entries()];
  const startSequentially = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [i, email] = next;
      sessions[i] = await startCandidate(url, quizId, email, await codeOf(sink, email));
    }
  };
  await Promise.all(Array.from({ length: STARTED_AT_A_TIME }, startSequentially));
  return sessions;
}

async function startCandidate(
  url: string,
  quizId: string,
  email: string,
  code: string,
): Promise<TestSession> {
  const { cookie } = await callEndpoint(url, 'login', { body: { email, password: code } });
  if (cookie === undefined) throw new Error('the sign-in set no cookie');
  const started = await callEndpoint(url, 'startParticipant', { as: cookie, body: {} });
  const paper = await callEndpoint(url, 'listQuestions', {
    as: cookie,
    params: { id: quizId },
    query: { forAssessment: 'true' },
  });
  const questions = paper.body.map(({ id, options }) => ({ id, option: options[0] ?? '' }));
  return { cookie, participantId: started.body.id, questions };
}

function optionText(letter: string, question: number): string {
  return `Option ${letter} of question ${question}, which has a usual length`;
}

async function codeOf(sink: SmtpSink, email: string): Promise<string> {
  const until = performance.now() + MAIL_WITHIN_MS;
  for (;;) {
    const received = sink.mails.find(({ to }) => to.includes(email));
    const code = received?.mail.text?.match(CODE)?.[0];
    if (code !== undefined) return code;
    if (performance.now() > until) throw new Error(`no code reached ${email}`);
    await delay(50);
  }
}
