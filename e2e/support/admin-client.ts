import { setTimeout as pause } from 'node:timers/promises';
import { HttpPerson } from '@invigil/testkit/running-server';
import { PAGE_ONLY } from './policies.ts';
import type { KeyedQuestion } from './question-file.ts';
import { ADMIN } from './server-settings.ts';

const BUSY_TRIES = 5;

export interface PreparedQuiz {
  id: string;
  title: string;
  questions: KeyedQuestion[];
}

export interface Guest {
  email: string;
  code: string;
}

/** Five questions whose key is always the second option. */
const FIVE_QUESTIONS: KeyedQuestion[] = [
  ['Which layer routes packets between networks?', 'Link', 'Network', 'Transport', 'Application'],
  ['Which address is a private one?', '8.8.8.8', '10.20.30.40', '1.1.1.1', '9.9.9.9'],
  ['Which protocol gives a host its address?', 'ARP', 'DHCP', 'ICMP', 'SMTP'],
  ['How many hosts fit into a /30 network?', '1', '2', '4', '6'],
  ['What does a router use to forward a packet?', 'Source', 'Destination', 'Size', 'Age'],
].map(([question = '', ...options]) => ({
  question,
  options,
  correctAnswer: options[1] ?? '',
}));

/** Prepares data over HTTP, with the same calls as the screens. */
export class AdminClient extends HttpPerson {
  static async signIn(url: string): Promise<AdminClient> {
    const admin = new AdminClient(url);
    await admin.signIn(ADMIN.email, ADMIN.password);
    return admin;
  }

  async category(name: string, description: string | null = null): Promise<string> {
    const { id } = await this.must('createCategory', { body: { name, description } });
    return id;
  }

  /**
   * An open assessment of 25 minutes with its questions, unless the settings differ. Camera and
   * microphone are off unless a test enables them: the detectors take more processor time than
   * server and pages together.
   */
  async quiz(
    title: string,
    settings: Record<string, unknown> = {},
    questions: KeyedQuestion[] = FIVE_QUESTIONS,
  ): Promise<PreparedQuiz> {
    const categoryId = settings.categoryId ?? (await this.category(`Category of ${title}`));
    const body = {
      title,
      categoryId,
      duration: 25,
      totalQuestions: Math.max(5, questions.length),
      endDate: '2035-06-15T16:00:00.000Z',
      policy: PAGE_ONLY,
      ...settings,
    };
    const quiz = await this.must('createQuiz', { body });
    if (questions.length > 0) {
      await this.must('importQuestions', { params: { id: quiz.id }, body: { questions } });
    }
    return { id: quiz.id, title, questions };
  }

  /** Changes settings of an assessment and leaves the others as they are. */
  async change(quiz: PreparedQuiz, settings: Record<string, unknown>): Promise<void> {
    const list = await this.must('listQuizzes', {});
    const now = list.find((row: { id: string }) => row.id === quiz.id);
    const { title, description, categoryId, duration, totalQuestions, endDate } = now;
    await this.must('updateQuiz', {
      params: { id: quiz.id },
      body: { title, description, categoryId, duration, totalQuestions, endDate, ...settings },
    });
  }

  /** Invites, and reads the codes from queued messages: no mail server is configured. */
  async invite(quiz: PreparedQuiz, ...emails: string[]): Promise<Guest[]> {
    await this.must('inviteToQuiz', { params: { id: quiz.id }, body: { emails } });
    const outbox: { id: string; recipient: string }[] = await this.must('listOutbox', {});
    return Promise.all(
      emails.map(async (email) => {
        const waiting = outbox.find(({ recipient }) => recipient === email);
        const message = await this.must('readOutboxMessage', { params: { id: waiting?.id ?? '' } });
        return { email, code: codeIn(message.text) };
      }),
    );
  }

  async inviteOne(quiz: PreparedQuiz, email: string): Promise<Guest> {
    const [guest] = await this.invite(quiz, email);
    if (guest === undefined) throw new Error('one was invited');
    return guest;
  }

  /** The attempts at an assessment. */
  attempts(quiz: PreparedQuiz) {
    return this.must('listParticipants', { query: { quizId: quiz.id } });
  }

  /** The record of an attempt, or of the only one at an assessment. */
  async record(of: string | PreparedQuiz) {
    const id = typeof of === 'string' ? of : (await this.attempts(of))[0].id;
    return this.must('getParticipantRecord', { params: { id } });
  }

  /**
   * The response body; throws unless the call succeeds. As every client of the API should, it calls again
   * after `Retry-After` where the server is busy, as it is on a machine that others use too.
   */
  // biome-ignore lint/suspicious/noExplicitAny: responses of a server that is itself under test
  override async must(...call: Parameters<HttpPerson['call']>): Promise<any> {
    let reply = await this.call(...call);
    for (let tries = 1; reply.status === 503 && tries < BUSY_TRIES; tries += 1) {
      await pause(1_000 * Number(reply.retryAfter ?? 1));
      reply = await this.call(...call);
    }
    const { status, body } = reply;
    if (status >= 300) throw new Error(`${call[0]} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }
}

/** The one-time password in the text of an invitation. */
export function codeIn(text: string): string {
  const [, code] = /^One-time password: ([A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5})$/m.exec(text) ?? [];
  if (code === undefined) throw new Error(`no one-time password in:\n${text}`);
  return code;
}
